import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { sandbox } from '../src/merchants/sandbox.ts';
import { createSearchKeys } from '../src/store/sqlite/write.ts';
import { filledTables, fillPlan, portions, type Sample, type SampleRow, type Samples, sqliteWords } from './fill.ts';

const PORTION = 50_000;
/** Many, because they are sorted before they are written. */
const KEYS_AT_ONCE = 100_000;
const MAGIC = 'SQLite format 3\0';

/** The database file in the gateway's data folder, whatever it is called. */
export function databaseFile(dataDir: string): string {
  const found = readdirSync(dataDir).find((name) => {
    const file = openSync(join(dataDir, name), 'r');
    const head = Buffer.alloc(MAGIC.length);
    readSync(file, head);
    closeSync(file);
    return head.toString('latin1') === MAGIC;
  });
  if (!found) throw new Error(`no SQLite database in ${dataDir}`);
  return join(dataDir, found);
}

export function withDatabase<T>(file: string, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file, { timeout: 10_000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** The rows that the gateway wrote for these two payments. */
export function readSamples(file: string, ids: { readonly DB: string; readonly PA: string }): Samples {
  return withDatabase(file, (db) => {
    const row = (table: string, column: string, id: string) => {
      const rows = db.prepare(`SELECT * FROM ${table} WHERE ${column} = ?`).all(id) as SampleRow[];
      if (rows.length !== 1) throw new Error(`payment ${id} has ${rows.length} rows in ${table}: fill.ts knows of one`);
      return rows[0] as SampleRow;
    };
    const sample = (id: string): Sample => ({ payment: row('payment', 'id', id), outbox: row('outbox', 'subject_id', id) });
    return { DB: sample(ids.DB), PA: sample(ids.PA) };
  });
}

/** How many rows each table has. */
export function countRows(file: string): Record<string, number> {
  return withDatabase(file, (db) => {
    const names = db
      .prepare(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE 'CREATE VIRTUAL %'`,
      )
      .all();
    const count = (name: string) => (db.prepare(`SELECT count(*) AS n FROM "${name}"`).get() as { n: number }).n;
    const counts = Object.fromEntries(names.map(({ name }) => [name as string, count(name as string)]));
    const stored = db.prepare("SELECT count(*) AS n FROM payment WHERE payment_type IN ('RG', 'TK')").get() as { n: number };
    // Transactions about stored details are in the same table and move no money.
    return { ...counts, payment: (counts.payment ?? 0) - stored.n };
  });
}

const columnsOf = (db: DatabaseSync) => (table: string) =>
  db
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => name as string);

export type FillOptions = { readonly samples: Samples; readonly rows: number; readonly onProgress: (share: number) => void };

/**
 * Fills the database of a stopped gateway, without a journal, because nothing is lost when it fails. It works in batches: in one
 * transaction a row takes 11 µs at first and 60 µs after four million, in batches it stays at 12. Afterwards everything is written to
 * the disk, so that the measurement does not pay for it.
 */
export async function fillSqlite(file: string, { samples, rows, onProgress }: FillOptions): Promise<void> {
  const db = new DatabaseSync(file);
  try {
    db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -100000; PRAGMA temp_store = MEMORY;`);
    const plan = fillPlan(sqliteWords, columnsOf(db), { rows, endMs: Date.now(), samples });
    db.exec(plan.before.join(';'));
    for (const table of filledTables) {
      for (const sample of [samples.DB, samples.PA]) insertRow(db, `fill_${table}`, sample[table as keyof Sample]);
    }
    const numbers = db.prepare(plan.each.numbers);
    const copies = plan.each.copies.map((text) => db.prepare(text));
    for (const [first, end] of portions(rows, PORTION)) {
      db.exec('BEGIN');
      numbers.run(first, end);
      for (const copy of copies) copy.run();
      db.exec('COMMIT');
      onProgress(end / rows);
      // Ctrl-C is handled between two batches.
      await new Promise((resolve) => setImmediate(resolve));
    }
    db.exec(`${plan.after.join(';')}; PRAGMA journal_mode = WAL;`);
  } finally {
    db.close();
  }
  const handle = openSync(file, 'r+');
  fsyncSync(handle);
  closeSync(handle);
}

/** The keys of filled payments. A gateway that finds millions without them writes them as fast as it can, and disturbs the measurement. */
export function writeSearchKeys(file: string): void {
  withDatabase(file, (db) => {
    const keys = createSearchKeys(db, KEYS_AT_ONCE);
    db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; BEGIN');
    while (keys.isDue()) keys.writeBatch();
    db.exec('COMMIT');
  });
}

function insertRow(db: DatabaseSync, table: string, row: SampleRow): void {
  const names = Object.keys(row);
  const places = names.map(() => '?').join(', ');
  db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`).run(...(Object.values(row) as SQLInputValue[]));
}

/** Ids of stored payments of one type, evenly distributed. */
export function fanOutIds(file: string, paymentType: 'DB' | 'PA', count: number): string[] {
  return withDatabase(file, (db) => {
    const { demoShop } = sandbox;
    const { first, last } = db
      .prepare('SELECT min(id) AS first, max(id) AS last FROM payment WHERE merchant_id = ?')
      .get(demoShop.merchantId) as { first: string; last: string };
    const find = db.prepare(`
      SELECT id FROM payment WHERE merchant_id = ? AND id >= ? AND payment_type = ? AND entity_id = ? AND state = 'approved'
      ORDER BY id LIMIT 1`);
    const found = samplePrefixes(first, last, count).flatMap((prefix) =>
      find.all(demoShop.merchantId, prefix, paymentType, demoShop.channelId),
    );
    return [...new Set(found.map(({ id }) => id as string))];
  });
}

/** Time prefixes of ids between two ids: evenly distributed, in an order without locality. */
export function samplePrefixes(first: string, last: string, count: number): string[] {
  const timeOf = (id: string) => Number.parseInt(id.slice(0, 12), 16);
  const from = timeOf(first);
  const width = timeOf(last) - from;
  const golden = 0.618033988749895;
  return Array.from({ length: count }, (_, at) =>
    Math.floor(from + width * ((at * golden) % 1))
      .toString(16)
      .padStart(12, '0'),
  );
}

const WAL_HEADER = 32;
const FRAME_HEADER = 24;

/** How many transactions the write-ahead log holds: frames that carry the size of the database end one. */
export function transactionsInLog(file: string): number {
  const log = readFileSync(`${file}-wal`);
  if (log.length < WAL_HEADER) return 0;
  const frame = FRAME_HEADER + log.readUInt32BE(8);
  const salt = log.readBigUInt64BE(16);
  let count = 0;
  for (let at = WAL_HEADER; at + frame <= log.length && log.readBigUInt64BE(at + 8) === salt; at += frame) {
    if (log.readUInt32BE(at + 4) !== 0) count += 1;
  }
  return count;
}
