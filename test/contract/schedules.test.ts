import { onEveryStore } from './everyStore.ts';
import { planClaimContract, planNodesContract } from './storeScheduleClaims.ts';
import { planRawContract } from './storeScheduleRaw.ts';
import { planContract } from './storeSchedules.ts';

/** What every store promises of plans. */
onEveryStore(({ name, open, opened, isDatabase }) => {
  planContract(name, opened);
  planClaimContract(name, open);
  if (!isDatabase) return;
  planRawContract(name, opened);
  planNodesContract(name, open);
});
