import type { Payment } from '../../payments/payment.ts';
import { type ListedRow, listable, readBrief } from '../areas/payments.ts';
import {
  type BulkStatement,
  type ByMerchant,
  type Database,
  deleteInBatches,
  each,
  forMerchants,
  isFree,
  postgresWords,
} from '../database.ts';
import type { Store } from '../store.ts';

/** The claims of sweepers on several nodes, in a table: which open payments a node is asking about. */

/**
 * Two nodes may pick the same payments: the second waits for the first, finds its claims, and gets none of them. Both insert in the same
 * order, so that they do not deadlock.
 */
const claimPayments = (merchants: string): string => `
  WITH picked AS (
    SELECT p.merchant_id, p.id FROM payment p
    LEFT JOIN sweep_claim c ON c.merchant_id = p.merchant_id AND c.payment_id = p.id
    WHERE p.state = 'open' AND p.due_at <= ?1 AND ${merchants}
      AND (c.payment_id IS NULL OR ${isFree('c.claimed_until')})
    ORDER BY p.due_at, p.id LIMIT ?3
  ), claimed AS (
    INSERT INTO sweep_claim AS held (merchant_id, payment_id, claimed_until)
    SELECT merchant_id, id, ?2 FROM picked ORDER BY merchant_id, id
    ON CONFLICT (merchant_id, payment_id) DO UPDATE SET claimed_until = excluded.claimed_until WHERE ${isFree('held.claimed_until')}
    RETURNING merchant_id, payment_id
  )
  SELECT ${listable} FROM payment WHERE (merchant_id, id) IN (SELECT merchant_id, payment_id FROM claimed)`;

export const claimStatements = {
  claimPayments: {
    ofAll: { sqlite: null, postgres: claimPayments(`p.merchant_id NOT IN (${postgresWords.among('?4')} COLLATE "C")`) },
    ofOne: { sqlite: null, postgres: claimPayments("p.merchant_id || '' = ?4") },
  } satisfies ByMerchant,
  releaseSwept: {
    columns: ['merchant_id', 'payment_id'],
    sqlite: null,
    postgres: `
    DELETE FROM sweep_claim USING json_to_recordset(?1::text::json) AS c (merchant_id text, payment_id text)
    WHERE sweep_claim.merchant_id = c.merchant_id AND sweep_claim.payment_id = c.payment_id AND claimed_until = ?2`,
  } satisfies BulkStatement,
  deleteClaims: {
    sqlite: null,
    postgres: `
    DELETE FROM sweep_claim WHERE (merchant_id, payment_id) IN
      (SELECT merchant_id, payment_id FROM sweep_claim WHERE claimed_until < ?1 ORDER BY claimed_until LIMIT ?2)`,
  },
} as const;

export const claimMethods = (db: Database): Pick<Store, 'claimDue' | 'releaseSwept' | 'deleteClaims'> => ({
  claimDue: async ({ now, until, limit, merchants }) => {
    const [statement, cell] = forMerchants(claimStatements.claimPayments, merchants);
    const rows = await db.returning<ListedRow>(statement, now, until, limit, cell);
    return (await readBrief(db, rows)).sort(longestOverdueFirst);
  },
  releaseSwept: async ({ payments, until }) => {
    const rows = payments.map(({ merchantId, id }) => [merchantId, id]);
    await db.write(each(claimStatements.releaseSwept, rows, until));
  },
  deleteClaims: (before) => deleteInBatches(db, claimStatements.deleteClaims, before),
});

const dueAtOf = ({ phase }: Payment): number => (phase.at === 'final' ? 0 : phase.dueAt);
const longestOverdueFirst = (one: Payment, other: Payment): number =>
  dueAtOf(one) - dueAtOf(other) || (one.id < other.id ? -1 : 1);
