import { latestFor, SKEW_MS_MAX } from '../../merchants/merchantFilter.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { DeliveryQuery, WebhookStore } from '../../webhooks/ports.ts';
import type { Delivery, OutboxEvent, Webhook } from '../../webhooks/webhook.ts';
import {
  type Cell,
  type Database,
  DELETE_BATCH,
  deleteInBatches,
  each,
  forMerchants,
  needed,
  type Step,
  step,
} from '../database.ts';
import { deliveryStatements, deliveryStates, eventStatements, webhookStatements } from './deliveryStatements.ts';

/** Webhooks, outbox events and deliveries. */

export const webhookMethods = (db: Database): WebhookStore => ({
  webhooks: async () => (await db.read<WebhookRow>(webhookStatements.webhooks)).map(webhookOf),
  addWebhook: async (webhook) => {
    checkWebhook(webhook, true);
    await db.write(
      step(webhookStatements.addWebhook, ...webhookCells(webhook)),
      step(webhookStatements.noteEarlierEvents, webhook.id),
    );
  },
  saveWebhook: async (webhook) => {
    checkWebhook(webhook, false);
    return (await db.write(step(webhookStatements.saveWebhook, ...webhookCells(webhook)))) > 0;
  },
  removeWebhook: (id) => removeWebhook(db, id),
  ...eventMethods(db),
  ...deliveryMethods(db),
  ...deliveryLists(db),
});

/** Deletes most deliveries first, in batches; then the webhook and the rest in one transaction. */
async function removeWebhook(db: Database, id: string): Promise<boolean> {
  const { clearWebhook } = deliveryStatements;
  while ((await db.write(step(clearWebhook, id, DELETE_BATCH))) === DELETE_BATCH) {}
  // The webhook first: this waits for transactions that add deliveries to it, and none can add any afterwards.
  const changed = await db.write(
    needed(webhookStatements.removeWebhook, id),
    step(clearWebhook, id, Number.MAX_SAFE_INTEGER),
    step(webhookStatements.forgetEarlierEvents, id),
  );
  return changed > 0;
}

const eventMethods = (db: Database): Pick<WebhookStore, 'pendingEvents' | 'saveFanOut' | 'passEvents' | 'deleteEvents'> => ({
  pendingEvents: async (merchants, limit) => {
    const [statement, cell] = forMerchants(eventStatements.pendingEvents, merchants);
    return (await db.read<EventRow>(statement, cell, limit)).map(eventOf);
  },
  saveFanOut: async (events, deliveries) => {
    // In one order on every node, so that two nodes do not deadlock.
    const [orderedEvents, ordered] = [events.toSorted(byName), deliveries.toSorted(byId)];
    await db.write(
      each(
        eventStatements.fanOutEvents,
        orderedEvents.map(({ merchantId, id }) => [merchantId, id]),
      ),
      each(deliveryStatements.addDeliveries, ordered.map(deliveryCells)),
      lineUp(ordered),
    );
  },
  passEvents: (merchants, limit) => {
    const [statement, cell] = forMerchants(eventStatements.passEvents, merchants);
    return db.write(step(statement, cell, limit));
  },
  deleteEvents: async (before) => {
    await db.write(step(webhookStatements.deleteEarlierEvents));
    const deliveries = await deleteInBatches(db, deliveryStatements.deleteDeliveries, before);
    return deliveries + (await deleteInBatches(db, eventStatements.deleteEvents, before));
  },
});

const byId = (one: Delivery, other: Delivery): number => (one.id < other.id ? -1 : 1);
const byName = (one: OutboxEvent, other: OutboxEvent): number =>
  one.merchantId === other.merchantId ? (one.id < other.id ? -1 : 1) : one.merchantId < other.merchantId ? -1 : 1;

const lineUp = (deliveries: readonly Delivery[]): Step =>
  each(
    deliveryStatements.lineUp,
    deliveries.map(({ webhookId, event: { merchantId, subjectId, revision } }) => [webhookId, merchantId, subjectId, revision]),
  );

type Delivering = 'claimDeliveries' | 'saveDeliveries' | 'redeliver' | 'correctMisdatedDeliveries' | 'nextDeliveryAt';

