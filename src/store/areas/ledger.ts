import { type Account, accounts, type Block, type Holding, type Posting, readLine } from '../../ledger/entry.ts';
import type { LedgerStore, TraceStore } from '../../ledger/ports.ts';
import type { Mode } from '../../registrations/registration.ts';
import { type Cell, type Database, each, needed, type ReadDatabase, step } from '../database.ts';
import { deliveryColumns, eventColumns } from './deliveryStatements.ts';
import { type DeliveryRow, deliveryOf, type EventRow, eventOf } from './webhooks.ts';

/** The ledger: postings, and the blocks that seal them. A commit posts too: see commit/. */

/** The line of ledger/entry.ts, made by the database, so that the hash is that of the stored columns. */
export const line = `concat_ws('|', subject_id, revision, kind, at, currency, mode, ${accounts.join(', ')})`;

export const blockColumns =
  'merchant_id, number, count, first_at, last_at, through_at, late_ms, balances, previous, hash' as const;

const postingColumns = ['merchant_id', 'subject_id', 'revision', 'kind', 'at', 'currency', 'mode', ...accounts];

/** Merchants that have postings behind their last block. Steps from merchant to merchant along the key. */
const merchantsWith = (unsealed: string): string => `
    WITH RECURSIVE owner AS (
      SELECT (SELECT MIN(merchant_id) FROM posting) AS id
      UNION ALL
      SELECT (SELECT p.merchant_id FROM posting p WHERE p.merchant_id > owner.id ORDER BY p.merchant_id LIMIT 1)
      FROM owner WHERE owner.id IS NOT NULL
    )
    SELECT id FROM owner WHERE id IS NOT NULL AND EXISTS (SELECT 1 FROM posting p WHERE p.merchant_id = owner.id AND ${unsealed})`;

const sums = `mode, currency, ${accounts.map((account) => `CAST(SUM(${account}) AS TEXT) AS ${account}`).join(', ')}`;

/** The block after this one, and later ones that reach back far enough: none reaches back further than any block ever did. */
const blocksBehind = (columns: string): string => `
      SELECT ${columns} FROM ledger_block WHERE merchant_id = ?1 AND number = ?2 + 1
      UNION ALL
      SELECT ${columns} FROM ledger_block
      WHERE merchant_id = ?1 AND number > ?2 + 1 AND first_at <= ?3
        AND first_at >= ?3 - (SELECT b.late_ms FROM ledger_block b WHERE b.merchant_id = ?1 ORDER BY b.number DESC LIMIT 1)`;

/** The last posting of a merchant that is in a block. */
const sealedTo = (owner: string): string =>
  `COALESCE((SELECT b.to_n FROM ledger_block b WHERE b.merchant_id = ${owner} ORDER BY b.number DESC LIMIT 1), 0)`;

const behindLast = `merchant_id = ?1 AND n > ${sealedTo('?1')}`;

const places = (from: number, count: number): string => Array.from({ length: count }, (_, at) => `?${from + at}`).join(', ');

