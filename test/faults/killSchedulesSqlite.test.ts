import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyLong } from '../long.ts';
import { OUTAGE_ROUNDS, runSchedules } from './schedules.ts';
import { assertEachOnce, describeAccount } from './schedulesAccount.ts';

const one = { databaseUrl: null, nodes: 1, seed: 13 } as const;
const sizes = [
  { schedules: 50, rounds: 1, waves: 1, skip: false, timeout: 280_000 },
  { schedules: 300, rounds: 5, waves: 4, skip: onlyLong, timeout: 1_800_000 },
] as const;

for (const { skip, timeout, ...size } of sizes) {
  const instants = size.schedules * (size.rounds + OUTAGE_ROUNDS);
  test(`SQLite, ${instants} due instants, the node killed while it charges: each once`, { skip, timeout }, async (t) => {
    const account = await runSchedules({ ...one, ...size });
    t.diagnostic(describeAccount('SQLite', account));
    assertEachOnce(account);
    assert.deepEqual(
      [account.kills, account.instants, account.skipped],
      [size.rounds * size.waves + 1, instants, size.schedules],
    );
    assert.ok(account.approved >= instants / 3, `only ${account.approved} were approved`);
  });
}

test('the control: a schedule that is moved on after its charge, in a commit of its own, is found', {
  timeout: 280_000,
}, async (t) => {
  const account = await runSchedules({ ...one, schedules: 24, rounds: 1, waves: 1, planted: 'charge first' });
  t.diagnostic(describeAccount('charge first', account));
  const twice = account.doubled.filter((says) => says.split(' approved').length > 2);
  assert.ok(twice.length > 0, 'nothing was charged twice: the tests beside this one prove nothing');
  assert.throws(() => assertEachOnce(account));
});
