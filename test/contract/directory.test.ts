import { onEveryStore } from './everyStore.ts';
import { directoryContract } from './storeDirectory.ts';

onEveryStore(({ name, open }) => directoryContract(name, open));
