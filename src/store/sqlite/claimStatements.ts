import { scheduleColumns } from '../tables/schedules.ts';
import { dueReads } from '../tables/statements.ts';
import {
  deliveriesOfAll,
  deliveryColumns,
  hooks,
  isEarlierEvent,
  isForemost,
  isFree,
  misdatedDeliveryStatements,
  pendingEventReads,
  redeliveryStatements,
} from '../tables/webhooks.ts';

/** Statements of SQLite that answer rows from the writer, and those that take a list of merchants. */

const among = (place: string): string => `SELECT value FROM json_each(${place})`;

const claimSchedules = (merchants: string): string => `
  UPDATE schedule SET claimed_until = ?2 WHERE rowid IN (
    SELECT rowid FROM schedule
    WHERE next_at IS NOT NULL AND next_at <= ?1 AND ${isFree('claimed_until')} AND ${merchants} ORDER BY next_at, id LIMIT ?3
  )
  RETURNING ${scheduleColumns.join(', ')}`;

/** The foremost of each webhook, and of all these the foremost. */
const claimDeliveries = (way: string, merchants: string): string => `
  WITH RECURSIVE ${way}
  UPDATE delivery SET claimed_until = ?2 WHERE rowid IN (
    SELECT d.rowid FROM hook CROSS JOIN delivery d ON d.rowid IN (
      SELECT f.rowid FROM delivery f
      WHERE f.webhook_id = hook.id AND f.state = 'due' AND f.ready_at <= ?1 AND ${isFree('f.claimed_until')} AND ${merchants}
        AND ${isForemost('f')}
      ORDER BY f.ready_at, f.id LIMIT ?4
    )
    WHERE hook.id IS NOT NULL AND hook.id NOT IN (${among('?5')})
    ORDER BY d.ready_at, d.id LIMIT ?3
  )
  RETURNING ${deliveryColumns.join(', ')}`;

export const sqliteReturning = {
  claimSchedules: claimSchedules(`merchant_id NOT IN (${among('?4')})`),
  claimSchedulesOf: claimSchedules('merchant_id = ?4'),
  claimDeliveries: claimDeliveries(hooks(''), `f.merchant_id NOT IN (${among('?6')})`),
  claimDeliveriesOf: claimDeliveries(hooks('AND d.merchant_id = ?6'), 'f.merchant_id = ?6'),
  ...redeliveryStatements('json_array_length(tries)'),
  ...misdatedDeliveryStatements(among('?4')),
} as const;

const earlierEvents = (ofRegistration: 0 | 1): string => `
    SELECT e.merchant_id, e.id, e.entity_id, e.subject_id, e.revision, e.type, e.action, e.code, e.created_at, e.transaction_id, e.detail
    FROM page CROSS JOIN outbox e
    WHERE page.revision > 1 AND page.of_registration = ${ofRegistration} AND ${isEarlierEvent('e', ofRegistration)}`;

export const sqliteOnlyReads = {
  ...pendingEventReads(among('?1'), earlierEvents),
  deliveries: deliveriesOfAll((part) => part),
  ...dueReads(among('?3'), "json_extract(data, '$.movedAt')"),
} as const;
