import { callsContract } from './callsStore.ts';
import { onEveryStore } from './everyStore.ts';

/** What every store promises of the calls that developers look at. */
onEveryStore(({ name, opened }) => callsContract(name, opened));
