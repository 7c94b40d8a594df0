import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timers } from '../app/system.ts';
import { StoreOutOfOrder, UnknownOutcome } from '../payments/storeErrors.ts';
import { reportRefusals } from '../store/bounded.ts';
import { describeStoreError } from '../store/errors.ts';
import { createMemoryStore } from '../store/memory/memoryStore.ts';
import { createReadiness } from './readiness.ts';

const job = { name: 'follow directory changes', everyMs: 10_000, isVital: true, ageMs: 0, silentMs: 0 };

function setUp(tryWrite: (isThorough: boolean) => Promise<void>, jobs = () => [job]) {
  const tried: boolean[] = [];
  let nowMs = 0;
  const recorded = (isThorough: boolean) => {
    tried.push(isThorough);
    return tryWrite(isThorough);
  };
  const impatient = { within: <T>(ms: number, promise: Promise<T>) => timers.within(Math.min(ms, 20), promise) };
  const health = createReadiness({
    tryWrite: recorded,
    describeProblem: describeStoreError,
    jobs,
    timers: impatient,
    now: () => nowMs,
  });
  return {
    health,
    tried,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('at most one trial a second is made, and the first one is thorough', async () => {
  const { health, tried, pass } = setUp(async () => {});
  for (let times = 0; times < 50; times += 1) assert.deepEqual(await health.problems(), []);
  assert.deepEqual(tried, [true]);
  pass(999);
  await health.problems();
  assert.deepEqual(tried, [true]);
  pass(1);
  await health.problems();
  assert.deepEqual(tried, [true, false]);
});

test('a refused commit causes thorough trials at once, until one succeeds', async () => {
  const memory = createMemoryStore();
  let isFull = false;
  const { health, tried, pass } = setUp(async (isThorough) => {
    // A small write may still fit on a disk that is too full for payments.
    if (isFull && isThorough) throw new StoreOutOfOrder('database or disk is full', 'SQLITE_FULL');
  });
  const commit = async () => {
    throw new StoreOutOfOrder('database or disk is full', 'SQLITE_FULL');
  };
  const store = reportRefusals({ ...memory, commit }, health.writeRefused);
  assert.deepEqual(await health.problems(), []);
  isFull = true;
  await assert.rejects(store.commit({} as never), StoreOutOfOrder);
  const full = ['the database cannot be written: its disk is full'];
  assert.deepEqual(await health.problems(), full);
  pass(1_000);
  assert.deepEqual(await health.problems(), full);
  assert.deepEqual(tried, [true, true, true]);
  isFull = false;
  pass(1_000);
  assert.deepEqual(await health.problems(), []);
  pass(1_000);
  assert.deepEqual(await health.problems(), []);
  assert.deepEqual(tried, [true, true, true, true, false]);
});

test('a database that does not answer is asked once, and waited for up to two seconds', async () => {
  const { health, tried, pass } = setUp(() => new Promise(() => {}));
  for (let times = 0; times < 3; times += 1) {
    assert.deepEqual(await health.problems(), ['the database did not answer within 2 s']);
    pass(1_000);
  }
  assert.equal(tried.length, 1);
});

const overdue: [does: string, record: Partial<typeof job>, problems: readonly string[]][] = [
  ['ends in time', { silentMs: 100_000 }, []],
  ['has not ended for ten periods', { silentMs: 100_001 }, ['the job "follow directory changes" has not ended for 100 s']],
  ['fails again and again', { ageMs: 9_000_000, silentMs: 5_000 }, []],
  ['is quick and gets a minute', { everyMs: 250, silentMs: 60_000 }, []],
  ['hangs but is not vital', { isVital: false, silentMs: 9_000_000 }, []],
];
for (const [does, record, problems] of overdue) {
  test(`a job that ${does}: ${problems.length === 0 ? 'ready' : 'not ready'}`, async () => {
    const { health } = setUp(
      async () => {},
      () => [{ ...job, ...record }],
    );
    assert.deepEqual(await health.problems(), problems);
  });
}

const FULL = 'the database cannot be written: its disk is full';
const READ_ONLY = 'the database can be read only: it is a standby, or was set so';
const DAMAGED = 'the database is damaged';
const SLOW = 'the database does not answer in time';
const words: [error: unknown, problem: string][] = [
  [new StoreOutOfOrder('PostgreSQL: 53100 could not extend file "base/1/2"', '53100'), FULL],
  [Object.assign(new Error('disk I/O error'), { errcode: 4_874 }), FULL],
  [new StoreOutOfOrder('PostgreSQL: 25006 cannot execute INSERT in a read-only transaction', '25006'), READ_ONLY],
  [Object.assign(new Error('attempt to write a readonly database'), { errcode: 1_032 }), READ_ONLY],
  [Object.assign(new Error('file is not a database'), { errcode: 26 }), DAMAGED],
  [new UnknownOutcome('the database did not answer within 30 s (commit)', 'LATE'), SLOW],
  [new StoreOutOfOrder('PostgreSQL: 57014 canceling statement due to statement timeout', '57014'), SLOW],
  [new Error('the words of a message do not count: disk full, read-only'), 'the database is out of order'],
  [new Error('postgres://user:secret@host is away'), 'the database is out of order'],
];
for (const [error, problem] of words) {
  test(`${String(error)} is reported as: ${problem}`, async () => {
    const { health } = setUp(() => Promise.reject(error));
    assert.deepEqual(await health.problems(), [problem]);
  });
}
