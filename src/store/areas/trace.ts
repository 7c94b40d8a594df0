import { type Account, accounts, type Posting } from '../../ledger/entry.ts';
import type { TraceStore } from '../../ledger/ports.ts';
import type { Mode } from '../../registrations/registration.ts';
import type { ReadDatabase } from '../database.ts';
import { deliveryColumns, eventColumns } from './deliveryStatements.ts';
import { type DeliveryRow, deliveryOf, type EventRow, eventOf } from './webhooks.ts';

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
