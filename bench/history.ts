import { createHash } from 'node:crypto';
import { existsSync, statfsSync } from 'node:fs';
import postgres from 'postgres';
import { DAY_MS, HOUR_MS } from '../src/spec/time.ts';
import type { SampleRow, Samples } from './fill.ts';
import { insertRow } from './postgresDatabase.ts';

/**
 * A year of payments of many merchants, made by PostgreSQL itself. Each row follows from its number, so that a fill that was interrupted goes
 * on where it stopped, and a measurement knows what it can look for.
 */

/** The largest merchant has a sixth of all payments, half of the merchants have a fifth together. */
export const MERCHANTS = 200;
const SPAN_MS = 365 * DAY_MS;
/** Events and idempotency keys are deleted after this time. */
const KEPT_MS = 35 * DAY_MS;
const PORTION = 250_000;
/** Portions that are made at the same time. */
const FILLERS = 2;
/** More than there are indexes. */
const CONNECTIONS = 24;
/** Rows with their indexes, and the sorting of the largest index; measured at a million payments, in place. */
export const BYTES_EACH = 4_500;
const SPARE_BYTES = 8e9;

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** One payment in this many has the same card as another. */
const CARD_USES = 3;
const cardsAmong = (rows: number): number => Math.ceil(rows / CARD_USES);

export type History = { readonly rows: number; readonly endMs: number };
export type HistoryPayment = {
  readonly merchantId: string;
  readonly entityId: string;
  readonly id: string;
  readonly createdAt: number;
  readonly reference: string;
  readonly shortId: string;
  readonly last4: string;
  readonly emailHash: string;
  readonly amount: bigint;
};

export const merchantAt = (rank: number): string => md5(`merchant-${rank}`);
const stepOf = ({ rows }: History): number => Math.max(1, Math.floor(SPAN_MS / rows));
const padded = (number: number, width: number): string => String(number).padStart(width, '0');

/** The payment with this number, by the same rules as `numbered`. */
export function historyPayment(history: History, n: number): HistoryPayment {
  const { rows, endMs } = history;
  const step = stepOf(history);
  const createdAt = endMs - step * rows + n * step;
  const drawn = (n * 40_503) % 65_536;
  const rank = Math.floor((Math.floor((Math.floor((drawn * drawn) / 65_536) * drawn) / 65_536) * MERCHANTS) / 65_536);
  const priced = (n * 48_271) % 65_536;
  const card = (n * 104_729) % cardsAmong(rows);
  const digits = padded(n, 12);
  return {
    merchantId: merchantAt(rank),
    entityId: md5(`channel-${rank}`),
    id: createdAt.toString(16).padStart(12, '0') + md5(String(n)).slice(0, 20),
    createdAt,
    reference: `order-${digits}`,
    shortId: `${digits.slice(0, 4)}.${digits.slice(4, 8)}.${digits.slice(8)}`,
    last4: padded(card % 10_000, 4),
    emailHash: md5(`email-${card}`).repeat(2),
    amount: BigInt(99 + Math.floor((priced * priced) / 65_536)),
  };
}

/** The values of a batch for all tables, made once: the hashes take longer than the rows. */
const numbered = (history: History, first: number): string => {
  const step = stepOf(history);
  const ms = `${history.endMs - step * history.rows} + n * ${step}`;
  return `CREATE TEMPORARY TABLE bench_numbered ON COMMIT DROP AS
  SELECT drawn.*, lpad(to_hex(ms), 12, '0') || substr(md5(n::text), 1, 20) AS id, merchant_id, entity_id,
    99 + priced * priced / 65536 AS amount, lpad(n::text, 12, '0') AS digits,
    CASE WHEN n % 10 = 0 THEN 'PA' ELSE 'DB' END AS payment_type, n % 11 = 0 AS is_declined,
    (ARRAY['EUR', 'EUR', 'EUR', 'USD', 'GBP'])[1 + n % 5] AS currency
  FROM (
    SELECT n, ms, card, priced, drawn * drawn / 65536 * drawn / 65536 * ${MERCHANTS} / 65536 AS rank
    FROM (
      SELECT n, ${ms} AS ms, n * 40503 % 65536 AS drawn, n * 48271 % 65536 AS priced, n * 104729 % ${cardsAmong(history.rows)} AS card
      FROM generate_series(${first}::bigint, ${Math.min(history.rows, first + PORTION) - 1}::bigint) AS n
    ) AS hashed
  ) AS drawn
  JOIN (SELECT rank, md5('merchant-' || rank) AS merchant_id, md5('channel-' || rank) AS entity_id
        FROM generate_series(0, ${MERCHANTS - 1}) AS rank) AS merchants USING (rank)`;
};

