import { onEveryStore } from './everyStore.ts';
import { queueContract } from './storeQueues.ts';

/** What every store promises of the lengths of queues. */
onEveryStore(({ name, open }) => queueContract(name, open));
