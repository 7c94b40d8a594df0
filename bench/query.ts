import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exampleCommit, examplePayment } from '../src/payments/examples.ts';
import type { Listing, QueryPageRequest, TimeRange } from '../src/payments/search/listing.ts';
import { openPostgresStore } from '../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../src/store/store.ts';
import { stopOnSignals } from './children.ts';
import type { Samples } from './fill.ts';
import { foreignLoad } from './machine.ts';
import { createDatabase, dropDatabase, fanOutPostgresIds, fillPostgres } from './postgresDatabase.ts';
import { startOwnServer } from './postgresSide.ts';
import { createProgress } from './progress.ts';
import { databaseFile, fanOutIds, fillSqlite, readSamples, withDatabase } from './sqliteFile.ts';

/** How long a page of a query takes among many payments, against a hundred payments that are read by their ids in the same run. */
const usage = 'bench/query.ts [--quick: 20,000 payments instead of 100,000] [--rows n] [--stores sqlite,postgres]';

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, rows: { type: 'string' }, stores: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}
stopOnSignals();
const ROWS = Number(values.rows ?? (values.quick ? 20_000 : 100_000));
const STORES = (values.stores ?? 'sqlite,postgres').split(',');
const TIMES = values.quick ? 20 : 60;
const PAGE = 100;
const DAY_MS = 86_400_000;
const { merchantId, entityId } = examplePayment();
const listing: Listing = { merchantId, entityId, types: null, methods: null, mode: null, shortId: null };
const progress = createProgress();

/** Two payments as the gateway writes them; everything else is copied from them. */
async function sampled(store: Store): Promise<{ readonly DB: string; readonly PA: string }> {
  const made = (['DB', 'PA'] as const).map((paymentType, at) =>
    examplePayment({
      id: `0${at}`.repeat(16),
      paymentType,
      createdAt: Date.now(),
      merchantTransactionId: 'sample',
      fields: customer,
    }),
  );
  for (const payment of made) {
    const message = { id: payment.id, type: 'PAYMENT', action: null, code: '000.100.110' } as const;
    await store.commit(exampleCommit(payment, { event: message }));
  }
  return { DB: '00'.repeat(16), PA: '01'.repeat(16) };
}

const customer = {
  'customer.givenName': 'Ann',
  'customer.surname': 'Example',
  'customer.email': 'ann@example.org',
  'billing.street1': '17 Market Street',
  'billing.city': 'Springfield',
  'billing.country': 'DE',
};

/** Rows copied by hand are counted by hand: in SQLite the writer counts its own. */
const recount = `
  DELETE FROM payment_count;
  INSERT INTO payment_count (merchant_id, span, begins, entity_id, payment_type, method, mode, count)
  SELECT merchant_id, s.span, created_at - created_at % s.span, entity_id, payment_type, method, mode, COUNT(*)
  FROM payment CROSS JOIN (SELECT 3600000 AS span UNION ALL SELECT 86400000) s GROUP BY 1, 2, 3, 4, 5, 6, 7`;

const golden = 0.618033988749895;
const at = (number: number, below: number): number => Math.floor(((number * golden) % 1) * below);

/** The median and the ninety-fifth percentile of the milliseconds that something takes. */
async function timed(work: (number: number) => Promise<unknown>): Promise<{ readonly p50: number; readonly p95: number }> {
  const taken: number[] = [];
  for (let number = 0; number < TIMES; number += 1) {
    const began = performance.now();
    await work(number);
    taken.push(performance.now() - began);
  }
  taken.sort((one, other) => one - other);
  return { p50: taken[Math.floor(TIMES / 2)] ?? 0, p95: taken[Math.floor(TIMES * 0.95)] ?? 0 };
}

type BenchQuery = readonly [what: string, ask: (store: Store, number: number) => Promise<unknown>];

