import { onEveryStore } from './everyStore.ts';
import { ledgerContract, ledgerNodesContract, ledgerRawContract } from './storeLedger.ts';

/** What every store promises about the books, in a file of its own so that it runs beside the rest of the contract. */
onEveryStore(({ name, open, opened, isDatabase }) => {
  ledgerContract(name, opened);
  if (!isDatabase) return;
  ledgerRawContract(name, opened);
  ledgerNodesContract(name, open);
});