export const ledgerStatements = {
  lastBlock: `SELECT ${blockColumns} FROM ledger_block WHERE merchant_id = ?1 ORDER BY number DESC LIMIT 1`,
  blockThrough: `
    SELECT ${blockColumns} FROM ledger_block
    WHERE merchant_id = ?1 AND through_at <= ?2 ORDER BY through_at DESC, number DESC LIMIT 1`,
  unsealedMerchants: {
    sqlite: merchantsWith(`p.n > ${sealedTo('owner.id')}`),
    postgres: merchantsWith('p.block = 0'),
  },
  unsealed: {
    sqlite: `SELECT ${line} AS line FROM posting WHERE ${behindLast} ORDER BY n LIMIT ?2`,
    postgres: `SELECT ${line} AS line FROM posting WHERE merchant_id = ?1 AND block = 0 ORDER BY subject_id, revision LIMIT ?2`,
  },
  sumsBehind: {
    sqlite: `
    SELECT ${sums} FROM (
      SELECT ${sealedTo('?1')} + 1 AS from_n, 9223372036854775807 AS to_n
      UNION ALL ${blocksBehind('from_n, to_n')}
    ) AS numbers CROSS JOIN posting p
    WHERE p.merchant_id = ?1 AND p.n BETWEEN numbers.from_n AND numbers.to_n AND p.at <= ?3
    GROUP BY mode, currency`,
    postgres: `
    SELECT ${sums} FROM posting
    WHERE merchant_id = ?1 AND at <= ?3 AND block IN (SELECT 0 UNION ALL ${blocksBehind('number')})
    GROUP BY mode, currency`,
  },
  post: `INSERT INTO posting (${postingColumns.join(', ')}) VALUES (${places(1, postingColumns.length)})`,
  // As many postings as the block counts, behind the last block, if the last of them is the expected one.
  seal: {
    sqlite: `
    INSERT INTO ledger_block (${blockColumns}, from_n, to_n)
    SELECT ${places(1, 10)}, MIN(n), MAX(n)
    FROM (SELECT n, subject_id, revision FROM posting WHERE ${behindLast} ORDER BY n LIMIT ?3) AS next
    WHERE NOT EXISTS (SELECT 1 FROM ledger_block WHERE merchant_id = ?1 AND number = ?2)
    GROUP BY 1
    HAVING MAX(CASE WHEN subject_id = ?11 AND revision = ?12 THEN n END) = MAX(n)`,
    postgres: null,
  },
  addBlock: {
    sqlite: null,
    postgres: `INSERT INTO ledger_block (${blockColumns}) VALUES (${places(1, 10)}) ON CONFLICT DO NOTHING`,
  },
  // PostgreSQL finds the rows one by one by the key, and names them by their places: a join would read all unsealed rows for each.
  sealPostings: {
    columns: ['subject_id', 'revision'],
    sqlite: null,
    postgres: `
    UPDATE posting SET block = ?3 WHERE ctid = ANY (ARRAY(
      SELECT found.place FROM json_to_recordset(?1::text::json) AS k (subject_id text, revision bigint)
      CROSS JOIN LATERAL (
        SELECT p.ctid AS place FROM posting p
        WHERE p.merchant_id = ?2 AND p.block = 0 AND p.subject_id = k.subject_id AND p.revision = k.revision OFFSET 0
      ) found
    ))`,
  },
} as const;

export const ledgerMethods = (db: Database): LedgerStore => ({
  post: async (postings) => {
    await db.write(...postings.map((one) => step(ledgerStatements.post, ...postedCells(one))));
  },
  unsealedMerchants: async () => (await db.read<{ readonly id: string }>(ledgerStatements.unsealedMerchants)).map(({ id }) => id),
  unsealed: async (merchantId, limit) =>
    (await db.read<{ readonly line: string }>(ledgerStatements.unsealed, merchantId, limit)).map(({ line }) => line),
  lastBlock: async (merchantId) => (await db.read<BlockRow>(ledgerStatements.lastBlock, merchantId)).map(blockOf)[0] ?? null,
  seal: (block, lines) => seal(db, block, lines),
  blockThrough: async (merchantId, at) =>
    (await db.read<BlockRow>(ledgerStatements.blockThrough, merchantId, at)).map(blockOf)[0] ?? null,
  sumsBehind: async ({ merchantId, number, at }) =>
    (await db.read<SumRow>(ledgerStatements.sumsBehind, merchantId, number, at)).map(holdingOf),
});

async function seal(db: Database, block: Block, lines: readonly string[]): Promise<boolean> {
  const keys = lines.map((line) => {
    const { subjectId, revision } = readLine(line);
    return [subjectId, revision] as const;
  });
  const steps =
    db.dialect === 'postgres'
      ? // Waits at the block for a concurrent writer of the same number.
        [
          needed(ledgerStatements.addBlock, ...blockCells(block)),
          each(ledgerStatements.sealPostings, keys, block.merchantId, block.number),
        ]
      : // Rows are numbered in the order in which they become visible, so the lines are still the ones right behind the last block.
        [step(ledgerStatements.seal, ...blockCells(block), ...(keys.at(-1) ?? []))];
  return (await db.write(...steps)) > 0;
}

/** In the order of the columns. */
const postedCells = ({ merchantId, subjectId, revision, kind, at, currency, mode, entries }: Posting): Cell[] => [
  ...[merchantId, subjectId, revision, kind, at, currency, mode],
  ...accounts.map((account) => entries[account] ?? 0n),
];

/** PostgreSQL returns large integers as strings. */
export type BlockRow = {
  readonly merchant_id: string;
  readonly number: string | number;
  readonly count: string | number;
  readonly first_at: string | number;
  readonly last_at: string | number;
  readonly through_at: string | number;
  readonly late_ms: string | number;
  readonly balances: string;
  readonly previous: string;
  readonly hash: string;
};

