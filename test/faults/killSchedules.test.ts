import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../postgres.ts';
import { isLong } from './killRun.ts';
import { runSchedules } from './schedules.ts';
import { assertEachOnce, describeAccount } from './schedulesAccount.ts';

const timeout = isLong ? 1_800_000 : 280_000;

test('PostgreSQL, two nodes, one killed while schedules charge: every instant once', { timeout }, async (t) => {
  const database = await testDatabase();
  try {
    const size = isLong ? { schedules: 600, rounds: 10, waves: 4 } : { schedules: 150, rounds: 2, waves: 2 };
    const account = await runSchedules({ databaseUrl: database.url, nodes: 2, ...size, seed: 12 });
    t.diagnostic(describeAccount('PostgreSQL', account));
    assertEachOnce(account);
    assert.ok(
      account.kills === size.rounds * size.waves && account.approved >= account.instants / 2,
      `${account.approved} approved, ${account.kills} kills`,
    );
  } finally {
    await database.drop();
  }
});
