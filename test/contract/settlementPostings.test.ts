import { onEveryStore } from './everyStore.ts';
import { settledBooksContract, settledBooksRawContract } from './storeSettlementPostings.ts';

/** What every store promises of the books of settlements. */
onEveryStore(({ name, opened, isDatabase }) => {
  settledBooksContract(name, opened);
  if (isDatabase) settledBooksRawContract(name, opened);
});
