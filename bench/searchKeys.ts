import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrationsOf } from '../src/store/migrate.ts';
import { createSearchKeys, KEYS_BATCH } from '../src/store/sqlite/write.ts';

/**
 * `node bench/searchKeys.ts [PAYMENTS]`: the cost of SQLite's search keys as rows of the table `search_key`, as they were written before
 * migration 26, and as words of the inverted index `search_word`. Decision 0033 has the figures.
 */
const payments = Number(process.argv[2] ?? 50_000);
const MEASURED = 20_000;
const SAME = { last4: '0000', email: 'a'.repeat(43), amount: 9_200 };
/** As long as a row of a payment is. */
const DATA = 'x'.repeat(1_200);

type Kind = 'table' | 'inverted index';
type Values = 'equal' | 'different';

const migration = (number: number): string => migrationsOf('sqlite').find((one) => one.number === number)?.text ?? '';
const kinds = ['amount', 'email', 'last4', 'shortId'] as const;
const columns = { amount: 'amount', email: 'email_hash', last4: 'last4', shortId: 'short_id' } as const;
const insertKeys = `INSERT OR IGNORE INTO search_key (merchant_id, kind, value, created_at, id) ${kinds
  .map(
    (kind) => `SELECT merchant_id, '${kind}', ${columns[kind]}, created_at, id FROM payment
      WHERE rowid > ?1 AND rowid <= ?2 AND ${columns[kind]} IS NOT NULL`,
  )
  .join(' UNION ALL ')}`;

/** The columns of the payments that have keys, and the rest of a row. */
const PAYMENT = `CREATE TABLE payment (merchant_id TEXT, last4 TEXT, email_hash TEXT, amount INTEGER, short_id TEXT, created_at INTEGER,
  id TEXT, data TEXT)`;

const setup: Readonly<Record<Kind, string>> = {
  table: `CREATE TABLE search_key (merchant_id TEXT NOT NULL, kind TEXT NOT NULL, value ANY NOT NULL, created_at INTEGER NOT NULL,
    id TEXT NOT NULL, PRIMARY KEY (merchant_id, kind, value, created_at, id)) STRICT, WITHOUT ROWID`,
  'inverted index': migration(26),
};

const digits = (count: number): string =>
  String(Number.parseInt(randomBytes(6).toString('hex'), 16))
    .padStart(15, '0')
    .slice(-count);

function row(at: number, values: Values): readonly (string | number)[] {
  const { last4, email, amount } =
    values === 'equal'
      ? SAME
      : { last4: digits(4), email: randomBytes(32).toString('base64url'), amount: 100 + (Number(digits(5)) % 20_000) };
  const createdAt = 1_800_000_000_000 + at * 3;
  const id = createdAt.toString(16).padStart(12, '0') + randomBytes(10).toString('hex');
  const shortId = `${digits(4)}.${digits(4)}.${digits(4)}`;
  return ['5eed0000000000000000000000000001', last4, email, amount, shortId, createdAt, id, DATA];
}

type Measured = {
  readonly microseconds: number;
  readonly longestMs: number;
  readonly longestEverMs: number;
  readonly logBytes: number;
  readonly fileBytes: number;
};

/** Writes one batch, all of whose payments are there. */
function portionWriter(db: DatabaseSync, kind: Kind): (end: number) => void {
  if (kind === 'inverted index') {
    const keys = createSearchKeys(db);
    return () => keys.writeBatch();
  }
  const insert = db.prepare(insertKeys);
  return (end) => void insert.run(end - KEYS_BATCH, end);
}

function measure(kind: Kind, values: Values): Measured {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-search-keys-'));
  const db = new DatabaseSync(join(folder, 'keys'));
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -32768;
    PRAGMA temp_store = MEMORY; ${PAYMENT}; ${setup[kind]}`);
  const fill = db.prepare('INSERT INTO payment VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const write = portionWriter(db, kind);
  const pagesInLog = (): number => Number(db.prepare('PRAGMA wal_checkpoint(NOOP)').get()?.log);
  let at = 0;
  const portion = () => {
    db.exec('BEGIN');
    for (const end = at + KEYS_BATCH; at < end; at += 1) fill.run(...row(at, values));
    db.exec('COMMIT');
    const pages = pagesInLog();
    const began = performance.now();
    db.exec('BEGIN IMMEDIATE');
    write(at);
    db.exec('COMMIT');
    return { ms: performance.now() - began, pages: pagesInLog() - pages };
  };
  let longestEverMs = 0;
  const portions: ReturnType<typeof portion>[] = [];
  while (at < payments + MEASURED) {
    const isMeasured = at >= payments;
    const one = portion();
    longestEverMs = Math.max(longestEverMs, one.ms);
    if (isMeasured) portions.push(one);
    if (at % 10_000 === 0) db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }
  const stored = db.prepare("SELECT SUM(pgsize) AS bytes FROM dbstat WHERE name GLOB 'search_*' OR name GLOB '*_search_*'").get();
  db.close();
  rmSync(folder, { recursive: true });
  return {
    microseconds: (portions.reduce((sum, { ms }) => sum + ms, 0) * 1_000) / MEASURED,
    longestMs: Math.max(...portions.map(({ ms }) => ms)),
    longestEverMs,
    logBytes: (portions.reduce((sum, { pages }) => sum + pages, 0) * 4_120) / MEASURED,
    fileBytes: Number(stored?.bytes) / (payments + MEASURED),
  };
}

console.log(`${payments.toLocaleString('en')} payments stored, portions of ${KEYS_BATCH}; for a payment:`);
for (const values of ['equal', 'different'] as const) {
  for (const kind of ['table', 'inverted index'] as const) {
    const { microseconds, longestMs, longestEverMs, logBytes, fileBytes } = measure(kind, values);
    const figures = [
      `${microseconds.toFixed(1)} µs`,
      `longest portion ${longestMs.toFixed(1)} ms (${longestEverMs.toFixed(1)} ms ever)`,
      `log ${logBytes.toFixed(0)} bytes`,
    ];
    console.log(`${values} values, ${kind}: ${figures.join(', ')}, file ${fileBytes.toFixed(0)} bytes`);
  }
}
