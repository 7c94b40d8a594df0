import { latestFor, type MerchantFilter, matchesMerchant, SKEW_MS_MAX } from '../../merchants/merchantFilter.ts';
import type { Payment } from '../../payments/payment.ts';
import type { Commit, NewOutboxEvent } from '../../payments/ports.ts';
import type { Schedule } from '../../payments/schedule.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { Registration } from '../../registrations/registration.ts';
import { ATTEMPTS_KEPT_MAX, type DeliveryQuery, type RedeliveryRequest, type WebhookStore } from '../../webhooks/ports.ts';
import type { Delivery, OutboxEvent } from '../../webhooks/webhook.ts';
import { byDueAt, checkWebhook, fixedInWebhook } from '../areas/webhooks.ts';
import { queueLine } from './reports.ts';
import { type HeldDelivery, join, type StoredEvent, type Tables, type WhileOpen } from './tables.ts';

/** Outbox events in memory. */

const paymentEvent = ({ merchantId, id, revision, entityId }: Payment, event: NewOutboxEvent): StoredEvent => ({
  ...event,
  merchantId,
  entityId,
  subjectId: id,
  revision,
  about: 'payment',
  transactionId: null,
});

const registrationEvent = (
  { merchantId, id, revision, entityId }: Registration,
  event: NewOutboxEvent,
  transactionId: string,
): StoredEvent => ({ ...event, merchantId, entityId, subjectId: id, revision, about: 'registration', transactionId });

/** The transaction is the one that changes the schedule; outside of a commit it is the one that set the terms. */
export const scheduleEvent = (
  { merchantId, id, revision, entityId, transactionId }: Schedule,
  event: NewOutboxEvent,
  payment: Pick<Payment, 'id' | 'entityId'> = { id: transactionId, entityId },
): StoredEvent => ({
  ...event,
  merchantId,
  entityId: payment.entityId,
  subjectId: id,
  revision,
  about: 'schedule',
  transactionId: payment.id,
});

/** The events of a commit, with the instant of each. */
export function eventsOf({ payment, event, registration, schedule }: Commit): readonly (readonly [StoredEvent, number])[] {
  const { id, movedAt } = payment;
  return [
    ...(event ? [[paymentEvent(payment, event), movedAt] as const] : []),
    ...(registration?.event
      ? [[registrationEvent(registration.registration, registration.event, id), registration.registration.movedAt] as const]
      : []),
    ...(schedule?.event ? [[scheduleEvent(schedule.schedule, schedule.event, payment), movedAt] as const] : []),
  ];
}

/** A payment and a schedule with the same id are one subject: the transaction that makes a schedule has no event of its own. */
const changeOf = ({ merchantId, subjectId, revision, about }: StoredEvent): string =>
  join(about === 'registration' ? about : 'payment', merchantId, subjectId, String(revision));

export const isPosted = (tables: Tables, event: StoredEvent): boolean =>
  tables.outbox.has(join(event.merchantId, event.id)) || tables.changes.has(changeOf(event));

export function writeEvent(tables: Tables, event: StoredEvent, createdAt: number): void {
  const { merchantId, id, entityId, subjectId, revision, type, action, code, transactionId, detail = null } = event;
  tables.outbox.set(join(merchantId, id), event);
  tables.changes.add(changeOf(event));
  tables.fresh.set(join(merchantId, id), {
    merchantId,
    id,
    entityId,
    subjectId,
    revision,
    type,
    action,
    code,
    transactionId,
    detail,
    createdAt,
  });
}

type Of<Names extends keyof WebhookStore> = Pick<WebhookStore, Names>;

/** Webhooks, outbox events and deliveries in memory. */
export const webhookMethods = (tables: Tables, whileOpen: WhileOpen): WebhookStore => ({
  ...webhooksIn(tables, whileOpen),
  ...eventsIn(tables, whileOpen),
  ...wayOut(tables, whileOpen),
  ...listsIn(tables, whileOpen),
});

const oldestFirst = (one: OutboxEvent, other: OutboxEvent): number =>
  one.createdAt - other.createdAt || one.revision - other.revision || (one.id < other.id ? -1 : 1);
const keyOf = ({ merchantId, id }: OutboxEvent): string => join(merchantId, id);

