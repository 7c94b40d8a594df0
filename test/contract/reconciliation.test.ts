import { onEveryStore } from './everyStore.ts';
import { reconciliationContract } from './storeReconciliation.ts';

/** Files for merchants on every store. */
onEveryStore(({ name, open, opened }) => {
  reconciliationContract(name, opened, open);
});
