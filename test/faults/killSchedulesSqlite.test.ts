import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLong } from './killRun.ts';
import { runSchedules } from './schedules.ts';
import { assertEachOnce, describeAccount } from './schedulesAccount.ts';

const timeout = isLong ? 1_800_000 : 280_000;
const one = { databaseUrl: null, nodes: 1, seed: 13 } as const;

test('SQLite, the node killed while schedules charge: every instant once', { timeout }, async (t) => {
  const size = isLong ? { schedules: 400, rounds: 10, waves: 4 } : { schedules: 100, rounds: 1, waves: 2 };
  const account = await runSchedules({ ...one, ...size });
  t.diagnostic(describeAccount('SQLite', account));
  assertEachOnce(account);
  assert.ok(
    account.kills === size.rounds * size.waves && account.approved >= account.instants / 2,
    `${account.approved} approved, ${account.kills} kills`,
  );
});

test('the control: a schedule that is moved on after its charge, in a commit of its own, is found', { timeout }, async (t) => {
  const account = await runSchedules({ ...one, schedules: 40, rounds: 1, waves: 1, planted: 'charge first' });
  t.diagnostic(describeAccount('charge first', account));
  const twice = account.doubled.filter((says) => says.split(' approved').length > 2);
  assert.ok(twice.length > 0, 'nothing was charged twice: the tests beside this one prove nothing');
  assert.throws(() => assertEachOnce(account));
});
