import { onEveryStore } from './everyStore.ts';
import { listedContract, longListContract, queryByNameContract, queryContract, queryCountContract } from './storeQueries.ts';

/** What every store promises of lists of payments. */
onEveryStore(({ name, open, opened, isDatabase }) => {
  queryContract(name, open);
  queryByNameContract(name, opened);
  listedContract(name, opened);
  if (isDatabase) queryCountContract(name, opened);
  if (isDatabase) longListContract(name, opened);
});
