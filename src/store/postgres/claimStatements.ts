import { listable } from '../tables/listedPayments.ts';
import { scheduleColumns } from '../tables/schedules.ts';
import { dueReads } from '../tables/statements.ts';
import {
  deliveriesOfAll,
  deliveryColumns,
  deliveryColumnsOf,
  eventColumns,
  hasNoWebhook,
  hooks,
  isEarlierEvent,
  isForemost,
  isFree,
  misdatedDeliveryStatements,
  newestFirst,
  pendingEventReads,
  redeliveryStatements,
} from '../tables/webhooks.ts';

/** Statements of PostgreSQL for many schedules, events and deliveries at once, in the form of statements.ts. */

export const among = (place: string): string => `SELECT json_array_elements_text(${place}::text::json) COLLATE "C"`;

/** Rows that another node has locked are skipped. A claim that it has just made is seen when the row is locked. */
const claimSchedules = (merchants: string): string => `
  WITH picked AS (
    SELECT merchant_id, id FROM schedule
    WHERE next_at IS NOT NULL AND next_at <= ?1 AND ${isFree('claimed_until')} AND ${merchants}
    ORDER BY next_at, id LIMIT ?3 FOR UPDATE SKIP LOCKED
  )
  UPDATE schedule SET claimed_until = ?2 FROM picked WHERE schedule.merchant_id = picked.merchant_id AND schedule.id = picked.id
  RETURNING ${scheduleColumns.map((name) => `schedule.${name}`).join(', ')}`;

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

/** The first due of each webhook, and the first of all of these. */
const claimDeliveries = (way: string, merchants: string): string => `
  WITH RECURSIVE ${way},
  picked AS (
    SELECT d.id FROM hook CROSS JOIN LATERAL (
      SELECT f.id, f.ready_at FROM delivery f
      WHERE f.webhook_id = hook.id AND f.state = 'due' AND f.ready_at <= ?1 AND ${isFree('f.claimed_until')} AND ${merchants}
        AND ${isForemost('f')}
      ORDER BY f.ready_at, f.id LIMIT ?4 FOR UPDATE SKIP LOCKED
    ) d
    WHERE hook.id IS NOT NULL AND hook.id NOT IN (${among('?5')})
    ORDER BY d.ready_at, d.id LIMIT ?3
  )
  UPDATE delivery u SET claimed_until = ?2 FROM picked WHERE u.id = picked.id
  RETURNING ${deliveryColumnsOf('u')}`;

const numbers: ReadonlySet<string> = new Set(['revision', 'event_at', 'due_at', 'created_at', 'done_at', 'earlier_tries']);
const rowsOf = (names: readonly string[]): string =>
  `json_to_recordset(?1::text::json) AS c (${names.map((name) => `${name} ${numbers.has(name) ? 'bigint' : 'text'}`).join(', ')})`;

const columns = deliveryColumns.join(', ');

export const postgresClaims = {
  claimPayments: claimPayments(`p.merchant_id NOT IN (${among('?4')})`),
  claimPaymentsOf: claimPayments("p.merchant_id || '' = ?4"),
  releaseSwept: `
    DELETE FROM sweep_claim USING json_to_recordset(?1::text::json) AS c (merchant_id text, payment_id text)
    WHERE sweep_claim.merchant_id = c.merchant_id AND sweep_claim.payment_id = c.payment_id AND claimed_until = ?2`,
  deleteClaims: `
    DELETE FROM sweep_claim WHERE (merchant_id, payment_id) IN
      (SELECT merchant_id, payment_id FROM sweep_claim WHERE claimed_until < ?1 ORDER BY claimed_until LIMIT ?2)`,
  claimSchedules: claimSchedules(`merchant_id NOT IN (${among('?4')})`),
  claimSchedulesOf: claimSchedules('merchant_id = ?4'),
  claimDeliveries: claimDeliveries(hooks(''), `f.merchant_id NOT IN (${among('?6')})`),
  claimDeliveriesOf: claimDeliveries(hooks('AND d.merchant_id = ?6'), 'f.merchant_id = ?6'),
  ...misdatedDeliveryStatements(among('?4')),
} as const;

