import { onEveryStore } from './everyStore.ts';
import { searchContract, traceContract } from './storeSearch.ts';

/** What every store promises of finding payments, and of what was written down about one. */
onEveryStore(({ name, open, opened }) => {
  searchContract(name, open);
  traceContract(name, opened);
});
