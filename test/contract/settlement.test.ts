import { onEveryStore } from './everyStore.ts';
import {
  settlementFileContract,
  settlementLifeContract,
  settlementLookupContract,
  settlementRawContract,
  settlementRecordContract,
} from './storeSettlement.ts';

/** What every store promises of settlement. */
onEveryStore(({ name, open, opened, isDatabase }) => {
  settlementFileContract(name, opened);
  settlementRecordContract(name, opened);
  settlementLookupContract(name, opened);
  settlementLifeContract(name, open);
  if (isDatabase) settlementRawContract(name, opened);
});
