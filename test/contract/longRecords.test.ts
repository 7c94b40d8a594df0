import { onEveryStore } from './everyStore.ts';
import { longRecordsContract } from './storeLongRecords.ts';

/** What every store promises of records with carts of megabytes. */
onEveryStore(longRecordsContract);
