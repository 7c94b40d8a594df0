import { ATTEMPTS_KEPT_MAX } from '../../webhooks/ports.ts';
import type { Delivery } from '../../webhooks/webhook.ts';
import { type BulkStatement, type ByMerchant, isFree, postgresWords, sqliteWords } from '../database.ts';

/** Statements about webhooks, outbox events and deliveries. */

const webhookColumns = 'id, entity_id, state, created_at, revision, data';

/** In the order of `deliveryCells`. */
export const deliveryColumns = [
  'id',
  'webhook_id',
  'merchant_id',
  'event_id',
  'entity_id',
  'subject_id',
  'revision',
  'type',
  'action',
  'code',
  'event_at',
  'state',
  'due_at',
  'tries',
  'created_at',
  'transaction_id',
  'detail',
  'earlier_tries',
] as const;
const columns = deliveryColumns.join(', ');
/** The columns under their own names, of an alias. */
const columnsOf = (one: string): string => deliveryColumns.map((name) => `${one}.${name}`).join(', ');

/** An event of the outbox, under the names that a delivery has for it. */
export const eventColumns =
  'merchant_id, id AS event_id, entity_id, subject_id, revision, type, action, code, created_at AS event_at, transaction_id, detail';
const eventNames = 'merchant_id, event_id, entity_id, subject_id, revision, type, action, code, event_at, transaction_id, detail';

const numbers: ReadonlySet<string> = new Set(['revision', 'event_at', 'due_at', 'created_at', 'done_at', 'earlier_tries']);
const rowsOf = (names: readonly string[]): string =>
  `json_to_recordset(?1::text::json) AS c (${names.map((name) => `${name} ${numbers.has(name) ? 'bigint' : 'text'}`).join(', ')})`;

/** In PostgreSQL the order of bytes, as the columns have it. */
const postgresAmong = (place: string): string => `${postgresWords.among(place)} COLLATE "C"`;

type EarlierEvents = (ofRegistration: 0 | 1) => string;

/** Events of the subject of `page` before its revision that are not fanned out yet. The condition on the state matches no partial index. */
const isEarlierEvent = (one: string, ofRegistration: 0 | 1): string =>
  `${one}.of_registration = ${ofRegistration} AND ${one}.merchant_id = page.merchant_id AND ${one}.subject_id = page.subject_id
      AND ${one}.revision < page.revision AND ${one}.state || '' = 'new'`;

const sqliteEarlier: EarlierEvents = (ofRegistration) => `
    SELECT e.merchant_id, e.id, e.entity_id, e.subject_id, e.revision, e.type, e.action, e.code, e.created_at, e.transaction_id, e.detail
    FROM page CROSS JOIN outbox e
    WHERE page.revision > 1 AND page.of_registration = ${ofRegistration} AND ${isEarlierEvent('e', ofRegistration)}`;

/** OFFSET 0 keeps the server from joining the whole outbox, whose share in a page it cannot know. */
const postgresEarlier: EarlierEvents = (ofRegistration) => `
    SELECT e.* FROM page CROSS JOIN LATERAL (
      SELECT ${eventColumns} FROM outbox WHERE ${isEarlierEvent('outbox', ofRegistration)} OFFSET 0
    ) e
    WHERE page.revision > 1 AND page.of_registration = ${ofRegistration}`;

/**
 * Along the index outbox_new. There is no cursor: an event with an earlier instant may become visible later. `earlier` selects, along the
 * index outbox_change or outbox_registration_change, the earlier events of the subjects of a page.
 */
const pendingEvents = (merchants: string, earlier: EarlierEvents): string => `
    WITH page AS (
      SELECT ${eventColumns}, of_registration FROM outbox
      WHERE state = 'new' AND created_at >= 0 AND ${merchants} ORDER BY created_at, revision, id LIMIT ?2
    )
    SELECT ${eventNames} FROM page UNION ${earlier(0)} UNION ${earlier(1)}
    ORDER BY event_at, revision, event_id`;

/** Along the index delivery_list. */
const listed = (state: string): string => `
    SELECT ${columns} FROM delivery
    WHERE webhook_id = ?1 AND state = ${state} AND (created_at, id) < (?2, ?3) AND event_at >= ?4 AND event_at < ?5`;
const newestFirst = 'ORDER BY created_at DESC, id DESC LIMIT ?6';