/** The new cells of a payment's row; everything else is as the gateway wrote it. */
const paymentCells: Readonly<Record<string, string>> = {
  merchant_id: 'i.merchant_id',
  id: 'i.id',
  family_id: 'i.id',
  entity_id: 'i.entity_id',
  state: `CASE WHEN i.is_declined THEN 'declined' ELSE 'approved' END`,
  amount: 'i.amount',
  currency: 'i.currency',
  created_at: 'i.ms',
  merchant_transaction_id: `'order-' || i.digits`,
  short_id: `substr(i.digits, 1, 4) || '.' || substr(i.digits, 5, 4) || '.' || substr(i.digits, 9, 4)`,
  fingerprint: `repeat(md5('card-' || i.card), 2)`,
  // Half of the payments come from the widget, a third from customers that the merchant knows.
  checkout_id: `CASE WHEN i.n % 2 = 0 THEN upper(md5('checkout-' || i.n)) || '.node-1' END`,
  customer_id: `CASE WHEN i.card % 3 = 0 THEN 'customer-' || i.card END`,
  last4: `lpad((i.card % 10000)::text, 4, '0')`,
  brand: `CASE WHEN i.card % 5 = 0 THEN 'MASTER' WHEN i.card % 5003 = 0 THEN 'AMEX' ELSE 'VISA' END`,
  code: `CASE WHEN NOT i.is_declined THEN t.code WHEN i.n % 4099 = 0 THEN '800.100.203' ELSE '800.100.151' END`,
  email_hash: `repeat(md5('email-' || i.card), 2)`,
};

/** The statements of one batch. */
function copies(history: History, columns: readonly string[]): readonly string[] {
  const kept = `i.ms >= ${history.endMs - KEPT_MS}`;
  const values = columns.map((column) => paymentCells[column] ?? `t.${column}`).join(', ');
  const from = 'bench_numbered';
  return [
    `INSERT INTO payment (${columns.join(', ')}) SELECT ${values} FROM ${from} i JOIN bench_sample t USING (payment_type)`,
    `INSERT INTO posting (merchant_id, block, subject_id, revision, at, currency, mode, reserve, contra, merchant, acquirer)
     SELECT merchant_id, 1 + (ms - ${history.endMs - SPAN_MS}) / ${HOUR_MS}, id, 1, ms, currency, 'INTERNAL',
       CASE payment_type WHEN 'PA' THEN amount ELSE 0 END, CASE payment_type WHEN 'PA' THEN -amount ELSE 0 END,
       CASE payment_type WHEN 'DB' THEN amount ELSE 0 END, CASE payment_type WHEN 'DB' THEN -amount ELSE 0 END
     FROM ${from} i WHERE NOT is_declined`,
    `INSERT INTO outbox (merchant_id, id, entity_id, subject_id, revision, type, code, created_at, state)
     SELECT merchant_id, id, entity_id, id, 1, 'PAYMENT', '000.100.110', ms, 'fanned_out' FROM ${from} i WHERE ${kept}`,
    `INSERT INTO idempotency (merchant_id, entity_id, key, body_hash, payment_id, created_at)
     SELECT merchant_id, entity_id, md5('key-' || n), repeat(md5('body-' || n), 2), id, ms FROM ${from} i WHERE ${kept}`,
    `INSERT INTO payment_count (merchant_id, span, begins, entity_id, payment_type, method, mode, share, count)
     SELECT i.merchant_id, s.span, i.ms - i.ms % s.span, i.entity_id, t.payment_type, COALESCE(t.method, ''), COALESCE(t.mode, ''), 0, COUNT(*)
     FROM ${from} i JOIN bench_sample t USING (payment_type) CROSS JOIN (VALUES (${HOUR_MS}::bigint), (${DAY_MS}::bigint)) s (span)
     GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
     ON CONFLICT (merchant_id, span, begins, entity_id, payment_type, method, mode, share)
     DO UPDATE SET count = payment_count.count + excluded.count`,
  ];
}

