import { after, before, describe } from 'node:test';
import type { Open, Opened } from './storeFixtures.ts';
import { openMemory, openPostgres, openSqlite } from './storeOpen.ts';
import {
  settlementFileContract,
  settlementLifeContract,
  settlementLookupContract,
  settlementRawContract,
  settlementRecordContract,
} from './storeReports.ts';

/** What every store promises of settlement. */
function reportsOf(name: string, open: Open, isDatabase: boolean): void {
  let held: Opened | null = null;
  const opened = (): Opened => {
    if (!held) throw new Error('the store is not open');
    return held;
  };
  before(async () => {
    held = await open();
  });
  after(() => held?.end());
  settlementFileContract(name, opened);
  settlementRecordContract(name, opened);
  settlementLookupContract(name, opened);
  settlementLifeContract(name, open);
  if (isDatabase) settlementRawContract(name, opened);
}

describe('memory', () => reportsOf('memory', openMemory, false));
describe('sqlite', () => reportsOf('sqlite', openSqlite, true));
describe('postgres', () => reportsOf('postgres', openPostgres, true));
