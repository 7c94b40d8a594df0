import { onEveryStore } from './everyStore.ts';
import { planClaimContract, planNodesContract } from './storePlanClaims.ts';
import { planRawContract } from './storePlanRaw.ts';
import { planContract } from './storePlans.ts';

/** What every store promises of plans. */
onEveryStore(({ name, open, opened, isDatabase }) => {
  planContract(name, opened);
  planClaimContract(name, open);
  if (!isDatabase) return;
  planRawContract(name, opened);
  planNodesContract(name, open);
});
