import { after, before, describe } from 'node:test';
import type { Open, Opened } from './storeFixtures.ts';
import { openMemory, openPostgres, openSqlite } from './storeOpen.ts';
import { queryByNameContract, queryContract, queryCountContract } from './storeQueries.ts';

/** What every store promises of lists of payments. */
function contract(name: string, open: Open, isDatabase: boolean): void {
  let shared: Opened | null = null;
  const opened = (): Opened => {
    if (!shared) throw new Error('the store is not open');
    return shared;
  };
  before(async () => {
    shared = await open();
  });
  after(() => shared?.end());
  queryContract(name, open);
  queryByNameContract(name, opened);
  if (isDatabase) queryCountContract(name, opened);
}

describe('memory', () => contract('memory', openMemory, false));
describe('sqlite', () => contract('sqlite', openSqlite, true));
describe('postgres', () => contract('postgres', openPostgres, true));