const deliveryMethods = (db: Database): Pick<WebhookStore, Delivering> => ({
  claimDeliveries: async ({ now, until, limit, each: most, skip, merchants }) => {
    const [statement, cell] = forMerchants(deliveryStatements.claimDeliveries, merchants);
    const rows = await db.returning<DeliveryRow>(statement, now, until, limit, most, JSON.stringify(skip), cell);
    return rows.map(deliveryOf).sort(byDueAt);
  },
  saveDeliveries: async (deliveries, counted = []) => {
    const lineOf = new Map(deliveries.map(({ id }, at) => [id, counted[at] ?? null]));
    const ordered = deliveries.toSorted(byId);
    const outcomes = ordered.map(({ id, state, dueAt, tries }): Cell[] => [id, state, dueAt, JSON.stringify(tries)]);
    const { countSettled, settle, settleAndCount } = deliveryStatements;
    const counts = ordered.flatMap(({ id }): Cell[][] => (lineOf.get(id) ? [[id, lineOf.get(id) ?? null]] : []));
    await db.write(
      each(countSettled, counts),
      each(settle, outcomes),
      each(
        settleAndCount,
        ordered.map(({ id }, at) => [...(outcomes[at] ?? []), lineOf.get(id) ?? null]),
      ),
      lineUp(ordered),
    );
  },
  redeliver: async ({ webhookId, state, from, to, ids }, dueAt) => {
    const cells = [webhookId, dueAt, ...boundsOf(from, to)] as const;
    if (!ids) {
      return redeliverInBatches(state, (one, cursor) =>
        db.returning<RedeliveredRow>(deliveryStatements.redeliver, ...cells, one, ...cursor, DELETE_BATCH),
      );
    }
    return db.write(...ids.toSorted().map((id) => step(deliveryStatements.redeliverOne, ...cells, id, state ?? null)));
  },
  correctMisdatedDeliveries: async ({ now, merchants }) => {
    const [statement, cell] = forMerchants(deliveryStatements.correctMisdated, merchants);
    return (await db.returning(statement, now, now + SKEW_MS_MAX, latestFor('delivery', now), cell)).length;
  },
  nextDeliveryAt: async (merchantId) => {
    const [row] = await db.read<{ readonly number: number | string | null }>(deliveryStatements.nextDeliveryAt, merchantId);
    return row?.number == null ? null : Number(row.number);
  },
});

type RedeliveredRow = { readonly created_at: string | number; readonly id: string };
type Cursor = readonly [createdAt: number, id: string];
type RedeliverBatch = (state: Delivery['state'], cursor: Cursor) => Promise<readonly RedeliveredRow[]>;

/**
 * Batch after batch, so that commits come in between. Due deliveries come first: those that had ended are due afterwards, and would be
 * found a second time.
 */
async function redeliverInBatches(state: Delivery['state'] | undefined, batch: RedeliverBatch): Promise<number> {
  let sum = 0;
  for (const one of state === undefined ? deliveryStates : [state]) {
    let cursor: Cursor = [Number.MIN_SAFE_INTEGER, ''];
    for (let count = DELETE_BATCH; count === DELETE_BATCH; ) {
      const rows = await batch(one, cursor);
      count = rows.length;
      sum += count;
      cursor = rows.map((row): Cursor => [Number(row.created_at), row.id]).reduce(later, cursor);
    }
  }
  return sum;
}

const later = (one: Cursor, other: Cursor): Cursor =>
  one[0] > other[0] || (one[0] === other[0] && one[1] > other[1]) ? one : other;

const deliveryLists = (db: Database): Pick<WebhookStore, 'delivery' | 'deliveries' | 'countDeliveries'> => ({
  delivery: async (webhookId, id) => {
    const [row] = await db.read<DeliveryRow>(deliveryStatements.delivery, id);
    return row?.webhook_id === webhookId ? deliveryOf(row) : null;
  },
  deliveries: async (query) => {
    const rows =
      query.state === undefined
        ? db.read<DeliveryRow>(deliveryStatements.deliveries, ...listCells(query))
        : db.read<DeliveryRow>(deliveryStatements.deliveriesIn, ...listCells(query), query.state);
    return (await rows).map(deliveryOf);
  },
  countDeliveries: async (webhookId) => countsOf(await db.read<CountRow>(deliveryStatements.countDeliveries, webhookId)),
});

/** PostgreSQL returns large integers as strings. */

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

/** In the order of the columns. */
function webhookCells({ id, entityId, state, createdAt, revision, ...rest }: Webhook) {
  return [id, entityId, state, createdAt, revision, JSON.stringify(rest)] as const satisfies Cell[];
}

/** Fields of a stored webhook that no change may touch. */
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

/** In the order of `deliveryColumns`. */
function deliveryCells({ id, webhookId, event, state, dueAt, tries, createdAt, earlierTries }: Delivery) {
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
function listCells({ webhookId, from, to, after, limit }: DeliveryQuery) {
  const cursor = [after?.createdAt ?? Number.MAX_SAFE_INTEGER, after?.id ?? ''] as const;
  return [webhookId, ...cursor, ...boundsOf(from, to), limit] as const satisfies Cell[];
}

/** An open end is as far away as can be. */
const boundsOf = (from: number | undefined, to: number | undefined): readonly [number, number] => [
  from ?? Number.MIN_SAFE_INTEGER,
  to ?? Number.MAX_SAFE_INTEGER,
];

type CountRow = { readonly state: Delivery['state']; readonly number: string | number };

function countsOf(rows: readonly CountRow[]): Record<Delivery['state'], number> {
  const numberOf = (state: Delivery['state']) => Number(rows.find((row) => row.state === state)?.number ?? 0);
  return { due: numberOf('due'), delivered: numberOf('delivered'), dead: numberOf('dead') };
}
