import { SKEW_MS_MAX } from '../../merchants/merchantFilter.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import { ATTEMPTS_KEPT_MAX, type DeliveryQuery } from '../../webhooks/ports.ts';
import type { Delivery, OutboxEvent, Webhook } from '../../webhooks/webhook.ts';
import type { Cell } from './payments.ts';

/** Every statement about webhooks, outbox events and deliveries, in the form of statements.ts. Claims: see claimStatements.ts. */

const webhookColumns = 'id, entity_id, state, created_at, revision, data';

/** In the order of deliveryCells. */
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

/** An event of the outbox, under the names that a delivery has for it. */
export const eventColumns =
  'merchant_id, id AS event_id, entity_id, subject_id, revision, type, action, code, created_at AS event_at, transaction_id, detail';

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

type EarlierEvents = (ofRegistration: 0 | 1) => string;
const eventNames = 'merchant_id, event_id, entity_id, subject_id, revision, type, action, code, event_at, transaction_id, detail';

/** What is not fanned out yet of the subject of `page`, before its revision. The state is written so that it matches no partial index. */
export const isEarlierEvent = (one: string, ofRegistration: 0 | 1): string =>
  `${one}.of_registration = ${ofRegistration} AND ${one}.merchant_id = page.merchant_id AND ${one}.subject_id = page.subject_id
      AND ${one}.revision < page.revision AND ${one}.state || '' = 'new'`;

/** Along the index delivery_list. */
const listed = (state: string): string => `
    SELECT ${columns} FROM delivery
    WHERE webhook_id = ?1 AND state = ${state} AND (created_at, id) < (?2, ?3) AND event_at >= ?4 AND event_at < ?5`;
export const newestFirst = 'ORDER BY created_at DESC, id DESC LIMIT ?6';

/**
 * No earlier event of the same subject is due to the same webhook. The order is that of the index
 * delivery_subject: PostgreSQL would take one that begins with the webhook while it does not know the table yet.
 */
