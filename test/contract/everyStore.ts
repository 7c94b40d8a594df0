import { after, before, describe } from 'node:test';
import type { Open, Opened } from './storeFixtures.ts';
import { endUnusedFiles, openMemory, openPostgres, reuseSqlite } from './storeOpen.ts';

/** A store before its contract: `opened` is one for several tests, `open` makes one for a test alone. */
export type Driver = {
  readonly name: string;
  readonly open: Open;
  readonly opened: () => Opened;
  /** It keeps its promises after a restart, to several nodes, and against raw statements. */
  readonly isDatabase: boolean;
};

/** One store for several tests. */
export function shared(open: Open): () => Opened {
  let held: Opened | null = null;
  before(async () => {
    held = await open();
  });
  after(() => held?.end());
  return () => {
    if (!held) throw new Error('the store is not open');
    return held;
  };
}

const stores: Readonly<Record<string, Open>> = { memory: openMemory, sqlite: reuseSqlite, postgres: openPostgres };
const pooledStores: Readonly<Record<string, Open>> = { postgres: openPostgres };
const chosenStores = (): Readonly<Record<string, Open>> => (process.env.TEST_POOLER === undefined ? stores : pooledStores);

/** The same contract on every store there is; by a pooler on PostgreSQL alone. */
export function onEveryStore(contract: (driver: Driver) => void): void {
  for (const [name, open] of Object.entries(chosenStores())) {
    describe(name, () => {
      contract({ name, open, opened: shared(open), isDatabase: open !== openMemory });
      after(endUnusedFiles);
    });
  }
}