export const deliveryStates = ['due', 'delivered', 'dead'] as const satisfies readonly Delivery['state'][];

/** SQLite goes along the index in three places at the same time; PostgreSQL takes a page from each place first. */
const inAllStates = (page: (part: string) => string): string =>
  `${deliveryStates.map((state) => page(listed(`'${state}'`))).join(' UNION ALL ')} ${newestFirst}`;

/**
 * No earlier event of the same subject is due to the same webhook. The order is that of the index
 * delivery_subject: PostgreSQL would take one that begins with the webhook while it does not know the table yet.
 */
const isForemost = (one: string): string => `(
      SELECT e.revision FROM delivery e
      WHERE e.webhook_id = ${one}.webhook_id AND e.merchant_id = ${one}.merchant_id AND e.subject_id = ${one}.subject_id
        AND e.state = 'due' AND e.revision < ${one}.revision
      ORDER BY e.revision LIMIT 1
    ) IS NULL`;

/** The earliest instant at which a due delivery can be sent: its own, or that of an earlier one of the same subject. */
const readyAt = `(
      SELECT MAX(e.due_at) FROM delivery e
      WHERE e.webhook_id = delivery.webhook_id AND e.merchant_id = delivery.merchant_id AND e.subject_id = delivery.subject_id
        AND e.state = 'due' AND (e.revision < delivery.revision OR e.id = delivery.id)
    )`;

/** Steps from webhook to webhook, however many deliveries each has: `hook` has the ids of those with due deliveries, and null at its end. */
export const hooks = (merchants: string): string => `hook (id) AS (
    SELECT (SELECT d.webhook_id FROM delivery d WHERE d.state = 'due' ${merchants} AND d.webhook_id > '' ORDER BY d.webhook_id LIMIT 1)
    UNION ALL
    SELECT (
      SELECT d.webhook_id FROM delivery d WHERE d.state = 'due' ${merchants} AND d.webhook_id > hook.id ORDER BY d.webhook_id LIMIT 1
    )
    FROM hook WHERE hook.id IS NOT NULL
  )`;
const ofOneHooks = (place: string): string => hooks(`AND d.merchant_id = ${place}`);

/** The foremost due deliveries of each webhook, and the first of all of them. */
const sqliteClaim = (way: string, merchants: string): string => `
  WITH RECURSIVE ${way}
  UPDATE delivery SET claimed_until = ?2 WHERE rowid IN (
    SELECT d.rowid FROM hook CROSS JOIN delivery d ON d.rowid IN (
      SELECT f.rowid FROM delivery f
      WHERE f.webhook_id = hook.id AND f.state = 'due' AND f.ready_at <= ?1 AND ${isFree('f.claimed_until')} AND ${merchants}
        AND ${isForemost('f')}
      ORDER BY f.ready_at, f.id LIMIT ?4
    )
    WHERE hook.id IS NOT NULL AND hook.id NOT IN (${sqliteWords.among('?5')})
    ORDER BY d.ready_at, d.id LIMIT ?3
  )
  RETURNING ${columns}`;

const postgresClaim = (way: string, merchants: string): string => `
  WITH RECURSIVE ${way},
  picked AS (
    SELECT d.id FROM hook CROSS JOIN LATERAL (
      SELECT f.id, f.ready_at FROM delivery f
      WHERE f.webhook_id = hook.id AND f.state = 'due' AND f.ready_at <= ?1 AND ${isFree('f.claimed_until')} AND ${merchants}
        AND ${isForemost('f')}
      ORDER BY f.ready_at, f.id LIMIT ?4 FOR UPDATE SKIP LOCKED
    ) d
    WHERE hook.id IS NOT NULL AND hook.id NOT IN (${postgresAmong('?5')})
    ORDER BY d.ready_at, d.id LIMIT ?3
  )
  UPDATE delivery u SET claimed_until = ?2 FROM picked WHERE u.id = picked.id
  RETURNING ${columnsOf('u')}`;