export const blockOf = (row: BlockRow): Block => ({
  merchantId: row.merchant_id,
  number: Number(row.number),
  count: Number(row.count),
  firstAt: Number(row.first_at),
  lastAt: Number(row.last_at),
  throughAt: Number(row.through_at),
  lateMs: Number(row.late_ms),
  balances: row.balances,
  previous: row.previous,
  hash: row.hash,
});

export const blockCells = (block: Block) =>
  [
    block.merchantId,
    block.number,
    block.count,
    block.firstAt,
    block.lastAt,
    block.throughAt,
    block.lateMs,
    block.balances,
    block.previous,
    block.hash,
  ] as const;

/** Both databases return sums as strings. */
type SumRow = { readonly mode: string; readonly currency: string } & Readonly<Record<keyof Holding['accounts'], string>>;

const holdingOf = (row: SumRow): Holding => ({
  mode: row.mode,
  currency: row.currency,
  accounts: Object.fromEntries(accounts.map((account) => [account, BigInt(row[account])])) as Holding['accounts'],
});

/** One payment's past: its events, postings and deliveries. */

const amounts = accounts.map((account) => `CAST(${account} AS TEXT) AS ${account}`).join(', ');
const postings = (merchants: string): string => `
    SELECT merchant_id, subject_id, revision, at, currency, mode, ${amounts} FROM posting
    WHERE merchant_id = ?1 AND subject_id = ?2 AND ${merchants} ORDER BY revision`;

export const traceStatements = {
  // Either side of the union goes along an index of its own.
  eventsOf: `
    SELECT * FROM (
      SELECT ${eventColumns} FROM outbox
      WHERE merchant_id = ?1 AND subject_id = ?2 AND of_registration = 0 AND COALESCE(transaction_id, ?3) = ?3
      UNION ALL
      SELECT ${eventColumns} FROM outbox WHERE merchant_id = ?1 AND subject_id = ?2 AND of_registration = 1 AND transaction_id = ?3
    ) AS event ORDER BY revision`,
  deliveriesOf: `
    SELECT ${deliveryColumns.join(', ')} FROM delivery
    WHERE subject_id = ?2 AND merchant_id = ?1 AND COALESCE(transaction_id, ?3) = ?3 LIMIT 200`,
  // In PostgreSQL a posting is found by its block: in none yet, or in one of that time.
  postingsOf: {
    sqlite: postings("kind = 'payment' AND at >= ?3 AND at <= ?4"),
    postgres: postings(`kind = 'payment' AND at >= ?3 AND at <= ?4 AND block IN (
      SELECT 0 UNION ALL SELECT number FROM ledger_block WHERE merchant_id = ?1 AND first_at <= ?4 AND last_at >= ?3
    )`),
  },
} as const;

export const traceMethods = (db: Pick<ReadDatabase, 'read'>): TraceStore => ({
  eventsOf: async (merchantId, { subjectId, transactionId }) =>
    (await db.read<EventRow>(traceStatements.eventsOf, merchantId, subjectId, transactionId)).map(eventOf),
  postingsOf: async (merchantId, paymentId, { from, to }) =>
    (await db.read<PostingRow>(traceStatements.postingsOf, merchantId, paymentId, from, to)).map(postingOf),
  deliveriesOf: async (merchantId, { subjectId, transactionId }) =>
    (await db.read<DeliveryRow>(traceStatements.deliveriesOf, merchantId, subjectId, transactionId)).map(deliveryOf),
});

/** Both databases return amounts as strings. */
type PostingRow = {
  readonly merchant_id: string;
  readonly subject_id: string;
  readonly revision: string | number;
  readonly at: string | number;
  readonly currency: string;
  readonly mode: Mode;
} & Readonly<Record<Account, string>>;

const postingOf = (row: PostingRow): Posting => ({
  merchantId: row.merchant_id,
  subjectId: row.subject_id,
  revision: Number(row.revision),
  kind: 'payment',
  at: Number(row.at),
  currency: row.currency,
  mode: row.mode,
  entries: Object.fromEntries(
    accounts.map((account) => [account, BigInt(row[account])] as const).filter(([, amount]) => amount !== 0n),
  ),
});