function webhooksIn(
  { webhooks, deliveries, fresh, earlierEvents }: Tables,
  whileOpen: WhileOpen,
): Of<'webhooks' | 'addWebhook' | 'saveWebhook' | 'removeWebhook'> {
  return {
    webhooks: whileOpen(() =>
      [...webhooks.values()].sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1)),
    ),
    addWebhook: whileOpen((webhook) => {
      checkWebhook(webhook, true);
      if (webhooks.has(webhook.id)) throw new BrokenCommit('this webhook exists');
      webhooks.set(webhook.id, webhook);
      earlierEvents.set(webhook.id, new Set(fresh.keys()));
    }),
    saveWebhook: whileOpen((webhook) => {
      checkWebhook(webhook, false);
      const stored = webhooks.get(webhook.id);
      if (stored?.revision !== webhook.revision - 1) return false;
      if (!fixedInWebhook.every((name) => stored[name] === webhook[name])) {
        throw new BrokenCommit('the entity and the creation of a webhook are never updated');
      }
      webhooks.set(webhook.id, webhook);
      return true;
    }),
    removeWebhook: whileOpen((id) => {
      for (const [at, { delivery }] of deliveries) if (delivery.webhookId === id) deliveries.delete(at);
      earlierEvents.delete(id);
      return webhooks.delete(id);
    }),
  };
}

function eventsIn(tables: Tables, whileOpen: WhileOpen): Of<'pendingEvents' | 'saveFanOut' | 'passEvents' | 'deleteEvents'> {
  const { fresh, fannedOut, webhooks, deliveries, outbox, earlierEvents } = tables;
  return {
    pendingEvents: whileOpen((merchants, limit) => {
      const all = [...fresh.values()].filter(({ merchantId }) => matchesMerchant(merchants, merchantId)).sort(oldestFirst);
      const page = all.slice(0, limit);
      const isEarlier = (one: OutboxEvent) =>
        page.some(
          ({ merchantId, subjectId, revision }) =>
            merchantId === one.merchantId && subjectId === one.subjectId && revision > one.revision,
        );
      return [...page, ...all.slice(limit).filter(isEarlier)].sort(oldestFirst);
    }),
    saveFanOut: whileOpen((some, ways) => {
      const placeOf = ({ webhookId, event }: Delivery) => join(webhookId, keyOf(event));
      const known = new Set([...deliveries.values()].map(({ delivery }) => placeOf(delivery)));
      const added = ways.filter(
        (one) =>
          webhooks.has(one.webhookId) && !earlierEvents.get(one.webhookId)?.has(keyOf(one.event)) && !known.has(placeOf(one)),
      );
      if (added.some((one) => deliveries.has(one.id))) throw new BrokenCommit('this delivery is of another event');
      for (const delivery of added) deliveries.set(delivery.id, { delivery, claimedUntil: Number.NEGATIVE_INFINITY });
      for (const event of some) if (fresh.delete(keyOf(event))) fannedOut.set(keyOf(event), event);
    }),
    passEvents: whileOpen((merchants, limit) => {
      if (webhooks.size > 0) return 0;
      const all = [...fresh].filter(([, { merchantId }]) => matchesMerchant(merchants, merchantId));
      const page = all.sort(([, one], [, other]) => oldestFirst(one, other)).slice(0, limit);
      for (const [at, event] of page) {
        fresh.delete(at);
        fannedOut.set(at, event);
      }
      return page.length;
    }),
    deleteEvents: whileOpen((before) => {
      const ended = [...deliveries].filter(([, { delivery }]) => delivery.state !== 'due' && delivery.dueAt < before);
      for (const [at] of ended) deliveries.delete(at);
      const old = [...fannedOut].filter(([, { createdAt }]) => createdAt < before);
      for (const [at] of old) {
        fannedOut.delete(at);
        outbox.delete(at);
      }
      return ended.length + old.length;
    }),
  };
}

const subjectOf = ({ webhookId, event }: Delivery): string => join(webhookId, event.merchantId, event.subjectId);

/** Due deliveries without an earlier one of the same subject, the longest overdue first. */
function foremost({ deliveries }: Tables): HeldDelivery[] {
  const due = [...deliveries.values()].filter(({ delivery }) => delivery.state === 'due');
  const earliest = new Map<string, number>();
  for (const { delivery } of due) {
    const known = earliest.get(subjectOf(delivery)) ?? Number.POSITIVE_INFINITY;
    earliest.set(subjectOf(delivery), Math.min(known, delivery.event.revision));
  }
  return due
    .filter(({ delivery }) => delivery.event.revision === earliest.get(subjectOf(delivery)))
    .sort(({ delivery: one }, { delivery: other }) => byDueAt(one, other));
}