/** From webhook to webhook, along the indexes delivery_list and delivery_due. */
const correctMisdated = (way: string, merchants: string): string => `
  WITH RECURSIVE ${way}
  UPDATE delivery SET due_at = ?1, ready_at = ?1, claimed_until = 0 WHERE id IN (
    SELECT d.id FROM hook CROSS JOIN delivery d
    WHERE d.webhook_id = hook.id AND d.state = 'due' AND d.created_at > ?2 AND d.due_at > ?2 AND d.tries = '[]' AND ${merchants}
    UNION ALL
    SELECT d.id FROM hook CROSS JOIN delivery d
    WHERE d.webhook_id = hook.id AND d.state = 'due' AND d.ready_at > ?3 AND d.due_at > ?3 AND ${merchants}
  )
  RETURNING id`;

/** Whatever the state of the webhooks. */
const hasNoWebhook = 'NOT EXISTS (SELECT 1 FROM webhook)';

/** Along the index outbox_new. */
const sqlitePass = (merchants: string): string => `
    UPDATE outbox SET state = 'fanned_out' WHERE ${hasNoWebhook} AND rowid IN (
      SELECT rowid FROM outbox WHERE state = 'new' AND created_at >= 0 AND ${merchants} ORDER BY created_at LIMIT ?2
    )`;

/** Other nodes pass other events in the meantime. */
const postgresPass = (merchants: string): string => `
    UPDATE outbox SET state = 'fanned_out' FROM (
      SELECT merchant_id, id FROM outbox WHERE state = 'new' AND created_at >= 0 AND ${merchants}
      ORDER BY created_at LIMIT ?2 FOR UPDATE SKIP LOCKED
    ) c
    WHERE ${hasNoWebhook} AND outbox.merchant_id = c.merchant_id AND outbox.id = c.id AND outbox.state <> 'fanned_out'`;

const eventWithin = 'event_at >= ?3 AND event_at < ?4';
const attempts = { sqlite: 'json_array_length(tries)', postgres: 'json_array_length(tries::json)' } as const;
const markDue = (count: string): string =>
  `UPDATE delivery SET state = 'due', due_at = ?2, ready_at = ?2, earlier_tries = ${count}`;
/** A batch begins behind the last row of the batch before. */
const redeliver = (count: string): string => `
      ${markDue(count)} WHERE id IN (
        SELECT id FROM delivery
        WHERE webhook_id = ?1 AND state = ?5 AND (created_at, id) > (?6, ?7) AND ${eventWithin} AND ${count} < ${ATTEMPTS_KEPT_MAX}
        ORDER BY created_at, id LIMIT ?8
      )
      RETURNING created_at, id`;
/** An expression that no index has: the row is found by its id. */
const redeliverOne = (count: string): string => `
      ${markDue(count)} WHERE id = ?5 AND webhook_id || '' = ?1 AND state = COALESCE(?6, state) AND ${eventWithin}
        AND ${count} < ${ATTEMPTS_KEPT_MAX}`;

export const webhookStatements = {
  webhooks: `SELECT ${webhookColumns} FROM webhook ORDER BY created_at, id`,
  addWebhook: `INSERT INTO webhook (${webhookColumns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6)`,
  // Writes the origin too, so that the guards refuse another origin.
  saveWebhook: `
    UPDATE webhook SET entity_id = ?2, state = ?3, created_at = ?4, revision = ?5, data = ?6 WHERE id = ?1 AND revision + 1 = ?5`,
  removeWebhook: 'DELETE FROM webhook WHERE id = ?1',
  // The events that happened before the webhook was added and are not fanned out yet.
  noteEarlierEvents: `
    INSERT INTO earlier_event (webhook_id, merchant_id, event_id)
    SELECT ?1, merchant_id, id FROM outbox WHERE state = 'new' AND created_at >= 0`,
  forgetEarlierEvents: 'DELETE FROM earlier_event WHERE webhook_id = ?1',
  // As long as the event is there a slow node may still fan it out.
  deleteEarlierEvents: `
    DELETE FROM earlier_event WHERE NOT EXISTS (
      SELECT 1 FROM outbox o WHERE o.merchant_id = earlier_event.merchant_id AND o.id = earlier_event.event_id
    )`,
} as const;

/**
 * The rows of PostgreSQL come in the same order on every node, so that two nodes do not deadlock. Conditions on a state are written so that
 * they match no partial index: otherwise the server would read all of that index instead of using the key.
 */
