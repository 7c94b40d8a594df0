import { after, before, describe } from 'node:test';
import { clockContract, dueContract } from './storeClocks.ts';
import type { Open, Opened } from './storeFixtures.ts';
import { openMemory, openPostgres, openSqlite } from './storeOpen.ts';

/** What every store promises of merchants' clocks. */
function clocksOf(name: string, open: Open): void {
  let shared: Opened | null = null;
  const opened = (): Opened => {
    if (!shared) throw new Error('the store is not open');
    return shared;
  };
  before(async () => {
    shared = await open();
  });
  after(() => shared?.end());

  clockContract(name, opened);
  dueContract(name, open);
}

describe('memory', () => clocksOf('memory', openMemory));
describe('sqlite', () => clocksOf('sqlite', openSqlite));
describe('postgres', () => clocksOf('postgres', openPostgres));
