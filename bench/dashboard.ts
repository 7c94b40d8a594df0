import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import postgres from 'postgres';
import { exampleCommit, examplePayment } from '../src/payments/examples.ts';
import { foldOnce } from '../src/reports/statistics/fold.ts';
import { statisticsOf } from '../src/reports/statistics/statistics.ts';
import { openPostgresStore } from '../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../src/store/store.ts';
import { stopOnSignals } from './children.ts';
import type { Samples } from './fill.ts';
import { foreignLoad } from './machine.ts';
import { createDatabase, dropDatabase, fillPostgres } from './postgresDatabase.ts';
import { startOwnServer } from './postgresSide.ts';
import { createProgress } from './progress.ts';
import { kinds, writeSheets } from './sheets.ts';
import { databaseFile, fillSqlite, readSamples, withDatabase } from './sqliteFile.ts';

/** How long the dashboard waits for its figures among the payments of a year, against a plain GROUP BY over them in the same run. */
const usage = 'bench/dashboard.ts [--quick: 200,000 payments instead of 5,000,000] [--rows n] [--stores sqlite,postgres]';

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, rows: { type: 'string' }, stores: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}
stopOnSignals();
const ROWS = Number(values.rows ?? (values.quick ? 200_000 : 5_000_000));
const STORES = (values.stores ?? 'sqlite,postgres').split(',');
const FOLDED = 20_000;
const TIMES = 25;
const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const progress = createProgress();
const { merchantId } = examplePayment();
const PSP = 'psp';
const nodesAbove = (channel: string) => [channel, merchantId, PSP];

async function timed(times: number, work: () => unknown): Promise<{ readonly p50: number; readonly p95: number }> {
  const taken: number[] = [];
  for (let number = 0; number < times; number += 1) {
    const began = performance.now();
    await work();
    taken.push(performance.now() - began);
  }
  taken.sort((one, other) => one - other);
  return { p50: taken[Math.floor(times / 2)] ?? 0, p95: taken[Math.floor(times * 0.95)] ?? 0 };
}

/** Less than the dashboard shows: no reasons, no 3D Secure, no latency, for which every payment would have to be opened. */
const plain = (from: number, before: number): string => `
  SELECT created_at / ${7 * DAY_MS} AS week, state, currency, payment_type, COUNT(*), SUM(amount) FROM payment
  WHERE merchant_id = '${merchantId}' AND created_at >= ${from} AND created_at < ${before} GROUP BY 1, 2, 3, 4`;

/** A database to measure: its store, and raw statements that the program itself never sends. */
type Side = { readonly name: string; readonly store: Store; readonly raw: (statement: string) => Promise<unknown> };

const PORTION = 1_000;

/** The cost of the fold itself. */
async function folding({ store, raw }: Side): Promise<void> {
  const needs = { store, pathOf: nodesAbove, refresh: async () => {} };
  const [{ line } = { line: '' }] = kinds();
  await raw(`
    INSERT INTO statistic_change (n, merchant_id, subject_id, revision, line)
    SELECT n, 'm', 'p' || n, 1, replace('${line}', 'p|0|', 'p|' || (${Date.now()} - n * 50) || '|')
    FROM (WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < ${FOLDED}) SELECT n FROM up) AS numbers`);
  const began = performance.now();
  let count = 0;
  for (let done = -1; done !== 0; count += Math.max(0, done)) done = await foldOnce(needs, PORTION);
  const each = ((performance.now() - began) * 1_000) / count;
  console.log(`  folding ${each.toFixed(1)} µs a payment, in portions of ${PORTION}`);
}

async function measure(side: Side, now: number): Promise<void> {
  const { name, store, raw } = side;
  const busy = await foreignLoad();
  const whole = { from: now - (now % DAY_MS) - YEAR_MS, before: now - (now % DAY_MS) };
  const statement = plain(whole.from, whole.before);
  await raw(statement);
  const { p50: plainMs } = await timed(1, () => raw(statement));
  console.log(`${name}: ${ROWS} payments of a year; foreign load ${busy}`);
  console.log(`  a plain GROUP BY over the year: ${plainMs.toFixed(0)} ms`);
  for (const [what, days] of [
    ['a day', 1],
    ['7 days', 7],
    ['30 days', 30],
    ['90 days', 90],
    ['12 months', 365],
  ] as const) {
    for (const timeZone of ['UTC', 'Europe/Vienna', 'Asia/Kathmandu']) {
      const asked = { entityId: PSP, timeZone, now, from: whole.before - days * DAY_MS, before: whole.before };
      const { p50, p95 } = await timed(TIMES, () => statisticsOf(store, asked));
      const [middle, high] = [p50, p95].map((ms) => `${ms.toFixed(1).padStart(7)} ms`);
      const ratio = (plainMs / p50).toFixed(1);
      console.log(`  ${`${what}, ${timeZone}`.padEnd(28)} p50 ${middle}  p95 ${high}  GROUP BY takes ${ratio} times as long`);
    }
  }
  await folding(side);
}

type Made = { readonly dataDir: string; readonly samples: Samples };

/** A file with two payments in it, and their rows. */
async function begun(now: number): Promise<Made> {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-bench-'));
  const store = await openSqliteStore({ dataDir });
  const ids = { DB: '00'.repeat(16), PA: '01'.repeat(16) } as const;
  for (const [paymentType, id] of Object.entries(ids) as ['DB' | 'PA', string][]) {
    const payment = examplePayment({ id, familyId: id, paymentType, createdAt: now, merchantTransactionId: 'sample' });
    const message = { id, type: 'PAYMENT', action: null, code: '000.100.110' } as const;
    await store.commit(exampleCommit(payment, { event: message }));
  }
  await store.close();
  return { dataDir, samples: readSamples(databaseFile(dataDir), ids) };
}

async function onSqlite({ dataDir, samples }: Made, now: number): Promise<void> {
  const file = databaseFile(dataDir);
  progress.step(`sqlite: making ${ROWS} payments`);
  await fillSqlite(file, { samples, rows: ROWS, onProgress: progress.at });
  const store = await openSqliteStore({ dataDir });
  progress.step('sqlite: making their sheets');
  await writeSheets(store, { rows: ROWS, now, nodesAbove }, progress.at);
  progress.end();
  await measure({ name: 'sqlite', store, raw: async (text) => withDatabase(file, (db) => db.prepare(text).all()) }, now);
  await store.close();
}

async function onPostgres({ samples }: Made, now: number): Promise<void> {
  const server = await startOwnServer();
  const url = await createDatabase(server.url(), 'bench_dashboard');
  const hand = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  try {
    const store = await openPostgresStore({ url });
    progress.step(`postgres: making ${ROWS} payments`);
    await fillPostgres(url, { samples, rows: ROWS, onProgress: progress.at });
    progress.step('postgres: making their sheets');
    await writeSheets(store, { rows: ROWS, now, nodesAbove }, progress.at);
    progress.end();
    await measure({ name: 'postgres', store, raw: (text) => hand.unsafe(text) }, now);
    await store.close();
  } finally {
    await hand.end();
    await dropDatabase(server.url(), 'bench_dashboard');
    await server.stop();
  }
}

const now = Date.now();
const made = await begun(now);
try {
  if (STORES.includes('sqlite')) await onSqlite(made, now);
  if (STORES.includes('postgres')) await onPostgres(made, now);
} finally {
  rmSync(made.dataDir, { recursive: true, force: true });
}
process.exit(0);
