import { onEveryStore } from './everyStore.ts';
import { cabinetContract } from './storeCabinet.ts';

/** What every store promises of the papers of the back office. */
onEveryStore(({ name, opened }) => cabinetContract(name, opened));
