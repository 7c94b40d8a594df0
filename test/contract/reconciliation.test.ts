import { after, before, describe } from 'node:test';
import type { Open, Opened } from './storeFixtures.ts';
import { openMemory, openPostgres, openSqlite } from './storeOpen.ts';
import { reconciliationContract } from './storeReconciliation.ts';

/** Files for merchants on every store. */
for (const [name, open] of Object.entries<Open>({ memory: openMemory, sqlite: openSqlite, postgres: openPostgres })) {
  describe(name, () => {
    let held: Opened | null = null;
    before(async () => {
      held = await open();
    });
    after(() => held?.end());
    reconciliationContract(
      name,
      () => {
        if (!held) throw new Error('the store is not open');
        return held;
      },
      open,
    );
  });
}
