import { onEveryStore } from './everyStore.ts';
import { planClaimContract, planNodesContract } from './storeScheduleClaims.ts';
import { planRawContract } from './storeScheduleRaw.ts';
import { planContract } from './storeSchedules.ts';

/** The contract of schedules for every store. */
onEveryStore(({ name, open, opened, isDatabase }) => {
  planContract(name, opened);
  planClaimContract(name, open);
  if (!isDatabase) return;
  planRawContract(name, opened);
  planNodesContract(name, open);
});
