import { after, before, describe } from 'node:test';
import type { Open, Opened } from './storeFixtures.ts';
import { laterContract, settlingDayContract } from './storeLater.ts';
import { openMemory, openPostgres, openSqlite } from './storeOpen.ts';

/** What every store promises of the days of the sandbox's acquirer. */
function laterOf(name: string, open: Open): void {
  let shared: Opened | null = null;
  const opened = (): Opened => {
    if (!shared) throw new Error('the store is not open');
    return shared;
  };
  before(async () => {
    shared = await open();
  });
  after(() => shared?.end());

  laterContract(name, opened);
  settlingDayContract(name, opened);
}

describe('memory', () => laterOf('memory', openMemory));
describe('sqlite', () => laterOf('sqlite', openSqlite));
describe('postgres', () => laterOf('postgres', openPostgres));