export const isForemost = (one: string): string => `(
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

/** No claim lasts beyond ?1. A claim that ends far behind our own, at ?2, was made by a clock that has been set back since. */
export const isFree = (claimedUntil: string): string => `(${claimedUntil} <= ?1 OR ${claimedUntil} - ${SKEW_MS_MAX} > ?2)`;

/** Steps from webhook to webhook, whatever is due to each: `hook` has the ids of webhooks with due deliveries, and null at its end. */
export const hooks = (merchants: string): string => `hook (id) AS (
    SELECT (SELECT d.webhook_id FROM delivery d WHERE d.state = 'due' ${merchants} AND d.webhook_id > '' ORDER BY d.webhook_id LIMIT 1)
    UNION ALL
    SELECT (
      SELECT d.webhook_id FROM delivery d WHERE d.state = 'due' ${merchants} AND d.webhook_id > hook.id ORDER BY d.webhook_id LIMIT 1
    )
    FROM hook WHERE hook.id IS NOT NULL
  )`;

/** The columns under their own names, of an alias. */
export const deliveryColumnsOf = (one: string): string => deliveryColumns.map((name) => `${one}.${name}`).join(', ');

export const webhookReads = {
  webhooks: `SELECT ${webhookColumns} FROM webhook ORDER BY created_at, id`,
  delivery: `SELECT ${columns} FROM delivery WHERE id = ?1`,
  deliveriesIn: `${listed('?7')} ${newestFirst}`,
  countDeliveries: 'SELECT state, count(*) AS number FROM delivery WHERE webhook_id = ?1 GROUP BY state',
  nextDeliveryAt: `
    WITH RECURSIVE ${hooks('AND d.merchant_id = ?1')}
    SELECT MIN((
      SELECT f.ready_at FROM delivery f
      WHERE f.merchant_id = ?1 AND f.webhook_id = hook.id AND f.state = 'due' AND ${isForemost('f')}
      ORDER BY f.ready_at, f.id LIMIT 1
    )) AS number
    FROM hook WHERE hook.id IS NOT NULL`,
} as const;

/** SQLite goes along the index in three places at once; PostgreSQL takes a page from each place first. */
export const deliveriesOfAll = (page: (part: string) => string): string =>
  `${deliveryStates.map((state) => page(listed(`'${state}'`))).join(' UNION ALL ')} ${newestFirst}`;

/**
 * The databases unfold a list of merchants each in their own way. With the bare column SQLite would read and sort all events of a
 * merchant.
 */
export const pendingEventReads = (list: string, earlier: EarlierEvents) =>
  ({
    pendingEvents: pendingEvents(`merchant_id NOT IN (${list})`, earlier),
    pendingEventsOf: pendingEvents("merchant_id || '' = ?1", earlier),
  }) as const;

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

export const misdatedDeliveryStatements = (list: string) => ({
  correctMisdatedDeliveries: correctMisdated(hooks(''), `d.merchant_id NOT IN (${list})`),
  correctMisdatedDeliveriesOf: correctMisdated(hooks('AND d.merchant_id = ?4'), 'd.merchant_id = ?4'),
});

const eventWithin = 'event_at >= ?3 AND event_at < ?4';

/** Statements that return rows. A portion of `redeliver` begins behind the last row of the portion before. */
export function redeliveryStatements(attempts: string) {
  const markDue = `UPDATE delivery SET state = 'due', due_at = ?2, ready_at = ?2, earlier_tries = ${attempts}`;
  const isOpen = `${attempts} < ${ATTEMPTS_KEPT_MAX}`;
  return {
    redeliver: `
      ${markDue} WHERE id IN (
        SELECT id FROM delivery
        WHERE webhook_id = ?1 AND state = ?5 AND (created_at, id) > (?6, ?7) AND ${eventWithin} AND ${isOpen}
        ORDER BY created_at, id LIMIT ?8
      )
      RETURNING created_at, id`,
    // An expression that no index has: the row is found by its id.
    redeliverOne: `
      ${markDue} WHERE id = ?5 AND webhook_id || '' = ?1 AND state = COALESCE(?6, state) AND ${eventWithin} AND ${isOpen}
      RETURNING created_at, id`,
  } as const;
}

/** In whatever state. */
export const hasNoWebhook = 'NOT EXISTS (SELECT 1 FROM webhook)';

/** Of SQLite, along the index outbox_new. */
const passEvents = (merchants: string): string => `
    UPDATE outbox SET state = 'fanned_out' WHERE ${hasNoWebhook} AND rowid IN (
      SELECT rowid FROM outbox WHERE state = 'new' AND created_at >= 0 AND ${merchants} ORDER BY created_at LIMIT ?2
    )`;

export const webhookWrites = {
  addWebhook: `INSERT INTO webhook (${webhookColumns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6)`,
  // Writes the origin too, so that the guards refuse another origin.
  saveWebhook: `
    UPDATE webhook SET entity_id = ?2, state = ?3, created_at = ?4, revision = ?5, data = ?6 WHERE id = ?1 AND revision + 1 = ?5`,
  // The events that happened before the webhook was added and wait for their fan-out.
  noteEarlierEvents: `
    INSERT INTO earlier_event (webhook_id, merchant_id, event_id)
    SELECT ?1, merchant_id, id FROM outbox WHERE state = 'new' AND created_at >= 0`,
  removeWebhook: 'DELETE FROM webhook WHERE id = ?1',
  forgetEarlierEvents: 'DELETE FROM earlier_event WHERE webhook_id = ?1',
  // In portions, so that no commit waits long behind it.
  clearWebhook: `
    DELETE FROM delivery WHERE id IN (SELECT id FROM delivery WHERE webhook_id = ?1 LIMIT ?2)`,
  deleteDeliveries: `
    DELETE FROM delivery WHERE id IN
      (SELECT id FROM delivery WHERE state <> 'due' AND due_at < ?1 ORDER BY due_at LIMIT ?2)`,
  deleteEvents: `
    DELETE FROM outbox WHERE (merchant_id, id) IN
      (SELECT merchant_id, id FROM outbox WHERE state = 'fanned_out' AND created_at < ?1 ORDER BY created_at LIMIT ?2)`,
  // As long as the event is there a slow node may still fan it out.
  deleteEarlierEvents: `
    DELETE FROM earlier_event WHERE NOT EXISTS (
      SELECT 1 FROM outbox o WHERE o.merchant_id = earlier_event.merchant_id AND o.id = earlier_event.event_id
    )`,
  // Of SQLite: a list of pairs of merchant and id. CROSS says which table comes first.
  fanOutEvents: `
    UPDATE outbox SET state = 'fanned_out' WHERE state || '' = 'new' AND rowid IN (
      SELECT o.rowid FROM json_each(?1) CROSS JOIN outbox o
      WHERE o.merchant_id = json_extract(value, '$[0]') AND o.id = json_extract(value, '$[1]')
    )`,
  passEvents: passEvents('merchant_id NOT IN (SELECT value FROM json_each(?1))'),
  passEventsOf: passEvents("merchant_id || '' = ?1"),
  addDelivery: `
    INSERT INTO delivery (${columns}, ready_at)
    SELECT ${deliveryColumns.map((_, index) => `?${index + 1}`).join(', ')}, ?13
    WHERE EXISTS (SELECT 1 FROM webhook WHERE id = ?2)
      AND NOT EXISTS (SELECT 1 FROM earlier_event WHERE webhook_id = ?2 AND merchant_id = ?3 AND event_id = ?4)
      AND NOT EXISTS (SELECT 1 FROM delivery WHERE webhook_id = ?2 AND merchant_id = ?3 AND event_id = ?4)`,
  // A delivery that has ended meanwhile stays as it is: a late response does not make it due again.
  settleDelivery: `
    UPDATE delivery SET state = ?2, due_at = ?3, ready_at = ?3, tries = ?4, claimed_until = 0 WHERE id = ?1 AND state = 'due'`,
  lineUp: `
    UPDATE delivery SET ready_at = ${readyAt}
    WHERE webhook_id = ?1 AND merchant_id = ?2 AND subject_id = ?3 AND revision >= ?4 AND state = 'due'
      AND ready_at <> ${readyAt}`,
} as const;

/** Rows of the tables of webhooks as they are read. 64-bit columns come as text from PostgreSQL. */

export type WebhookRow = {
  readonly id: string;
  readonly entity_id: string;
  readonly state: Webhook['state'];
  readonly created_at: string | number;
  readonly revision: string | number;
  readonly data: string;
};

export const webhookOf = (row: WebhookRow): Webhook => ({
  ...(JSON.parse(row.data) as Webhook),
  id: row.id,
  entityId: row.entity_id,
  state: row.state,
  createdAt: Number(row.created_at),
  revision: Number(row.revision),
});

/** In the order of the columns above. */
export function webhookCells({ id, entityId, state, createdAt, revision, ...rest }: Webhook) {
  return [id, entityId, state, createdAt, revision, JSON.stringify(rest)] as const satisfies Cell[];
}

/** What no change may touch in a webhook that is there. */
export const fixedInWebhook = ['entityId', 'createdAt'] as const satisfies readonly (keyof Webhook)[];

/** Throws when a webhook contradicts itself, so that every driver refuses the same ones before anything is touched. */
export function checkWebhook({ id, revision }: Webhook, isNew: boolean): void {
  const isCounted = Number.isSafeInteger(revision) && (isNew ? revision === 1 : revision > 1);
  if (!isCounted || id === '') throw new BrokenCommit(`a webhook at revision ${revision} is not the one that is meant`);
}

export type EventRow = {
  readonly merchant_id: string;
  readonly event_id: string;
  readonly entity_id: string;
  readonly subject_id: string;
  readonly revision: string | number;
  readonly type: OutboxEvent['type'];
  readonly action: OutboxEvent['action'];
  readonly code: string;
  readonly event_at: string | number;
  readonly transaction_id: string | null;
  readonly detail: string | null;
};

export const eventOf = (row: EventRow): OutboxEvent => ({
  merchantId: row.merchant_id,
  id: row.event_id,
  entityId: row.entity_id,
  subjectId: row.subject_id,
  revision: Number(row.revision),
  type: row.type,
  action: row.action,
  code: row.code,
  createdAt: Number(row.event_at),
  transactionId: row.transaction_id,
  detail: row.detail === null ? null : (JSON.parse(row.detail) as OutboxEvent['detail']),
});

export type DeliveryRow = EventRow & {
  readonly id: string;
  readonly webhook_id: string;
  readonly state: Delivery['state'];
  readonly due_at: string | number;
  readonly tries: string;
  readonly created_at: string | number;
  readonly earlier_tries: string | number;
};

export const deliveryOf = (row: DeliveryRow): Delivery => ({
  id: row.id,
  webhookId: row.webhook_id,
  event: eventOf(row),
  state: row.state,
  dueAt: Number(row.due_at),
  tries: JSON.parse(row.tries) as Delivery['tries'],
  createdAt: Number(row.created_at),
  earlierTries: Number(row.earlier_tries),
});

/** The longest overdue first. */
export const byDueAt = (one: Delivery, other: Delivery): number => one.dueAt - other.dueAt || (one.id < other.id ? -1 : 1);

export const deliveryStates = ['due', 'delivered', 'dead'] as const satisfies readonly Delivery['state'][];

/** In the order of deliveryColumns above. */
export function deliveryCells({ id, webhookId, event, state, dueAt, tries, createdAt, earlierTries }: Delivery) {
  return [
    id,
    webhookId,
    event.merchantId,
    event.id,
    event.entityId,
    event.subjectId,
    event.revision,
    event.type,
    event.action,
    event.code,
    event.createdAt,
    state,
    dueAt,
    JSON.stringify(tries),
    createdAt,
    event.transactionId,
    event.detail && JSON.stringify(event.detail),
    earlierTries,
  ] as const satisfies Cell[];
}

/** The places of the statements that list deliveries. */
export function listCells({ webhookId, from, to, after, limit }: DeliveryQuery) {
  const behind = [after?.createdAt ?? Number.MAX_SAFE_INTEGER, after?.id ?? ''] as const;
  return [webhookId, ...behind, ...boundsOf(from, to), limit] as const satisfies Cell[];
}

/** An open end is as far away as can be. */
export const boundsOf = (from: number | undefined, to: number | undefined): readonly [number, number] => [
  from ?? Number.MIN_SAFE_INTEGER,
  to ?? Number.MAX_SAFE_INTEGER,
];

export type CountRow = { readonly state: Delivery['state']; readonly number: string | number };

export function countsOf(rows: readonly CountRow[]): Record<Delivery['state'], number> {
  const numberOf = (state: Delivery['state']) => Number(rows.find((row) => row.state === state)?.number ?? 0);
  return { due: numberOf('due'), delivered: numberOf('delivered'), dead: numberOf('dead') };
}

export type RedeliveredRow = { readonly created_at: string | number; readonly id: string };
type Portion = (state: Delivery['state'], behind: readonly [number, string]) => Promise<readonly RedeliveredRow[]>;

/**
 * Portion after portion, so that commits come in between. Those that are due come first: what has ended is due afterwards, and would be
 * met once more.
 */
export async function redeliverInPortions(state: Delivery['state'] | undefined, size: number, portion: Portion): Promise<number> {
  let sum = 0;
  for (const one of state === undefined ? deliveryStates : [state]) {
    let behind: readonly [number, string] = [Number.MIN_SAFE_INTEGER, ''];
    for (let count = size; count === size; ) {
      const rows = await portion(one, behind);
      count = rows.length;
      sum += count;
      behind = rows.map((row) => [Number(row.created_at), row.id] as const).reduce(later, behind);
    }
  }
  return sum;
}

const later = (one: readonly [number, string], other: readonly [number, string]): readonly [number, string] =>
  one[0] > other[0] || (one[0] === other[0] && one[1] > other[1]) ? one : other;