export const postgresRedelivery = redeliveryStatements('json_array_length(tries::json)');

/** OFFSET 0 keeps the server from joining the whole outbox, whose share in a page it cannot know. */
const earlierEvents = (ofRegistration: 0 | 1): string => `
    SELECT e.* FROM page CROSS JOIN LATERAL (
      SELECT ${eventColumns} FROM outbox WHERE ${isEarlierEvent('outbox', ofRegistration)} OFFSET 0
    ) e
    WHERE page.revision > 1 AND page.of_registration = ${ofRegistration}`;

export const postgresOnlyReads = {
  ...pendingEventReads(among('?1'), earlierEvents),
  deliveries: deliveriesOfAll((part) => `(${part} ${newestFirst})`),
  ...dueReads(among('?3'), "(data::json ->> 'movedAt')::bigint"),
} as const;

/** Other nodes pass other events meanwhile. */
const passEvents = (merchants: string): string => `
    UPDATE outbox SET state = 'fanned_out' FROM (
      SELECT merchant_id, id FROM outbox WHERE state = 'new' AND created_at >= 0 AND ${merchants}
      ORDER BY created_at LIMIT ?2 FOR UPDATE SKIP LOCKED
    ) c
    WHERE ${hasNoWebhook} AND outbox.merchant_id = c.merchant_id AND outbox.id = c.id AND outbox.state <> 'fanned_out'`;

/**
 * The rows come as JSON, in the same order on every node, so that two nodes do not deadlock. Conditions on a state are written so that
 * they match no partial index: otherwise the server would read all of that index instead of going by the key.
 */
export const postgresTogether = {
  fanOutEvents: `
    UPDATE outbox SET state = 'fanned_out' FROM ${rowsOf(['merchant_id', 'id'])}
    WHERE outbox.merchant_id = c.merchant_id AND outbox.id = c.id AND outbox.state <> 'fanned_out'`,
  passEvents: passEvents(`merchant_id NOT IN (${among('?1')})`),
  passEventsOf: passEvents("merchant_id || '' = ?1"),
  // Locks the webhook: its removal then also finds these deliveries.
  addDeliveries: `
    INSERT INTO delivery (${columns}, ready_at)
    SELECT ${deliveryColumnsOf('c')}, c.due_at FROM ${rowsOf(deliveryColumns)} JOIN webhook w ON w.id = c.webhook_id
    WHERE NOT EXISTS (
      SELECT 1 FROM earlier_event b
      WHERE b.webhook_id = c.webhook_id AND b.merchant_id = c.merchant_id AND b.event_id = c.event_id
    )
    ORDER BY c.event_id, c.merchant_id, c.webhook_id FOR KEY SHARE OF w
    ON CONFLICT (event_id, merchant_id, webhook_id) DO NOTHING`,
  // A delivery that has ended meanwhile is neither changed nor counted again.
  settle: `
    WITH settled AS (
      UPDATE delivery SET state = c.state, due_at = c.due_at, ready_at = c.due_at, tries = c.tries, claimed_until = 0
      FROM ${rowsOf([...deliveryColumns, 'line'])}
      WHERE delivery.id = c.id AND delivery.state NOT IN ('delivered', 'dead')
      RETURNING delivery.merchant_id, delivery.id, c.line
    )
    INSERT INTO statistic_change (merchant_id, subject_id, revision, line)
    SELECT merchant_id, id, 0, line FROM settled WHERE line IS NOT NULL`,
  lineUp: `
    UPDATE delivery SET ready_at = GREATEST(delivery.due_at, f.front_at)
    FROM (SELECT DISTINCT c.webhook_id, c.merchant_id, c.subject_id FROM ${rowsOf(deliveryColumns)}) s
    CROSS JOIN LATERAL (
      SELECT d.id, MAX(d.due_at) OVER (ORDER BY d.revision RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS front_at
      FROM delivery d
      WHERE d.subject_id = s.subject_id AND d.merchant_id = s.merchant_id AND d.webhook_id = s.webhook_id AND d.state = 'due'
    ) f
    WHERE delivery.id = f.id AND delivery.ready_at <> GREATEST(delivery.due_at, f.front_at)`,
} as const;