/**
 * Keys and indexes of the two large tables as statements: they are built much faster than they are maintained. A key is an index first, and
 * `finished` makes it the key.
 */
const INDEXES = `
  SELECT conname AS name, pg_get_indexdef(conindid) AS made,
    format('ALTER TABLE %s ADD CONSTRAINT %I PRIMARY KEY USING INDEX %I', conrelid::regclass, conname, conname) AS finished,
    format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS dropped
  FROM pg_constraint WHERE contype = 'p' AND conrelid IN ('payment'::regclass, 'posting'::regclass)
  UNION ALL
  SELECT indexname, indexdef, NULL, format('DROP INDEX %I', indexname)
  FROM pg_indexes WHERE tablename IN ('payment', 'posting') AND indexname NOT IN ('payment_pkey', 'posting_pkey')`;

export type HistoryOptions = History & {
  readonly samples: Samples;
  /** True: the indexes grow with the rows, as in life, and the fill takes several times as long. */
  readonly isInPlace: boolean;
  readonly onStep: (text: string) => void;
  readonly onProgress: (share: number) => void;
};

/** Notes what the fill is made of: its end, its samples, the batches that are made, and the indexes that are missing until it is over. */
async function beginFill(sql: postgres.Sql, { endMs, samples, isInPlace }: HistoryOptions): Promise<number> {
  const [known] = await sql.unsafe(`SELECT to_regclass('bench_fill') IS NOT NULL AS is_known`);
  if (!known?.is_known) {
    await sql.begin(async (tx) => {
      await tx.unsafe(`CREATE TABLE bench_fill AS SELECT ${endMs}::bigint AS end_ms`);
      await tx.unsafe('CREATE TABLE bench_portion (first bigint PRIMARY KEY)');
      await tx.unsafe('CREATE TABLE bench_sample AS SELECT * FROM payment WHERE false');
      for (const sample of [samples.DB, samples.PA]) await insertRow(tx, 'bench_sample', sample.payment as SampleRow);
      await tx.unsafe(`CREATE TABLE bench_index AS ${INDEXES}${isInPlace ? ' LIMIT 0' : ''}`);
      for (const { dropped } of await tx.unsafe('SELECT dropped FROM bench_index')) await tx.unsafe(String(dropped));
    });
  }
  const [fill] = await sql.unsafe('SELECT end_ms FROM bench_fill');
  return Number(fill?.end_ms);
}

/** All at the same time, because they read the table together: once, and not once for each. */
async function buildIndexes(sql: postgres.Sql, onStep: (text: string) => void): Promise<void> {
  const missing = await sql.unsafe('SELECT name, made FROM bench_index WHERE made IS NOT NULL ORDER BY name');
  let built = 0;
  onStep(`building ${missing.length} indexes`);
  const build = ({ name, made }: postgres.Row) =>
    sql.begin(async (tx) => {
      await tx.unsafe(`SET LOCAL maintenance_work_mem = '400MB'; SET LOCAL max_parallel_maintenance_workers = 0`);
      await tx.unsafe(String(made));
      await tx.unsafe('UPDATE bench_index SET made = NULL WHERE name = $1', [name]);
      built += 1;
      onStep(`built ${name}, ${built} of ${missing.length}`);
    });
  await Promise.all(missing.map(build));
  await sql.begin(async (tx) => {
    for (const { finished } of await tx.unsafe('SELECT finished FROM bench_index WHERE finished IS NOT NULL'))
      await tx.unsafe(String(finished));
    await tx.unsafe('DELETE FROM bench_index');
  });
}

