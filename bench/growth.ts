import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openPostgresStore } from '../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import { temporaryFolder } from '../test/faults/gatewayProcess.ts';
import { payOnce } from './begin.ts';
import { stopOnSignals } from './children.ts';
import type { Samples } from './fill.ts';
import { startGateway } from './gateway.ts';
import { type GrowthSide, measureGrowth, PSP } from './growthQuestions.ts';
import { bytesByTable, checkDisk, fillHistory, historyPayment, MERCHANTS, merchantAt } from './history.ts';
import { foreignLoad } from './machine.ts';
import {
  createDatabase,
  databaseAt,
  dataFolder,
  dropDatabase,
  hasDatabase,
  readPresentQuarter,
  touchedPages,
} from './postgresDatabase.ts';
import { startOwnServer } from './postgresSide.ts';
import { createProgress } from './progress.ts';
import { writeSheets } from './sheets.ts';
import { databaseFile, fanOutIds, fillSqlite, readSamples, withDatabase, writeSearchKeys } from './sqliteFile.ts';

/** The time of payments, queries, searches and the dashboard at several sizes of the database, measured in turns, and its growth. */
const usage = `bench/growth.ts [options]
  --rows <sizes>    payments stored, with commas between them; default 100000,1000000. A million needs some 4 GB on PostgreSQL
  --store <name>    postgres (default) or sqlite
  --url <address>   a PostgreSQL server instead of one of its own. Its databases bench_growth_* stay when the run is
                    interrupted, and the next run goes on filling them
  --count           only counts the pages that each call touches: the same on a busy machine
  --time            only takes times
  --only <text>     only questions with this text in their name
  --keep            leaves the databases on that server at the end too
  --in-place        fills with all indexes in place, as in life: slower, and sizes as in life
  --rounds <n>      default 5
  --commits <n>     payments in each round, default 2000
  --at-once <n>     calls that are under way at the same time, default 4`;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000,1000000' },
    store: { type: 'string', default: 'postgres' },
    url: { type: 'string' },
    count: { type: 'boolean', default: false },
    time: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
    'in-place': { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    commits: { type: 'string', default: '2000' },
    'at-once': { type: 'string', default: '4' },
    help: { type: 'boolean', default: false },
  },
});
const SIZES = values.rows.split(',').map(Number);
const [ROUNDS, COMMITS, AT_ONCE] = [Number(values.rounds), Number(values.commits), Number(values['at-once'])];
const measured = values.count ? 'pages' : values.time ? 'times' : 'both';
const counts = { rounds: ROUNDS, commits: COMMITS, atOnce: AT_ONCE, measured, only: values.only } as const;
const isRight = [...SIZES, ROUNDS, COMMITS, AT_ONCE].every((count) => Number.isSafeInteger(count) && count > 0);
if (values.help || !isRight || !['postgres', 'sqlite'].includes(values.store)) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}
stopOnSignals();
const progress = createProgress();

/** The rows of two payments as the gateway writes them. */
async function readBegun(): Promise<Samples> {
  const dataDir = temporaryFolder();
  const gateway = await startGateway({ dataDir });
  const ids = { DB: (await payOnce(gateway.port, 'DB')).id, PA: (await payOnce(gateway.port, 'PA')).id };
  await gateway.stop();
  return readSamples(databaseFile(dataDir), ids);
}

const allMerchants = Array.from({ length: MERCHANTS }, (_, rank) => merchantAt(rank));
const nameOf = (rows: number): string => `bench_growth_${rows}`;

async function openPostgresSide(server: string, samples: Samples, rows: number): Promise<GrowthSide> {
  const name = nameOf(rows);
  const url = await ((await hasDatabase(server, name)) ? databaseAt(server, name) : createDatabase(server, name));
  const store = await openPostgresStore({ url });
  const began = performance.now();
  const fill = { rows, endMs: Date.now(), samples, isInPlace: values['in-place'] };
  const history = await fillHistory(url, { ...fill, onStep: progress.step, onProgress: progress.at });
  const seconds = (performance.now() - began) / 1_000;
  if ((await store.foldRevision()) === 0) {
    progress.step('making the sheets of the dashboard');
    await writeSheets(store, { rows, now: history.endMs, nodesAbove: () => [PSP] }, progress.at);
  }
  progress.step('reading what payments are written to');
  await readPresentQuarter(url);
  progress.end();
  const bytes = await bytesByTable(url, rows);
  const sum = Object.values(bytes).reduce((total, each) => total + each, 0);
  console.log(`${name}: filled in ${Math.round(seconds)} s; ${sum} bytes for a payment`);
  console.log(`  ${Object.entries(bytes).flat().join(' ')}`);
  const draw = (n: number) => historyPayment(history, n);
  const side = { rows, now: history.endMs, draw, merchantIds: allMerchants, hasSheets: true };
  const pagesIn = async (calls: (own: GrowthSide) => Promise<void>): Promise<number> => {
    const before = await touchedPages(url);
    // Sessions report what they have touched when they end.
    const own = await openPostgresStore({ url });
    await calls({ ...side, store: own, pagesOf: null }).finally(() => own.close());
    return (await touchedPages(url)) - before;
  };
  const opening = await pagesIn(async ({ store: own }) => void (await own.foldRevision()));
  return { ...side, store, pagesOf: async (calls) => (await pagesIn(calls)) - opening };
}

