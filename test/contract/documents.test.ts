import { onEveryStore } from './everyStore.ts';
import { documentContract } from './storeDocuments.ts';

/** What every store promises of the documents of the back office. */
onEveryStore(({ name, opened }) => documentContract(name, opened));
