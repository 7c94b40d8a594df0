import { accounts, type Block, type Holding } from '../../ledger/entry.ts';
import type { Commit } from '../../payments/ports.ts';
import type { CellsOf, CommitCell } from './payments.ts';

/** Every statement about the ledger, in the form of statements.ts. */

/** Where the columns of a payment's posting come from. */
export const postingSource = {
  merchant_id: 'merchant_id',
  subject_id: 'id',
  revision: 'revision',
  at: 'posting_at',
  currency: 'currency',
  mode: 'mode',
  shopper: 'posting_shopper',
  reserve: 'posting_reserve',
  contra: 'posting_contra',
  merchant: 'posting_merchant',
  acquirer: 'posting_acquirer',
  chargebacks: 'posting_chargebacks',
} as const satisfies Record<string, CommitCell>;

/** The text of ledger/entry.ts, made by the database: what is hashed is what is stored. */
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

/** Behind the block after this one, none reaches back further than any block ever did. */
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

export const ledgerReads = {
  lastBlock: `SELECT ${blockColumns} FROM ledger_block WHERE merchant_id = ?1 ORDER BY number DESC LIMIT 1`,
  blockThrough: `
    SELECT ${blockColumns} FROM ledger_block
    WHERE merchant_id = ?1 AND through_at <= ?2 ORDER BY through_at DESC, number DESC LIMIT 1`,
  // Those of SQLite.
  unsealedMerchants: merchantsWith(`p.n > ${sealedTo('owner.id')}`),
  unsealed: `SELECT ${line} AS line FROM posting WHERE ${behindLast} ORDER BY n LIMIT ?2`,
  sumsBehind: `
    SELECT ${sums} FROM (
      SELECT ${sealedTo('?1')} + 1 AS from_n, 9223372036854775807 AS to_n
      UNION ALL ${blocksBehind('from_n, to_n')}
    ) AS numbers CROSS JOIN posting p
    WHERE p.merchant_id = ?1 AND p.n BETWEEN numbers.from_n AND numbers.to_n AND p.at <= ?3
    GROUP BY mode, currency`,
} as const;

const places = (from: number, count: number): string => Array.from({ length: count }, (_, at) => `?${from + at}`).join(', ');

export const ledgerWrites = {
  post: `INSERT INTO posting (${postingColumns.join(', ')}) VALUES (${places(1, postingColumns.length)})`,
  // As many postings as it counts, behind the last block, if the last of them is the one that was meant.
  seal: `
    INSERT INTO ledger_block (${blockColumns}, from_n, to_n)
    SELECT ${places(1, 10)}, MIN(n), MAX(n)
    FROM (SELECT n, subject_id, revision FROM posting WHERE ${behindLast} ORDER BY n LIMIT ?3) AS next
    WHERE NOT EXISTS (SELECT 1 FROM ledger_block WHERE merchant_id = ?1 AND number = ?2)
    GROUP BY 1
    HAVING MAX(CASE WHEN subject_id = ?11 AND revision = ?12 THEN n END) = MAX(n)`,
} as const;

export const postgresLedger = {
  unsealedMerchants: merchantsWith('p.block = 0'),
  unsealed: `SELECT ${line} AS line FROM posting WHERE merchant_id = ?1 AND block = 0 ORDER BY subject_id, revision LIMIT ?2`,
  sumsBehind: `
    SELECT ${sums} FROM posting
    WHERE merchant_id = ?1 AND at <= ?3 AND block IN (SELECT 0 UNION ALL ${blocksBehind('number')})
    GROUP BY mode, currency`,
  addBlock: `INSERT INTO ledger_block (${blockColumns}) VALUES (${places(1, 10)}) ON CONFLICT DO NOTHING`,
  // The rows are found one by one along the key, and named by their places: a join would go through all that is unsealed for each.
  sealPostings: `
    UPDATE posting SET block = ?2 WHERE ctid = ANY (ARRAY(
      SELECT found.place FROM json_to_recordset(?3::text::json) AS k (subject_id text, revision bigint)
      CROSS JOIN LATERAL (
        SELECT p.ctid AS place FROM posting p
        WHERE p.merchant_id = ?1 AND p.block = 0 AND p.subject_id = k.subject_id AND p.revision = k.revision OFFSET 0
      ) found
    ))`,
} as const;

/** The cells of what a commit does to the books, null where it does nothing; see `isSum`. Fees come with settlements only. */
export const postingCells = [
  'posting_at',
  'posting_shopper',
  'posting_reserve',
  'posting_contra',
  'posting_merchant',
  'posting_acquirer',
  'posting_chargebacks',
] as const;

/** Of these a null is a 0 in the table: what is left out of a commit need not be sent. */
export const isSum = (cell: string): boolean => cell.startsWith('posting_') && cell !== 'posting_at';

type PostingCells = CellsOf<typeof postingCells>;
const nothing = postingCells.map(() => null) as readonly null[] as PostingCells;

export function postingCellsOf({ posting }: Pick<Commit, 'posting'>): PostingCells {
  if (!posting) return nothing;
  const { at, entries } = posting;
  const { shopper = null, reserve = null, contra = null, merchant = null, acquirer = null, chargebacks = null } = entries;
  return [at, shopper, reserve, contra, merchant, acquirer, chargebacks];
}

/** A row of the blocks as it is read. 64-bit columns come as text from PostgreSQL. */
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

/** Sums come as text from both databases. */
export type SumRow = { readonly mode: string; readonly currency: string } & Readonly<Record<keyof Holding['accounts'], string>>;

export const holdingOf = (row: SumRow): Holding => ({
  mode: row.mode,
  currency: row.currency,
  accounts: Object.fromEntries(accounts.map((account) => [account, BigInt(row[account])])) as Holding['accounts'],
});

/** The keys of lines, for a statement that finds their rows. */
export const keysOf = (lines: readonly string[]): string =>
  JSON.stringify(
    lines.map((line) => {
      const [subjectId, revision] = line.split('|', 2);
      return { subject_id: subjectId, revision: Number(revision) };
    }),
  );
