import { onEveryStore } from './everyStore.ts';
import { sweepClaimContract } from './storeSweepClaims.ts';

onEveryStore(({ name, open }) => sweepClaimContract(name, open));
