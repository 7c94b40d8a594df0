import assert from 'node:assert/strict';
import fc from 'fast-check';
import { allMerchants } from '../../src/merchants/merchantFilter.ts';
import type { Store } from '../../src/store/store.ts';
import { type Delivery, eventTypes, type OutboxEvent, type Webhook } from '../../src/webhooks/webhook.ts';
import { NOW, nextId } from './storeFixtures.ts';

/** An active webhook by default. */
export const webhook = (changes: Partial<Webhook> = {}): Webhook => ({
  id: nextId(),
  entityId: 'psp',
  name: 'Shop',
  url: 'https://shop.example/hook',
  types: ['PAYMENT'],
  fields: 'ALL',
  wrapper: 'JSON',
  state: 'active',
  why: null,
  keys: [{ id: 'k1', createdAt: NOW, until: null }],
  failingSince: null,
  createdAt: NOW,
  changedAt: NOW,
  revision: 1,
  ...changes,
});

export const onward = (from: Webhook, changes: Partial<Webhook> = {}): Webhook => ({
  ...from,
  revision: from.revision + 1,
  ...changes,
});

/** The event of an approved payment by default. */
export const outboxEvent = (changes: Partial<OutboxEvent> = {}): OutboxEvent => ({
  merchantId: 'merchant',
  id: nextId(),
  entityId: 'channel',
  subjectId: nextId(),
  revision: 1,
  transactionId: null,
  type: 'PAYMENT',
  action: null,
  code: '000.100.110',
  detail: null,
  createdAt: NOW,
  ...changes,
});

/** Due at once. */
export const delivery = (webhookId: string, changes: Partial<Delivery> = {}): Delivery => ({
  id: nextId(),
  webhookId,
  event: outboxEvent(),
  state: 'due',
  dueAt: NOW,
  tries: [],
  earlierTries: 0,
  createdAt: NOW,
  ...changes,
});

export const failed = { at: NOW, status: 500, ms: 12, why: 'the status was 500' } as const;
export const answered = { at: NOW + 1, status: 200, ms: 3, why: null } as const;

/** Adds a webhook; answers its id. */
export async function hook(store: Store, changes: Partial<Webhook> = {}): Promise<string> {
  const made = webhook(changes);
  await store.addWebhook(made);
  return made.id;
}

/** Puts deliveries on their way; answers them. */
export async function send(store: Store, ...some: readonly Delivery[]): Promise<readonly Delivery[]> {
  await store.saveFanOut([], some);
  return some;
}

export const asked = { now: NOW, until: NOW + 60, limit: 100, each: 100, skip: [], merchants: allMerchants } as const;

/** Expects these deliveries to be claimed, in this order. */
export async function claims(
  store: Store,
  expected: readonly (Delivery | undefined)[],
  changes: Partial<Parameters<Store['claimDeliveries']>[0]> = {},
): Promise<void> {
  assert.deepEqual(await store.claimDeliveries({ ...asked, ...changes }), expected);
}

const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((value) => value.replaceAll('\0', ''));
/** What is kept inside JSON may be stranger than what a column holds. */
const anyText = fc.oneof(text, fc.constantFrom('\0', '\ud800', '\u2028', '"\\', '__proto__', 'constructor', ''));
const time = fc.integer({ min: 0, max: 8_640_000_000_000_000 });
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });

/** A webhook with everything in it that one may hold. */
export const webhooks: fc.Arbitrary<Webhook> = fc
  .record({
    entityId: text.map((name) => `e${name}`),
    name: anyText,
    url: anyText,
    types: fc.subarray([...eventTypes]),
    fields: fc.constantFrom('ALL' as const, 'NON_CUSTOMER_DATA' as const),
    wrapper: fc.constantFrom('NONE' as const, 'JSON' as const),
    state: fc.constantFrom('unproven' as const, 'active' as const, 'paused' as const, 'off' as const),
    why: orNull(anyText),
    keys: fc.array(
      fc.record({ id: anyText, createdAt: time, until: orNull(time) }).map((key) => ({ ...key })),
      { maxLength: 2 },
    ),
    failingSince: orNull(time),
    createdAt: time,
    movedAt: time,
  })
  .map((changes) => webhook({ ...changes }));

/** A delivery with everything in it that one may hold. */
export const deliveries: fc.Arbitrary<Omit<Delivery, 'webhookId'>> = fc
  .record({
    event: fc
      .record({
        merchantId: text.map((name) => `m${name}`),
        entityId: text.map((name) => `e${name}`),
        subjectId: text.map((name) => `s${name}`),
        revision: fc.integer({ min: 1, max: 2 ** 40 }),
        type: fc.constantFrom(...eventTypes),
        action: orNull(fc.constantFrom('CREATED' as const, 'UPDATED' as const, 'DELETED' as const)),
        code: text,
        createdAt: time,
        transactionId: orNull(text),
        detail: orNull(fc.dictionary(anyText, anyText, { noNullPrototype: true })),
      })
      .map((changes) => outboxEvent({ ...changes })),
    state: fc.constantFrom('due' as const, 'delivered' as const, 'dead' as const),
    dueAt: time,
    tries: fc.array(
      fc.record({ at: time, status: orNull(fc.nat(599)), ms: fc.nat(30_000), why: orNull(anyText) }).map((one) => ({ ...one })),
      { maxLength: 4 },
    ),
    earlierTries: fc.nat(4),
    createdAt: time,
  })
  .map((changes) => ({ ...delivery('', { ...changes }), id: nextId() }));