export const eventStatements = {
  // With the bare column SQLite would read and sort all events of a merchant.
  pendingEvents: {
    ofAll: {
      sqlite: pendingEvents(`merchant_id NOT IN (${sqliteWords.among('?1')})`, sqliteEarlier),
      postgres: pendingEvents(`merchant_id NOT IN (${postgresAmong('?1')})`, postgresEarlier),
    },
    ofOne: {
      sqlite: pendingEvents("merchant_id || '' = ?1", sqliteEarlier),
      postgres: pendingEvents("merchant_id || '' = ?1", postgresEarlier),
    },
  } satisfies ByMerchant,
  // CROSS says which table comes first.
  fanOutEvents: {
    columns: ['merchant_id', 'id'],
    sqlite: "UPDATE outbox SET state = 'fanned_out' WHERE merchant_id = ?1 AND id = ?2 AND state || '' = 'new'",
    postgres: `
    UPDATE outbox SET state = 'fanned_out' FROM ${rowsOf(['merchant_id', 'id'])}
    WHERE outbox.merchant_id = c.merchant_id AND outbox.id = c.id AND outbox.state <> 'fanned_out'`,
  } satisfies BulkStatement,
  passEvents: {
    ofAll: {
      sqlite: sqlitePass(`merchant_id NOT IN (${sqliteWords.among('?1')})`),
      postgres: postgresPass(`merchant_id NOT IN (${postgresAmong('?1')})`),
    },
    ofOne: { sqlite: sqlitePass("merchant_id || '' = ?1"), postgres: postgresPass("merchant_id || '' = ?1") },
  } satisfies ByMerchant,
  deleteEvents: `
    DELETE FROM outbox WHERE (merchant_id, id) IN
      (SELECT merchant_id, id FROM outbox WHERE state = 'fanned_out' AND created_at < ?1 ORDER BY created_at LIMIT ?2)`,
} as const;

