import { after, before, describe } from 'node:test';
import type { Open, Opened } from './storeFixtures.ts';
import { openMemory, openPostgres, openSqlite } from './storeOpen.ts';
import { planClaimContract, planNodesContract } from './storePlanClaims.ts';
import { planRawContract } from './storePlanRaw.ts';
import { planContract } from './storePlans.ts';

/** What every store promises of plans. */
function plansOf(name: string, open: Open, isDatabase: boolean): void {
  let shared: Opened | null = null;
  const opened = (): Opened => {
    if (!shared) throw new Error('the store is not open');
    return shared;
  };
  before(async () => {
    shared = await open();
  });
  after(() => shared?.end());

  planContract(name, opened);
  planClaimContract(name, open);
  if (!isDatabase) return;
  planRawContract(name, opened);
  planNodesContract(name, open);
}

describe('memory', () => plansOf('memory', openMemory, false));
describe('sqlite', () => plansOf('sqlite', openSqlite, true));
describe('postgres', () => plansOf('postgres', openPostgres, true));
