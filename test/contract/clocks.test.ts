import { onEveryStore } from './everyStore.ts';
import { clockContract, dueContract } from './storeClocks.ts';

/** What every store promises of merchants' clocks. */
onEveryStore(({ name, open, opened }) => {
  clockContract(name, opened);
  dueContract(name, open);
});