function questions(now: number, pages: number): readonly BenchQuery[] {
  const year: TimeRange = { from: now - 366 * DAY_MS, before: now + DAY_MS };
  const page = (range: TimeRange, pageNo: (number: number) => number, changes: Partial<Listing> = {}) => {
    return (store: Store, number: number) => {
      const asked: QueryPageRequest = { pageNo: pageNo(number), limit: PAGE };
      return store.within({ ...listing, ...changes }, range, asked);
    };
  };
  const day = (number: number): TimeRange => ({
    from: now - (1 + at(number, 360)) * DAY_MS + 777,
    before: now - at(number, 360) * DAY_MS,
  });
  return [
    ['a year, first page', page(year, () => 1)],
    ['a year, any page', page(year, (number) => 1 + at(number, pages))],
    ['a year, last page', page(year, () => pages)],
    ['a year, any page, of the merchant', page(year, (number) => 1 + at(number, pages), { entityId: null })],
    ['a year, any page of one type in ten', page(year, (number) => 1 + at(number, pages / 10), { types: ['PA'] })],
    ['a year of a type that is rare', page(year, () => 1, { types: ['CB'] })],
    ['a day, first page', (store, number) => store.within(listing, day(number), { pageNo: 1, limit: PAGE })],
    ['a day, a short id', (store, number) => store.within({ ...listing, shortId: 'x' }, day(number), { pageNo: 1, limit: PAGE })],
    [
      'a reference',
      (store, number) => store.named(listing, `filled-${String(at(number, ROWS)).padStart(12, '0')}`, { pageNo: 1, limit: PAGE }),
    ],
  ];
}

async function measure(name: string, store: Store, ids: readonly string[]): Promise<void> {
  progress.step(`${name}: reading`);
  const now = Date.now();
  const busy = await foreignLoad();
  const { count } = await store.within(listing, { from: 0, before: now + DAY_MS }, { pageNo: 1, limit: PAGE });
  const one = await timed(async (number) => {
    for (let read = 0; read < PAGE; read += 1) await store.payment(merchantId, ids[(number * PAGE + read) % ids.length] ?? '');
  });
  const results: (readonly [string, typeof one])[] = [['a hundred payments by their ids', one]];
  for (const [what, ask] of questions(now, Math.floor(count / PAGE))) {
    results.push([what, await timed((number) => ask(store, number))]);
  }
  progress.end();
  console.log(`${name}: ${count} payments, pages of ${PAGE}; foreign load ${busy}`);
  for (const [what, { p50, p95 }] of results) {
    const ratio = (p50 / one.p50).toFixed(2);
    console.log(
      `  ${what.padEnd(38)} p50 ${p50.toFixed(2).padStart(8)} ms  p95 ${p95.toFixed(2).padStart(8)} ms  ratio ${ratio}`,
    );
  }
}

type Made = { readonly dataDir: string; readonly samples: Samples };

/** A file with two payments in it, and their rows. */
async function begun(): Promise<Made> {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-bench-'));
  const store = await openSqliteStore({ dataDir });
  const ids = await sampled(store);
  await store.close();
  return { dataDir, samples: readSamples(databaseFile(dataDir), ids) };
}

async function onSqlite({ dataDir, samples }: Made): Promise<void> {
  const file = databaseFile(dataDir);
  progress.step(`sqlite: making ${ROWS} payments`);
  await fillSqlite(file, { samples, rows: ROWS, onProgress: progress.at });
  progress.step('sqlite: counting them');
  withDatabase(file, (db) => db.exec(recount));
  const store = await openSqliteStore({ dataDir });
  await measure('sqlite', store, fanOutIds(file, 'DB', 1_000));
  await store.close();
}

async function onPostgres({ samples }: Made): Promise<void> {
  const server = await startOwnServer();
  const url = await createDatabase(server.url(), 'bench_query');
  try {
    const store = await openPostgresStore({ url });
    progress.step(`postgres: making ${ROWS} payments`);
    await fillPostgres(url, { samples, rows: ROWS, onProgress: progress.at });
    await measure('postgres', store, await fanOutPostgresIds(url, 'DB', 1_000));
    await store.close();
  } finally {
    await dropDatabase(server.url(), 'bench_query');
    await server.stop();
  }
}

const made = await begun();
try {
  if (STORES.includes('sqlite')) await onSqlite(made);
  if (STORES.includes('postgres')) await onPostgres(made);
} finally {
  rmSync(made.dataDir, { recursive: true, force: true });
}
process.exit(0);
