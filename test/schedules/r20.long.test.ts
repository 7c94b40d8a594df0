import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../src/store/store.ts';
import { openPostgres, openSqlite } from '../contract/storeOpen.ts';
import { reportFigure } from '../figures.ts';
import { runR20 } from './r20.ts';

/** R20 whole: every node has a connection of its own. */
for (const [name, open] of [['SQLite', openSqlite] as const, ['PostgreSQL', openPostgres] as const]) {
  test(`10,000 due instants on ${name}, four nodes, kills and wrong clocks`, { timeout: 900_000 }, async (context) => {
    const { store, database, end } = await open();
    const others: Store[] = [];
    while (others.length < 3) others.push((await database?.again()) as Store);
    context.after(async () => {
      for (const other of others) await other.close();
      await end();
    });
    const asked = { plans: 100, instantsEach: 100, kills: 12, seed: 2_020 };
    const { charged, skipped, kills } = await runR20({ stores: [store, ...others], ...asked });
    context.diagnostic(`${charged} charged, ${skipped} skipped, ${kills} kills`);
    assert.equal(charged + skipped, 10_000);
    assert.ok(charged > 3_000 && kills >= 8, `${charged} charged, ${kills} kills`);
    reportFigure('R20', 'due instants', charged + skipped);
    reportFigure('R20', 'kills', kills);
  });
}
