import { after, before, describe } from 'node:test';
import type { Open, Opened } from './storeFixtures.ts';
import { ledgerContract, ledgerNodesContract, ledgerRawContract } from './storeLedger.ts';
import { openMemory, openPostgres, openSqlite } from './storeOpen.ts';

/** What every store promises about the books, in a file of its own so that it runs beside the rest of the contract. */
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
  ledgerContract(name, opened);
  if (!isDatabase) return;
  ledgerRawContract(name, opened);
  ledgerNodesContract(name, open);
}

describe('memory', () => contract('memory', openMemory, false));
describe('sqlite', () => contract('sqlite', openSqlite, true));
describe('postgres', () => contract('postgres', openPostgres, true));
