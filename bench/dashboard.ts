import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import postgres from 'postgres';
import { exampleCommit, examplePayment } from '../src/payments/examples.ts';
import type { Payment, Phase } from '../src/payments/payment.ts';
import { foldOnce } from '../src/reports/statistics/fold.ts';
import { paymentLine, readLine } from '../src/reports/statistics/line.ts';
import type { Sheet } from '../src/reports/statistics/ports.ts';
import { add, keyText, type Sums, spans, writeSums } from '../src/reports/statistics/sheet.ts';
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
const QUARTER_MS = 900_000;
const YEAR_MS = 365 * DAY_MS;
const progress = createProgress();
const { merchantId } = examplePayment();
const NODES = { psp: 'psp', channels: ['shop', 'app', 'phone', 'engine'] } as const;

const final = (code: string): Phase => ({ at: 'final', code }) as Phase;

/** The payments that come again and again: what they are, and how many of a hundred are so. */
function kinds(): readonly { readonly line: string; readonly weight: number }[] {
  const codes = ['000.100.110', '800.100.151', '800.100.153', '800.100.155', '800.100.162', '800.120.101', '100.396.103'];
  const made: { line: string; weight: number }[] = [];
  for (const [at, currency] of ['EUR', 'USD', 'GBP'].entries()) {
    for (const [place, paymentBrand] of ['VISA', 'MASTER', 'AMEX', 'PAYPAL'].entries()) {
      for (const [rank, code] of codes.entries()) {
        for (const paymentType of ['DB', 'PA'] as const) {
          for (const ms of [3, 40, 180, 900]) {
            const changes: Partial<Payment> = {
              currency,
              paymentBrand,
              paymentType,
              phase: final(code),
              createdAt: 0,
              movedAt: ms,
            };
            const line = paymentLine(examplePayment(changes)) ?? '';
            made.push({ line, weight: (rank === 0 ? 12 : 1) * (3 - at) * (5 - place) * (ms === 40 ? 4 : 1) });
          }
        }
      }
    }
  }
  return made;
}

const golden = 0.618033988749895;

/** How many payments of each kind each channel had in each quarter of an hour of the year. */
function* quarters(
  now: number,
): Generator<{ readonly begins: number; readonly node: string; readonly counts: Map<string, number> }> {
  const all = kinds();
  const total = all.reduce((sum, { weight }) => sum + weight, 0);
  const ladder = all.flatMap(({ line, weight }) => Array.from({ length: weight }, () => line));
  const first = now - (now % DAY_MS) - YEAR_MS;
  const perQuarter = ROWS / (YEAR_MS / QUARTER_MS) / NODES.channels.length;
  let drawn = 0;
  let owed = 0;
  for (let begins = first; begins < first + YEAR_MS; begins += QUARTER_MS) {
    for (const node of NODES.channels) {
      const counts = new Map<string, number>();
      for (owed += perQuarter; owed >= 1; owed -= 1) {
        const line = ladder[Math.floor(((drawn * golden) % 1) * total)] ?? '';
        counts.set(line, (counts.get(line) ?? 0) + 1);
        drawn += 1;
      }
      yield { begins, node, counts };
    }
  }
}

/** The sheets of every node, as the fold would have written them. */
function* sheetsOf(now: number): Generator<Sheet> {
  const open = new Map<string, Sheet & { readonly sums: Sums }>();
  let day = 0;
  const flush = function* (): Generator<Sheet> {
    for (const { sums, ...sheet } of open.values()) yield { ...sheet, body: writeSums(sums) };
    open.clear();
  };
  for (const { begins, node, counts } of quarters(now)) {
    if (begins - (begins % DAY_MS) !== day) {
      yield* flush();
      day = begins - (begins % DAY_MS);
    }
    for (const nodeId of [node, merchantId, NODES.psp]) {
      for (const span of spans) {
        const key = { nodeId, span, begins: begins - (begins % span) };
        const sheet = open.get(keyText(key)) ?? { ...key, body: '', sums: new Map() };
        open.set(keyText(key), sheet);
        for (const [line, count] of counts) {
          for (const [name, amount] of readLine(line).keys) {
            add(sheet.sums, name, { count, amount: amount === null ? null : amount * BigInt(count) });
          }
        }
      }
    }
  }
  yield* flush();
}

/** Uses the store method of the fold itself. */
async function writeSheets(store: Store, now: number): Promise<number> {
  const nothing = { counted: [], ended: [], done: [] };
  let [count, portion] = [0, [] as Sheet[]];
  const flush = async () => {
    const revision = await store.foldRevision();
    if (!(await store.fold({ ...nothing, revision, sheets: portion }))) throw new Error('another fold is running');
    count += portion.length;
    portion = [];
    progress.at(count / (6 * 365 * 121));
  };
  for (const sheet of sheetsOf(now)) if (portion.push(sheet) === 2_000) await flush();
  await flush();
  return count;
}

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

/** What the fold itself costs. */
async function folding({ store, raw }: Side): Promise<void> {
  const needs = { store, pathOf: (id: string) => [id, merchantId, NODES.psp], refresh: async () => {} };
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
      const asked = { entityId: NODES.psp, timeZone, now, from: whole.before - days * DAY_MS, before: whole.before };
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
  await writeSheets(store, now);
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
    await writeSheets(store, now);
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
