import type { LeaseStore, RateStore } from '../../merchants/ports.ts';
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
  step,
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

const filled = 'least(?2::float8, b.level + greatest(0, ?5::bigint - b.filled_at) / ?3::float8)';

const statements = {
  noteNode: `
    WITH gone AS (DELETE FROM gateway_node WHERE seen_at < ?3::bigint AND id <> ?1::text),
    noted AS (
      INSERT INTO gateway_node (id, seen_at, address) VALUES (?1::text, ?2::bigint, ?4::text)
      ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, address = excluded.address RETURNING id
    )
    SELECT count(*) AS nodes FROM (SELECT id FROM gateway_node WHERE seen_at >= ?3::bigint UNION SELECT id FROM noted) present`,
  peers: `
    SELECT address FROM gateway_node WHERE id <> ?1::text AND seen_at >= ?2::bigint AND address IS NOT NULL
    ORDER BY seen_at DESC, id LIMIT 8`,
  drawRequests: `
    INSERT INTO rate_bucket AS b (key, level, filled_at, granted)
    VALUES (?1::text, least(?2::float8, ?2::float8 - least(?4::float8, ?2::float8)), ?5::bigint, least(?4::float8, ?2::float8)::integer)
    ON CONFLICT (key) DO UPDATE SET
      granted = least(?4::float8, floor(${filled}))::integer,
      level = least(?2::float8, ${filled} - least(?4::float8, floor(${filled}))),
      filled_at = greatest(b.filled_at, excluded.filled_at)
    RETURNING level, granted`,
  deleteRates: 'DELETE FROM rate_bucket WHERE filled_at < ?1',
  // In one order on all nodes, so that two do not deadlock. A lease that ends later than one taken now is of a clock that was ahead.
  holdLeases: `
    WITH instant AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at)
    INSERT INTO job_lease AS l (name, holder, ends_at)
    SELECT asked.name, ?2::text, at + ?3::bigint FROM json_array_elements_text(?1::text::json) AS asked (name), instant ORDER BY asked.name
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at
    WHERE l.holder = excluded.holder OR l.ends_at <= excluded.ends_at - ?3::bigint OR l.ends_at > excluded.ends_at + ?3::bigint
    RETURNING name`,
  releaseLeases: 'DELETE FROM job_lease WHERE holder = ?1',
};

/** Rate limits and leases of several nodes. One process with SQLite has them in memory. */
export const rateMethods = (db: Database): RateStore & LeaseStore => ({
  async noteNode(id, now, since, address = null) {
    const [row] = await db.returning<{ readonly nodes: number | string }>(statements.noteNode, id, now, since, address);
    return Number(row?.nodes ?? 1);
  },
  peers: async (id, since) =>
    (await db.returning<{ readonly address: string }>(statements.peers, id, since)).map(({ address }) => address),
  async drawRequests({ key, requests, msPerRequest, wanted, now }) {
    const cells = [key, requests, msPerRequest, wanted, now];
    const [row] = await db.returning<{ readonly level: number; readonly granted: number }>(statements.drawRequests, ...cells);
    return { granted: Number(row?.granted ?? 0), level: Number(row?.level ?? 0) };
  },
  deleteRates: (before) => db.write(step(statements.deleteRates, before)),
  async holdLeases({ names, holder, forMs }) {
    const cells = [JSON.stringify(names), holder, forMs];
    return (await db.returning<{ readonly name: string }>(statements.holdLeases, ...cells)).map(({ name }) => name);
  },
  releaseLeases: async (holder) => void (await db.write(step(statements.releaseLeases, holder))),
});
