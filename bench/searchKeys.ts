import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { KEYS_PORTION, searchKeyStatements } from '../src/store/sqlite/searchKeys.ts';

/**
 * `node bench/searchKeys.ts [PAYMENTS]`: what the search keys of SQLite cost as rows of the table `search_key`, and as words of an
 * inverted index, which writes each portion as one sorted piece and merges pieces later. Decision 0033 has the figures.
 */
const payments = Number(process.argv[2] ?? 50_000);
const MEASURED = 10_000;
const SAME = { last4: '0000', email: 'a'.repeat(43), amount: 9_200 };

type Kind = 'table' | 'inverted index';
type Values = 'equal' | 'different';

const setup: Readonly<Record<Kind, string>> = {
  table: `CREATE TABLE search_key (merchant_id TEXT NOT NULL, kind TEXT NOT NULL, value ANY NOT NULL, created_at INTEGER NOT NULL,
    id TEXT NOT NULL, PRIMARY KEY (merchant_id, kind, value, created_at, id)) STRICT, WITHOUT ROWID`,
  'inverted index': `CREATE VIRTUAL TABLE word USING fts5 (words, content = '', contentless_delete = 1, detail = none);
    INSERT INTO word (word, rank) VALUES ('automerge', 8)`,
};

const insert: Readonly<Record<Kind, string>> = {
  table: searchKeyStatements.insert,
  'inverted index': `INSERT INTO word (rowid, words) SELECT rowid, merchant_id || 'l' || last4 || ' ' || merchant_id || 'e' || hex(email_hash)
    || ' ' || merchant_id || 'a' || amount || ' ' || merchant_id || 's' || short_id FROM payment WHERE rowid > ?1 AND rowid <= ?2`,
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
  const id = at.toString(16).padStart(12, '0') + randomBytes(10).toString('hex');
  return ['5eed0000000000000000000000000001', last4, email, amount, digits(12), at, id];
}

type Measured = {
  readonly microseconds: number;
  readonly longestMs: number;
  readonly logBytes: number;
  readonly fileBytes: number;
};

function measure(kind: Kind, values: Values): Measured {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-search-keys-'));
  const path = join(folder, 'keys');
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -32768; ATTACH ':memory:' AS rows;
    CREATE TABLE rows.payment (merchant_id TEXT, last4 TEXT, email_hash TEXT, amount INTEGER, short_id TEXT, created_at INTEGER, id TEXT)`);
  db.exec(setup[kind]);
  const fill = db.prepare('INSERT INTO payment VALUES (?, ?, ?, ?, ?, ?, ?)');
  const write = db.prepare(insert[kind]);
  let at = 0;
  const portion = (): number => {
    db.exec('BEGIN');
    for (const end = at + KEYS_PORTION; at < end; at += 1) fill.run(...row(at, values));
    db.exec('COMMIT');
    const began = performance.now();
    db.exec('BEGIN IMMEDIATE');
    write.run(at - KEYS_PORTION, at);
    db.exec('COMMIT');
    return performance.now() - began;
  };
  while (at < payments) {
    portion();
    if (at % MEASURED === 0) db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const portions = Array.from({ length: MEASURED / KEYS_PORTION }, portion);
  const logBytes = statSync(`${path}-wal`).size / MEASURED;
  const fileBytes = statSync(path).size / payments;
  db.close();
  rmSync(folder, { recursive: true });
  const all = portions.reduce((sum, ms) => sum + ms, 0);
  return { microseconds: (all * 1_000) / MEASURED, longestMs: Math.max(...portions), logBytes, fileBytes };
}

console.log(`${payments.toLocaleString('en')} payments stored, portions of ${KEYS_PORTION}; for a payment:`);
for (const values of ['equal', 'different'] as const) {
  for (const kind of ['table', 'inverted index'] as const) {
    const { microseconds, longestMs, logBytes, fileBytes } = measure(kind, values);
    const figures = [
      `${microseconds.toFixed(1)} µs`,
      `longest portion ${longestMs.toFixed(1)} ms`,
      `log ${logBytes.toFixed(0)} bytes`,
    ];
    console.log(`${values} values, ${kind}: ${figures.join(', ')}, file ${fileBytes.toFixed(0)} bytes`);
  }
}