async function onPostgres(): Promise<void> {
  const samples = await readBegun();
  const server = values.url === undefined ? await startOwnServer() : null;
  const url = values.url ?? server?.url() ?? '';
  try {
    const missing = await Promise.all(SIZES.map(async (rows) => ((await hasDatabase(url, nameOf(rows))) ? 0 : rows)));
    checkDisk(
      await dataFolder(url),
      missing.reduce((sum, rows) => sum + rows, 0),
    );
    const sides: GrowthSide[] = [];
    for (const rows of SIZES) sides.push(await openPostgresSide(url, samples, rows));
    await measureGrowth(sides, counts);
    for (const { store } of sides) await store.close();
    if (!values.keep) for (const rows of SIZES) await dropDatabase(url, nameOf(rows));
  } finally {
    await server?.stop();
  }
}

/** Varies ends of card numbers, amounts, addresses, brands and declines as real payments do. Drops the triggers that forbid it first. */
const varied = `
  DROP TRIGGER payment_money_fixed;
  DROP TRIGGER payment_transition;
  UPDATE payment SET
    amount = 99 + (rowid * 31) % 40000,
    state = CASE WHEN rowid % 11 = 0 THEN 'declined' ELSE state END,
    last4 = printf('%04d', (rowid * 7919) % 10000),
    email_hash = 'hash-' || printf('%012d', (rowid * 104729) % (SELECT MAX(rowid) / 3 + 1 FROM payment)),
    brand = CASE WHEN rowid % 5 = 0 THEN 'MASTER' WHEN rowid % 5003 = 0 THEN 'AMEX' ELSE 'VISA' END,
    code = CASE WHEN rowid % 11 = 0 THEN CASE WHEN rowid % 4099 = 0 THEN '800.100.203' ELSE '800.100.151' END ELSE code END`;

function vary(file: string): void {
  withDatabase(file, (db) => {
    // Millions of entries are sorted much faster than they are moved one by one.
    const indexes = db
      .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'payment' AND sql IS NOT NULL")
      .all();
    for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
    db.exec(varied);
    for (const { sql } of indexes) db.exec(String(sql));
  });
  writeSearchKeys(file);
}

/** One merchant: SQLite is for a shop. */
async function openSqliteSide(dataDir: string, samples: Samples, rows: number): Promise<GrowthSide> {
  await (await openSqliteStore({ dataDir })).close();
  const file = databaseFile(dataDir);
  progress.step(`making ${rows.toLocaleString('en')} payments`);
  await fillSqlite(file, { samples, rows, onProgress: progress.at });
  progress.step('making them different');
  vary(file);
  progress.end();
  const ids = fanOutIds(file, 'DB', 1_000);
  const merchantId = String(samples.DB.payment.merchant_id);
  const entityId = String(samples.DB.payment.entity_id);
  const draw: GrowthSide['draw'] = (n) => {
    const id = ids[n % ids.length] ?? '';
    const digits = String(n).padStart(12, '0');
    return {
      merchantId,
      entityId,
      id,
      createdAt: Number.parseInt(id.slice(0, 12), 16),
      reference: `filled-${digits}`,
      shortId: `${digits.slice(0, 4)}.${digits.slice(4, 8)}.${digits.slice(8)}`,
      last4: String(n % 10_000).padStart(4, '0'),
      emailHash: `hash-${String(n % Math.ceil(rows / 3)).padStart(12, '0')}`,
      amount: BigInt(99 + (n % 40_000)),
    };
  };
  const store = await openSqliteStore({ dataDir });
  return { rows, now: Date.now(), store, draw, merchantIds: [merchantId], hasSheets: false, pagesOf: null };
}

async function onSqlite(): Promise<void> {
  const samples = await readBegun();
  const folders = SIZES.map(() => mkdtempSync(join(tmpdir(), 'turnpike-bench-')));
  try {
    const sides: GrowthSide[] = [];
    for (const [at, rows] of SIZES.entries()) sides.push(await openSqliteSide(folders[at] ?? '', samples, rows));
    await measureGrowth(sides, counts);
    for (const { store } of sides) await store.close();
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

console.log(`${values.store}: ${SIZES.join(', ')} payments; foreign load ${await foreignLoad()}`);
await (values.store === 'sqlite' ? onSqlite() : onPostgres());
process.exit(0);
