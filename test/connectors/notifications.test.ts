import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { defineConnector } from '../../src/connectors/kind.ts';
import type { AcquirerNotification, Capability } from '../../src/payments/ports.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { freshShops } from '../http/freshShops.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';

const card: Capability = {
  types: ['DB', 'RF'],
  partialCapture: false,
  multipleCaptures: false,
  redirects: false,
  reversal: null,
};

/** A connector whose notifications are believed as they are: what the core does with them is tried here. */
const believer = defineConnector<object>({
  name: 'believer',
  title: 'Believer',
  modes: ['EXTERNAL'],
  supports: { CC: card },
  accounts: { settings: {}, secrets: {} },
  steps: {},
  create: (_needs, { name }) => ({
    name,
    modes: ['EXTERNAL'],
    supports: { CC: card },
    answerMsMax: 1_000,
    uncertainty: { learnedBy: 'notification', lateMs: 1_000, cancelBindsLate: false, absenceIsProof: false },
    send: async () => ({ is: 'waiting', reference: 'theirs' }),
    inquire: async () => ({ is: 'waiting' }),
    cancel: async () => ({ is: 'waiting' }),
    readNotification: async ({ body }) => {
      const json = JSON.parse(Buffer.from(body).toString('utf8')) as AcquirerNotification & { readonly amount?: string };
      return { is: 'read', notifications: [json] };
    },
  }),
});

const { shops, rows } = freshShops(2, {
  connectors: { default: 'acc' },
  accounts: { acc: { connector: 'believer', settings: {} } },
});
const [shop = assert.fail('no shop'), other = assert.fail('no other shop')] = shops;
const store = createMemoryStore();
let gateway: TestGateway;

before(async () => {
  gateway = await startGateway({ store, rows, connectorKinds: new Map([['believer', believer]]) });
});
after(() => gateway.close());

async function pay(): Promise<{ readonly id: string; readonly result: { readonly code: string } }> {
  const reply = await fetch(`${gateway.url}/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.merchant.token}` },
    body: new URLSearchParams({
      entityId: shop.channels[0]?.entityId ?? '',
      testMode: 'EXTERNAL',
      paymentType: 'DB',
      paymentBrand: 'VISA',
      amount: '12.00',
      currency: 'EUR',
      'card.number': '4200000000000000',
      'card.holder': 'Ann Example',
      'card.expiryMonth': '05',
      'card.expiryYear': '2034',
    }),
  });
  return (await reply.json()) as Awaited<ReturnType<typeof pay>>;
}

async function notify(notification: object, to = shop): Promise<number> {
  // Records of one millisecond have no order.
  gateway.pass(1_000);
  const path = `/v1/connectors/believer/${to.merchant.entityId}.acc/notifications`;
  const reply = await fetch(`${gateway.url}${path}`, { method: 'POST', body: JSON.stringify({ data: {}, ...notification }) });
  await reply.text();
  return reply.status;
}

const typesOf = async (id: string): Promise<readonly string[]> =>
  (await gateway.world.store.family(shop.merchant.entityId, id))?.payments.map(({ paymentType }) => paymentType) ?? [];

test('a dispute that comes before the approval, and a reversal before its chargeback, are sent again until they fit', async () => {
  const { id, result } = await pay();
  assert.match(result.code, /^000\.200/);
  assert.equal((await gateway.world.store.payment(shop.merchant.entityId, id))?.reference, 'theirs');
  const about = { merchantId: shop.merchant.entityId, paymentId: id };
  const approval = { id: 'e1', about, event: { is: 'answer', answer: { is: 'approved', details: {} } } };
  const chargeback = { id: 'e2', about, event: { is: 'chargeback', amount: null, code: '000.100.220' } };
  const reversal = { id: 'e3', about, event: { is: 'chargebackReversal', amount: null, code: null } };
  assert.deepEqual([await notify(reversal), await notify(chargeback)], [503, 503]);
  assert.deepEqual(await typesOf(id), ['DB']);
  assert.equal(await notify(approval), 200);
  assert.equal(await notify(reversal), 503);
  assert.deepEqual([await notify(chargeback), await notify(chargeback)], [200, 200]);
  assert.deepEqual([await notify(reversal), await notify(reversal)], [200, 200]);
  assert.deepEqual(await typesOf(id), ['DB', 'CB', 'CR']);
});

test('what is about no payment of this gateway is acknowledged and changes nothing', async () => {
  const about = { merchantId: shop.merchant.entityId, paymentId: 'f'.repeat(32) };
  assert.equal(await notify({ id: 'e4', about, event: { is: 'answer', answer: { is: 'approved', details: {} } } }), 200);
  assert.equal(await notify({ id: 'e5', about: null, event: { is: 'kept' } }), 200);
});

test('an approval of another amount, currency or type is not believed', async () => {
  const { id } = await pay();
  const about = { merchantId: shop.merchant.entityId, paymentId: id };
  const approval = (event: string, claims: object) => ({
    id: event,
    about,
    event: { is: 'answer', answer: { is: 'approved', details: {} }, claims },
  });
  for (const [event, claims] of [
    ['c1', { currency: 'USD' }],
    ['c2', { paymentType: 'PA', currency: 'EUR' }],
    ['c3', { paymentType: 'DB', currency: 'EUR', amount: 1_300 }],
  ] as const) {
    assert.equal(await notify(approval(event, claims)), 200);
    assert.notEqual((await gateway.world.store.payment(about.merchantId, id))?.phase.at, 'final', event);
  }
  const alarms = gateway.lines.filter((line) => line.includes('approves something else'));
  assert.equal(alarms.length, 3);
  assert.equal(await notify(approval('c4', { paymentType: 'DB', currency: 'EUR' })), 200);
  assert.equal((await gateway.world.store.payment(about.merchantId, id))?.phase.at, 'final');
});

test('an account of another merchant cannot speak of a payment that it did not take', async () => {
  const { id } = await pay();
  const about = { merchantId: shop.merchant.entityId, paymentId: id };
  const approval = { id: 'e6', about, event: { is: 'answer', answer: { is: 'approved', details: {} } } };
  assert.equal(await notify(approval, other), 200);
  const before = await gateway.world.store.payment(shop.merchant.entityId, id);
  assert.notEqual(before?.phase.at, 'final');
  assert.deepEqual(
    await store.documents({
      collection: 'acquirerNotification',
      ownerId: `${about.merchantId}.${id}`,
      limit: 9,
    }),
    [],
  );
  assert.equal(await notify(approval), 200);
  assert.equal((await gateway.world.store.payment(shop.merchant.entityId, id))?.phase.at, 'final');
});

test('notifications are kept as long as a payment can be disputed', async () => {
  const { id } = await pay();
  const about = { merchantId: shop.merchant.entityId, paymentId: id };
  assert.equal(await notify({ id: 'kept', about, event: { is: 'kept' } }), 200);
  const kept = () => store.documents({ collection: 'acquirerNotification', ownerId: `${about.merchantId}.${id}`, limit: 10 });
  await gateway.work('delete old acquirer notifications');
  assert.equal((await kept()).length, 1);
  gateway.pass(571 * 86_400_000);
  await gateway.work('delete old acquirer notifications');
  assert.deepEqual(await kept(), []);
});
