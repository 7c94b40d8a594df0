import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyLong } from '../long.ts';
import { testDatabase } from '../postgres.ts';
import { OUTAGE_ROUNDS, runSchedules } from './schedules.ts';
import { assertEachOnce, describeAccount } from './schedulesAccount.ts';

const sizes = [
  { schedules: 60, rounds: 1, waves: 1, skip: false, timeout: 280_000 },
  { schedules: 400, rounds: 5, waves: 4, skip: onlyLong, timeout: 1_800_000 },
] as const;

for (const { skip, timeout, ...size } of sizes) {
  const instants = size.schedules * (size.rounds + OUTAGE_ROUNDS);
  test(`PostgreSQL, two nodes, ${instants} due instants, one node killed at a time: each once`, { skip, timeout }, async (t) => {
    const database = await testDatabase();
    try {
      const account = await runSchedules({ databaseUrl: database.url, nodes: 2, ...size, seed: 12 });
      t.diagnostic(describeAccount('PostgreSQL', account));
      assertEachOnce(account);
      assert.deepEqual(
        [account.kills, account.instants, account.skipped],
        [size.rounds * size.waves + 1, instants, size.schedules],
      );
      assert.ok(account.approved >= instants / 3, `only ${account.approved} were approved`);
    } finally {
      await database.drop();
    }
  });
}
