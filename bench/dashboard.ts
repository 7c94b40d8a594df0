import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { examplePayment } from '../src/payments/examples.ts';
import type { Payment, Phase } from '../src/payments/payment.ts';
import { foldOnce } from '../src/reports/statistics/fold.ts';
import { paymentLine, readLine } from '../src/reports/statistics/line.ts';
import type { Sheet } from '../src/reports/statistics/needs.ts';
import { add, keyText, type Sums, spans, writeSums } from '../src/reports/statistics/sheet.ts';
import { statisticsOf } from '../src/reports/statistics/statistics.ts';
import { openSqliteStore } from '../src/store/sqlite.ts';
import type { Store } from '../src/store/store.ts';
import { stopOnSignals } from './children.ts';
import { foreignLoad } from './machine.ts';
import { createProgress } from './progress.ts';
import { databaseFile, fillSqlite, readSamples, withDatabase } from './sqliteFile.ts';

/** How long the dashboard waits for its figures among the payments of a year, against a plain GROUP BY over them in the same run. */
const usage = 'bench/dashboard.ts [--quick: 200,000 payments instead of 5,000,000] [--rows n]';

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, rows: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help) {
  console.log(usage);
  process.exit(0);
}
stopOnSignals();
const ROWS = Number(values.rows ?? (values.quick ? 200_000 : 5_000_000));
const FOLDED = 20_000;
const TIMES = 25;
const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
const YEAR_MS = 365 * DAY_MS;
const progress = createProgress();
const { merchantId } = examplePayment();
const NODES = { psp: 'psp', channels: ['shop', 'app', 'phone', 'desk'] } as const;

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

function writeSheets(file: string, now: number): number {
  return withDatabase(file, (db) => {
    db.exec('PRAGMA synchronous = OFF; BEGIN');
    const insert = db.prepare('INSERT INTO statistic_sheet (node_id, span, begins, body) VALUES (?, ?, ?, ?)');
    let count = 0;
    for (const { nodeId, span, begins, body } of sheetsOf(now)) {
      insert.run(nodeId, span, begins, body);
      count += 1;
      if (count % 20_000 === 0) progress.at(count / (6 * 365 * 121));
    }
    db.exec('COMMIT');
    return count;
  });
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

/** Less than the dashboard tells: no reasons, no 3D Secure, no latency, for which every payment would have to be opened. */
const plain = `
  SELECT created_at / ${7 * DAY_MS} AS week, state, currency, payment_type, COUNT(*), SUM(amount) FROM payment
  WHERE merchant_id = ?1 AND created_at >= ?2 AND created_at < ?3 GROUP BY 1, 2, 3, 4`;

/** What the fold itself costs: lines of commits, and payments of the past, which it has to read. */
async function folding(file: string, store: Store): Promise<void> {
  const needs = { store, pathOf: (id: string) => [id, merchantId, NODES.psp], refresh: async () => {} };
  const [{ line } = { line: '' }] = kinds();
  const queue = (sql: string) => withDatabase(file, (db) => db.exec(sql));
  queue(`
    INSERT INTO statistic_change (n, merchant_id, subject_id, revision, line)
    SELECT n, 'm', 'p' || n, 1, replace('${line}', 'p|0|', 'p|' || (${Date.now()} - n * 50) || '|')
    FROM (WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < ${FOLDED}) SELECT n FROM up);
    INSERT INTO statistic_change (n, merchant_id, subject_id, revision)
    SELECT -ROW_NUMBER() OVER (), merchant_id, id, revision FROM payment LIMIT ${FOLDED}`);
  for (const [which, portion] of [
    ['fresh', 1_000],
    ['past', 200],
  ] as const) {
    const began = performance.now();
    let count = 0;
    for (let done = -1; done !== 0; count += done) done = await foldOnce(needs, which, portion);
    const each = ((performance.now() - began) * 1_000) / count;
    console.log(`  folding, ${which.padEnd(6)} ${each.toFixed(1)} µs a payment, in portions of ${portion}`);
  }
}

async function measure(file: string, store: Store, now: number): Promise<void> {
  const busy = await foreignLoad();
  const whole = { from: now - (now % DAY_MS) - YEAR_MS, before: now - (now % DAY_MS) };
  const plainMs = withDatabase(file, (db) => {
    const statement = db.prepare(plain);
    statement.all(merchantId, whole.from, whole.before);
    const began = performance.now();
    statement.all(merchantId, whole.from, whole.before);
    return performance.now() - began;
  });
  console.log(`sqlite: ${ROWS} payments of a year; foreign load ${busy}`);
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
      const ratio = (plainMs / p50).toFixed(1);
      const name = `${what}, ${timeZone}`.padEnd(28);
      console.log(
        `  ${name} p50 ${p50.toFixed(1).padStart(7)} ms  p95 ${p95.toFixed(1).padStart(7)} ms  GROUP BY takes ${ratio} times as long`,
      );
    }
  }
}

const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-bench-'));
try {
  const now = Date.now();
  const first = await openSqliteStore({ dataDir });
  const ids = ['00', '01'].map((pair) => pair.repeat(16)) as [string, string];
  for (const [at, id] of ids.entries()) {
    const payment = examplePayment({
      id,
      familyId: id,
      paymentType: at === 0 ? 'DB' : 'PA',
      createdAt: now,
      merchantTransactionId: 'sample',
    });
    const message = { id, type: 'PAYMENT', action: null, code: '000.100.110' } as const;
    await first.commit({ payment, version: 0, sealed: null, claim: null, message, registration: null, spend: null });
  }
  await first.close();
  const file = databaseFile(dataDir);
  progress.step(`making ${ROWS} payments`);
  await fillSqlite(file, { samples: readSamples(file, { DB: ids[0], PA: ids[1] }), rows: ROWS, onProgress: progress.at });
  progress.step('making their sheets');
  const sheets = writeSheets(file, now);
  progress.end();
  const store = await openSqliteStore({ dataDir });
  console.log(`${sheets} sheets`);
  await measure(file, store, now);
  await folding(file, store);
  await store.close();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);
