import { type Account, accounts, type Posting } from '../../ledger/entry.ts';
import type { Mode } from '../../registrations/registration.ts';
import { deliveryColumns, eventColumns } from './webhooks.ts';

/** The statements about one payment's past, in the form of statements.ts. */

const amounts = accounts.map((account) => `CAST(${account} AS TEXT) AS ${account}`).join(', ');
const postings = (merchants: string): string => `
    SELECT merchant_id, subject_id, revision, at, currency, mode, ${amounts} FROM posting
    WHERE merchant_id = ?1 AND subject_id = ?2 AND ${merchants} ORDER BY revision`;

const common = {
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
} as const;

export const sqliteTraceReads = { ...common, postingsOf: postings("kind = 'payment' AND at >= ?3 AND at <= ?4") } as const;

/** In PostgreSQL a posting is found by its block: in none yet, or in one of that time. */
export const postgresTraceReads = {
  ...common,
  postingsOf: postings(`kind = 'payment' AND at >= ?3 AND at <= ?4 AND block IN (
      SELECT 0 UNION ALL SELECT number FROM ledger_block WHERE merchant_id = ?1 AND first_at <= ?4 AND last_at >= ?3
    )`),
} as const;

/** A row of the postings as it is read; amounts come as text from both databases. */
export type PostingRow = {
  readonly merchant_id: string;
  readonly subject_id: string;
  readonly revision: string | number;
  readonly at: string | number;
  readonly currency: string;
  readonly mode: Mode;
} & Readonly<Record<Account, string>>;

export const postingOf = (row: PostingRow): Posting => ({
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
