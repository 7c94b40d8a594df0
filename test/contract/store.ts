import { after, before } from 'node:test';
import { assetAgeContract, assetContract, assetNodesContract } from './storeAssets.ts';
import { busyContract } from './storeBusy.ts';
import { busyDatabaseContract } from './storeBusyDatabase.ts';
import { checkoutClaimAgeContract, checkoutClaimContract, checkoutClaimNodesContract } from './storeCheckoutClaims.ts';
import { checkoutAgeContract, checkoutContract, checkoutNodesContract } from './storeCheckouts.ts';
import { ageContract, claimContract } from './storeClaims.ts';
import { crowdContract, lifeContract } from './storeCrowds.ts';
import { databaseContract } from './storeDatabase.ts';
import { familyContract } from './storeFamilies.ts';
import type { Open, Opened } from './storeFixtures.ts';
import { historyContract, historyReaderContract } from './storeHistory.ts';
import { keyContract, sealedContract } from './storeKeys.ts';
import { listNodesContract } from './storeListNodes.ts';
import { listAgeContract, listContract } from './storeLists.ts';
import { merchantContract } from './storeMerchants.ts';
import { rawContract } from './storeRaw.ts';
import { registrationCrowdContract, registrationNodesContract } from './storeRegistrationCrowds.ts';
import { registrationRawContract } from './storeRegistrationRaw.ts';
import { registrationStoryContract } from './storeRegistrationStory.ts';
import { registrationAgeContract, registrationContract } from './storeRegistrations.ts';
import { roundTripContract } from './storeRoundTrip.ts';
import { spendAgeContract, spendContract } from './storeSpends.ts';
import { sumContract } from './storeSums.ts';

/** What every store promises. `isDatabase`: it keeps its promises after a restart, to several nodes, and against raw statements. */
export function storeContract(name: string, open: Open, isDatabase: boolean): void {
  let shared: Opened | null = null;
  const opened = (): Opened => {
    if (!shared) throw new Error('the store is not open');
    return shared;
  };
  before(async () => {
    shared = await open();
  });
  after(() => shared?.end());

  roundTripContract(name, opened);
  familyContract(name, opened);
  claimContract(name, opened);
  sumContract(name, opened);
  crowdContract(name, opened);
  registrationContract(name, opened);
  registrationAgeContract(name, open);
  registrationCrowdContract(name, opened);
  spendContract(name, opened);
  spendAgeContract(name, open);
  keyContract(name, opened);
  sealedContract(name, open);
  ageContract(name, open);
  merchantContract(name, open);
  historyContract(name, open);
  listContract(name, opened);
  listAgeContract(name, open);
  checkoutContract(name, opened);
  checkoutAgeContract(name, open);
  checkoutClaimContract(name, opened);
  checkoutClaimAgeContract(name, open);
  busyContract(name, opened);
  assetContract(name, opened);
  assetAgeContract(name, open);
  lifeContract(name, open);
  if (!isDatabase) return;
  rawContract(name, opened);
  databaseContract(name, open);
  registrationRawContract(name, opened);
  registrationNodesContract(name, open);
  registrationStoryContract(name, open);
  historyReaderContract(name, open);
  listNodesContract(name, open);
  checkoutNodesContract(name, open);
  checkoutClaimNodesContract(name, open);
  busyDatabaseContract(name, open);
  assetNodesContract(name, open);
}
