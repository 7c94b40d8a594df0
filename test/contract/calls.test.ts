import { onEveryStore } from './everyStore.ts';
import { callsContract } from './storeCalls.ts';

/** What every store promises of the calls that developers look at. */
onEveryStore(({ name, opened }) => callsContract(name, opened));