export const deliveryStatements = {
  delivery: `SELECT ${columns} FROM delivery WHERE id = ?1`,
  deliveries: { sqlite: inAllStates((part) => part), postgres: inAllStates((part) => `(${part} ${newestFirst})`) },
  deliveriesIn: `${listed('?7')} ${newestFirst}`,
  countDeliveries: 'SELECT state, count(*) AS number FROM delivery WHERE webhook_id = ?1 GROUP BY state',
  nextDeliveryAt: `
    WITH RECURSIVE ${ofOneHooks('?1')}
    SELECT MIN((
      SELECT f.ready_at FROM delivery f
      WHERE f.merchant_id = ?1 AND f.webhook_id = hook.id AND f.state = 'due' AND ${isForemost('f')}
      ORDER BY f.ready_at, f.id LIMIT 1
    )) AS number
    FROM hook WHERE hook.id IS NOT NULL`,
  // PostgreSQL locks the webhook: its removal then also finds these deliveries.
  addDeliveries: {
    columns: deliveryColumns,
    sqlite: `
    INSERT INTO delivery (${columns}, ready_at)
    SELECT ${deliveryColumns.map((_, index) => `?${index + 1}`).join(', ')}, ?13
    WHERE EXISTS (SELECT 1 FROM webhook WHERE id = ?2)
      AND NOT EXISTS (SELECT 1 FROM earlier_event WHERE webhook_id = ?2 AND merchant_id = ?3 AND event_id = ?4)
      AND NOT EXISTS (SELECT 1 FROM delivery WHERE webhook_id = ?2 AND merchant_id = ?3 AND event_id = ?4)`,
    postgres: `
    INSERT INTO delivery (${columns}, ready_at)
    SELECT ${columnsOf('c')}, c.due_at FROM ${rowsOf(deliveryColumns)} JOIN webhook w ON w.id = c.webhook_id
    WHERE NOT EXISTS (
      SELECT 1 FROM earlier_event b
      WHERE b.webhook_id = c.webhook_id AND b.merchant_id = c.merchant_id AND b.event_id = c.event_id
    )
    ORDER BY c.event_id, c.merchant_id, c.webhook_id FOR KEY SHARE OF w
    ON CONFLICT (event_id, merchant_id, webhook_id) DO NOTHING`,
  } satisfies BulkStatement,
  claimDeliveries: {
    ofAll: {
      sqlite: sqliteClaim(hooks(''), `f.merchant_id NOT IN (${sqliteWords.among('?6')})`),
      postgres: postgresClaim(hooks(''), `f.merchant_id NOT IN (${postgresAmong('?6')})`),
    },
    ofOne: {
      sqlite: sqliteClaim(ofOneHooks('?6'), 'f.merchant_id = ?6'),
      postgres: postgresClaim(ofOneHooks('?6'), 'f.merchant_id = ?6'),
    },
  } satisfies ByMerchant,
  // A delivery that has ended in the meantime stays as it is: a late response does not make it due again, and it is not counted again.
  // SQLite counts in a step of its own, before it settles.
  countSettled: {
    columns: ['id', 'line'],
    sqlite: `
    INSERT INTO statistic_change (merchant_id, subject_id, revision, line)
    SELECT merchant_id, id, 0, ?2 FROM delivery WHERE id = ?1 AND state = 'due'`,
    postgres: null,
  } satisfies BulkStatement,
  settle: {
    columns: ['id', 'state', 'due_at', 'tries'],
    sqlite: `
    UPDATE delivery SET state = ?2, due_at = ?3, ready_at = ?3, tries = ?4, claimed_until = 0 WHERE id = ?1 AND state = 'due'`,
    postgres: null,
  } satisfies BulkStatement,
  settleAndCount: {
    columns: ['id', 'state', 'due_at', 'tries', 'line'],
    sqlite: null,
    postgres: `
    WITH settled AS (
      UPDATE delivery SET state = c.state, due_at = c.due_at, ready_at = c.due_at, tries = c.tries, claimed_until = 0
      FROM ${rowsOf(['id', 'state', 'due_at', 'tries', 'line'])}
      WHERE delivery.id = c.id AND delivery.state NOT IN ('delivered', 'dead')
      RETURNING delivery.merchant_id, delivery.id, c.line
    )
    INSERT INTO statistic_change (merchant_id, subject_id, revision, line)
    SELECT merchant_id, id, 0, line FROM settled WHERE line IS NOT NULL`,
  } satisfies BulkStatement,
  // After the deliveries themselves, so that it finds all deliveries of a subject in their places.
  lineUp: {
    columns: ['webhook_id', 'merchant_id', 'subject_id', 'revision'],
    sqlite: `
    UPDATE delivery SET ready_at = ${readyAt}
    WHERE webhook_id = ?1 AND merchant_id = ?2 AND subject_id = ?3 AND revision >= ?4 AND state = 'due'
      AND ready_at <> ${readyAt}`,
    postgres: `
    UPDATE delivery SET ready_at = GREATEST(delivery.due_at, f.front_at)
    FROM (
      SELECT DISTINCT c.webhook_id, c.merchant_id, c.subject_id
      FROM ${rowsOf(['webhook_id', 'merchant_id', 'subject_id', 'revision'])}
    ) s
    CROSS JOIN LATERAL (
      SELECT d.id, MAX(d.due_at) OVER (ORDER BY d.revision RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS front_at
      FROM delivery d
      WHERE d.subject_id = s.subject_id AND d.merchant_id = s.merchant_id AND d.webhook_id = s.webhook_id AND d.state = 'due'
    ) f
    WHERE delivery.id = f.id AND delivery.ready_at <> GREATEST(delivery.due_at, f.front_at)`,
  } satisfies BulkStatement,
  redeliver: { sqlite: redeliver(attempts.sqlite), postgres: redeliver(attempts.postgres) },
  redeliverOne: { sqlite: redeliverOne(attempts.sqlite), postgres: redeliverOne(attempts.postgres) },
  correctMisdated: {
    ofAll: {
      sqlite: correctMisdated(hooks(''), `d.merchant_id NOT IN (${sqliteWords.among('?4')})`),
      postgres: correctMisdated(hooks(''), `d.merchant_id NOT IN (${postgresAmong('?4')})`),
    },
    ofOne: correctMisdated(ofOneHooks('?4'), 'd.merchant_id = ?4'),
  } satisfies ByMerchant,
  // In batches, so that no commit is delayed for long.
  clearWebhook: `
    DELETE FROM delivery WHERE id IN (SELECT id FROM delivery WHERE webhook_id = ?1 LIMIT ?2)`,
  deleteDeliveries: `
    DELETE FROM delivery WHERE id IN
      (SELECT id FROM delivery WHERE state <> 'due' AND due_at < ?1 ORDER BY due_at LIMIT ?2)`,
} as const;