/** Makes the missing batches, each in one transaction, several at the same time. */
async function fillPortions(sql: postgres.Sql, history: History, onProgress: (share: number) => void): Promise<void> {
  const columns = await sql.unsafe(`SELECT column_name FROM information_schema.columns WHERE table_name = 'payment'`);
  const statements = copies(
    history,
    columns.map(({ column_name }) => String(column_name)),
  );
  const made = new Set((await sql.unsafe('SELECT first FROM bench_portion')).map(({ first }) => Number(first)));
  const all = Array.from({ length: Math.ceil(history.rows / PORTION) }, (_, at) => at * PORTION);
  const missing = all.filter((first) => !made.has(first)).values();
  const work = async () => {
    for (const first of missing) {
      await sql.begin(async (tx) => {
        // The rows are right by construction: guards and counters of the gateway would look at each of them.
        await tx.unsafe(`SET LOCAL synchronous_commit = off; SET LOCAL session_replication_role = replica; SET LOCAL jit = off`);
        await tx.unsafe(numbered(history, first));
        for (const statement of statements) await tx.unsafe(statement);
        await tx.unsafe('INSERT INTO bench_portion VALUES ($1)', [first]);
      });
      made.add(first);
      onProgress(made.size / all.length);
    }
  };
  await Promise.all(Array.from({ length: FILLERS }, work));
}

/** Fills an empty database that has the schema, or goes on filling it. Returns the instant at which its history ends. */
export async function fillHistory(url: string, options: HistoryOptions): Promise<History> {
  const { rows, onStep, onProgress } = options;
  const sql = postgres(url, { max: CONNECTIONS, onnotice: () => {} });
  try {
    const history = { rows, endMs: await beginFill(sql, options) };
    onStep(`making ${rows.toLocaleString('en')} payments`);
    await fillPortions(sql, history, onProgress);
    await buildIndexes(sql, onStep);
    onStep('vacuum');
    for (const table of ['payment', 'posting', 'outbox', 'idempotency', 'payment_count'])
      await sql.unsafe(`VACUUM (ANALYZE) ${table}`);
    await sql.unsafe('CHECKPOINT');
    return history;
  } finally {
    await sql.end();
  }
}

/** Throws when the disk of the server has too little room for so many more payments; a server elsewhere is not known. */
export function checkDisk(folder: string, rows: number): void {
  const inGb = (bytes: number) => `${Math.ceil(bytes / 1e9)} GB`;
  const needs = rows * BYTES_EACH + SPARE_BYTES;
  const { bavail, bsize } = existsSync(folder) ? statfsSync(folder) : { bavail: Number.POSITIVE_INFINITY, bsize: 1 };
  const has = bavail * bsize;
  console.error(`${rows.toLocaleString('en')} more payments need ${inGb(needs)} of disk; ${folder} has ${inGb(has)}`);
  if (needs > has) throw new Error('not enough disk: choose fewer payments with --rows');
}

/** Bytes of a payment in each table, with its indexes. */
export async function bytesByTable(url: string, rows: number): Promise<Readonly<Record<string, number>>> {
  const sql = postgres(url, { max: 1 });
  try {
    const found = await sql.unsafe(`
      SELECT relname AS name, pg_table_size(oid) AS rows, pg_indexes_size(oid) AS indexes FROM pg_class
      WHERE relkind = 'r' AND relname IN ('payment', 'posting', 'outbox', 'idempotency', 'payment_count') ORDER BY relname`);
    const each = (bytes: unknown) => Math.round(Number(bytes) / rows);
    return Object.fromEntries(
      found.flatMap(({ name, rows: table, indexes }) => [
        [`${name}`, each(table)],
        [`${name}, indexes`, each(indexes)],
      ]),
    );
  } finally {
    await sql.end();
  }
}