function wayOut(
  tables: Tables,
  whileOpen: WhileOpen,
): Of<'claimDeliveries' | 'saveDeliveries' | 'redeliver' | 'correctMisdatedDeliveries' | 'nextDeliveryAt'> {
  const { deliveries } = tables;
  return {
    claimDeliveries: whileOpen(({ now, until, limit, each, skip, merchants }) => {
      const taken = new Map<string, number>();
      const isForNow = ({ delivery: { webhookId, dueAt, event }, claimedUntil }: HeldDelivery) =>
        dueAt <= now &&
        (claimedUntil <= now || claimedUntil - SKEW_MS_MAX > until) &&
        !skip.includes(webhookId) &&
        matchesMerchant(merchants, event.merchantId);
      const claimed = foremost(tables)
        .filter(isForNow)
        .filter(({ delivery: { webhookId } }) => {
          taken.set(webhookId, (taken.get(webhookId) ?? 0) + 1);
          return (taken.get(webhookId) ?? 0) <= each;
        });
      return claimed.slice(0, limit).map(({ delivery }) => {
        deliveries.set(delivery.id, { delivery, claimedUntil: until });
        return delivery;
      });
    }),
    saveDeliveries: whileOpen((some, counted = []) => {
      for (const [at, { id, state, dueAt, tries }] of some.entries()) {
        const stored = deliveries.get(id)?.delivery;
        if (stored?.state !== 'due') continue;
        const line = counted[at];
        if (line) queueLine(tables, { merchantId: stored.event.merchantId, subjectId: id, revision: 0, line });
        const delivery = { ...stored, state, dueAt, tries };
        deliveries.set(id, { delivery, claimedUntil: Number.NEGATIVE_INFINITY });
      }
    }),
    redeliver: whileOpen((which, dueAt) => {
      const ids = which.ids && new Set(which.ids);
      const again = [...deliveries].filter(
        ([, { delivery }]) =>
          isAsked(which, delivery) && ids?.has(delivery.id) !== false && delivery.tries.length < ATTEMPTS_KEPT_MAX,
      );
      for (const [at, { delivery, claimedUntil }] of again) {
        deliveries.set(at, { delivery: { ...delivery, state: 'due', dueAt, earlierTries: delivery.tries.length }, claimedUntil });
      }
      return again.length;
    }),
    correctMisdatedDeliveries: whileOpen((query) => recall(tables, query)),
    nextDeliveryAt: whileOpen(
      (merchantId) => foremost(tables).find(({ delivery }) => delivery.event.merchantId === merchantId)?.delivery.dueAt ?? null,
    ),
  };
}

function recall(
  { deliveries }: Tables,
  { now, merchants }: { readonly now: number; readonly merchants: MerchantFilter },
): number {
  const isFresh = ({ createdAt, dueAt, tries }: Delivery) => tries.length === 0 && Math.min(createdAt, dueAt) > now + SKEW_MS_MAX;
  const recalled = [...deliveries].filter(
    ([, { delivery }]) =>
      delivery.state === 'due' &&
      matchesMerchant(merchants, delivery.event.merchantId) &&
      (isFresh(delivery) || delivery.dueAt > latestFor('delivery', now)),
  );
  for (const [at, { delivery }] of recalled) {
    deliveries.set(at, { delivery: { ...delivery, dueAt: now }, claimedUntil: Number.NEGATIVE_INFINITY });
  }
  return recalled.length;
}

const isAsked = ({ webhookId, state, from, to }: RedeliveryRequest, { webhookId: its, state: now, event }: Delivery): boolean =>
  its === webhookId &&
  (state === undefined || now === state) &&
  (from === undefined || event.createdAt >= from) &&
  (to === undefined || event.createdAt < to);

const newestFirst = (one: Pick<Delivery, 'createdAt' | 'id'>, other: Pick<Delivery, 'createdAt' | 'id'>): number =>
  other.createdAt - one.createdAt || (one.id === other.id ? 0 : one.id < other.id ? 1 : -1);

function listsIn({ deliveries }: Tables, whileOpen: WhileOpen): Of<'delivery' | 'deliveries' | 'countDeliveries'> {
  return {
    delivery: whileOpen((webhookId, id) => {
      const found = deliveries.get(id)?.delivery;
      return found?.webhookId === webhookId ? found : null;
    }),
    deliveries: whileOpen(({ after, limit, ...query }: DeliveryQuery) =>
      [...deliveries.values()]
        .map(({ delivery }) => delivery)
        .filter((delivery) => isAsked(query, delivery) && (after === undefined || newestFirst(after, delivery) < 0))
        .sort(newestFirst)
        .slice(0, limit),
    ),
    countDeliveries: whileOpen((webhookId) => {
      const count = { due: 0, delivered: 0, dead: 0 };
      for (const { delivery } of deliveries.values()) if (delivery.webhookId === webhookId) count[delivery.state] += 1;
      return count;
    }),
  };
}
