import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { onlyMerchant } from '../../src/merchants/merchantFilter.ts';
import { releaseAuthorisations } from '../../src/payments/releaseAuthorisations.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';
import { createAdministrator } from './administrator.ts';
import { createClient, DEMO, type Reply } from './client.ts';
import { createClockClient, createWebhookReceiver, DAY_MS, type ReceivedEvent, receivedBy } from './clockFixture.ts';
import { startGateway } from './gateway.ts';
import { signedInAs } from './userFixture.ts';

/** An authorisation ends: captures and reversals are refused, the rest is released, and the merchant hears of it. */

const folder = mkdtempSync(join(tmpdir(), 'turnpike-validity-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const stores: Readonly<Record<string, () => Promise<Store>>> = {
  memory: async () => createMemoryStore(),
  sqlite: () => openSqliteStore({ path: join(folder, 'end.db') }),
};

const OPERATOR = 'an operator of tests, 32 characters or more';
const PAID = '000.100.110';
const TOO_LATE = { CP: '700.300.400', RV: '700.300.700' } as const;
const RAISE = {
  paymentType: 'PA',
  'standingInstruction.industryPractice': 'INCREMENTAL_AUTH',
  'standingInstruction.source': 'MIT',
  'standingInstruction.mode': 'REPEATED',
  'standingInstruction.type': 'UNSCHEDULED',
  'standingInstruction.recurringType': 'STANDING_ORDER',
  'card.cvv': '',
} as const;
const MASTER = { paymentBrand: 'MASTER', 'card.number': '5454545454545454' } as const;

async function shopOn(open: () => Promise<Store>, context: { after(end: () => unknown): void }) {
  const store = await open();
  const gateway = await startGateway({ store, operatorToken: OPERATOR });
  context.after(() => gateway.close());
  const [shop, clock, admin] = [createClient(gateway.url), createClockClient(gateway.url), createAdministrator(gateway.url)];
  await clock.freeze();
  const balances = async (): Promise<Readonly<Record<string, string>>> => {
    const { body } = await admin.ask('GET', `/balances?entityId=${DEMO.merchantId}`);
    const accounts = (body.balances[0]?.accounts ?? {}) as Readonly<Record<string, string>>;
    return Object.fromEntries(Object.entries(accounts).filter(([, sum]) => Number(sum) !== 0));
  };
  const reserved = async () => {
    const { reserve, contra } = await balances();
    return [reserve, contra];
  };
  return { store, gateway, shop, clock, admin, balances, reserved };
}

const instantIn = (reply: Reply): number =>
  Date.parse(String(reply.body.resultDetails.CaptureBefore).replace(' ', 'T').replace('+0000', 'Z'));
const released = (events: readonly ReceivedEvent[]) =>
  events.filter(({ payload }) => (payload.resultDetails as { ReversalReason?: string })?.ReversalReason !== undefined);

for (const [name, open] of Object.entries(stores))
  test(`${name}: what is not captured in time is released, once and in one commit with its webhook`, async (context) => {
    const { gateway, shop, clock, admin, balances, reserved } = await shopOn(open, context);
    const receiver = await createWebhookReceiver(gateway);
    const began = await clock.now();
    const made = await shop.pay({ paymentType: 'PA', merchantTransactionId: 'order-0001' });
    assert.equal(made.code, PAID);
    assert.equal(instantIn(made), Math.floor(began / 1_000) * 1_000 + 7 * DAY_MS);
    assert.equal((await shop.capture(made.id, '40.00')).code, PAID);
    assert.deepEqual(await balances(), { reserve: '52.00', contra: '-52.00', merchant: '40.00', acquirer: '-40.00' });

    await clock.move({ by: 'P6DT23H' });
    assert.equal((await shop.capture(made.id, '2.00')).code, PAID);
    await clock.move({ by: 'PT2H' });
    const refused = await shop.capture(made.id, '1.00');
    assert.equal(refused.code, TOO_LATE.CP);
    assert.match(refused.body.result.description, /valid until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+0000, send a new PA$/);
    assert.equal((await shop.reverse(made.id)).code, TOO_LATE.RV);
    assert.deepEqual(released(receivedBy(receiver)), [], 'nothing is released in the first day');
    assert.equal((await balances()).reserve, '50.00');

    await clock.move({ by: 'P23D' });
    // What was captured has been settled meanwhile.
    assert.deepEqual(await reserved(), [undefined, undefined]);
    const [heard, ...others] = released(receivedBy(receiver));
    assert.deepEqual(others, []);
    const { payload } = heard ?? assert.fail('the merchant heard nothing');
    assert.deepEqual(
      [
        payload.paymentType,
        payload.amount,
        payload.currency,
        payload.referencedId,
        payload.source,
        payload.merchantTransactionId,
      ],
      ['RV', '50.00', 'EUR', made.id, 'SYSTEM', 'order-0001'],
    );
    assert.deepEqual(payload.resultDetails, { ReversalReason: 'AUTHORIZATION_EXPIRED' });
    assert.equal((payload.result as { code: string }).code, PAID);

    assert.deepEqual(
      [(await shop.capture(made.id, '1.00')).code, (await shop.reverse(made.id)).code],
      [TOO_LATE.CP, TOO_LATE.RV],
    );
    assert.equal((await shop.pay({ ...RAISE, referenceUuid: made.id })).code, TOO_LATE.CP);
    const { body } = await shop.read(made.id);
    assert.deepEqual([body.capturedAmount, body.reversedAmount, body.remainingAmount], ['42.00', '50.00', '0.00']);
    const linked = await shop.send('GET', `/v1/query/${made.id}`, { includeLinkedTransactions: 'true' });
    const release = linked.body.payments.find(({ id }: { id: string }) => id === payload.id);
    assert.equal(release.resultDetails.ReversalReason, 'AUTHORIZATION_EXPIRED');
    const page = await admin.ask('GET', `/payments/${payload.id}`);
    assert.deepEqual(page.body.payment.status, { kind: 'expired' });
    const seen = await admin.ask('GET', `/payments/${made.id}`);
    assert.equal(Date.parse(seen.body.payment.captureBefore), began + 7 * DAY_MS);
    type Entry = { readonly paymentId: string | null; readonly what: string; readonly tone: string };
    const told = seen.body.timeline.find(({ paymentId }: Entry) => paymentId === payload.id) as Entry;
    assert.deepEqual([told.what, told.tone], ['release', 'plain'], 'no reversal of the merchant');
    assert.ok(seen.body.acts.every(({ act, refusal }: { act: string; refusal: object | null }) => act === 'refund' || refusal));
    await clock.move({ by: 'P365D' });
    assert.equal(released(receivedBy(receiver)).length, 1, 'it is released once');
    // Captured money goes on as before.
    const captures = linked.body.payments.filter((one: { paymentType: string }) => one.paymentType === 'CP' && one);
    assert.equal((await shop.refund(captures[0].id, '40.00')).code, PAID);
    assert.equal((await shop.refer(captures[1].id, { paymentType: 'CB', amount: '2.00', currency: 'EUR' })).code, '000.100.200');
    assert.deepEqual(await reserved(), [undefined, undefined]);
  });

test('an increment that the scheme lets extend it moves the end, and the raised total is released together', async (context) => {
  const { gateway, shop, clock, reserved } = await shopOn(stores.memory ?? assert.fail(), context);
  const receiver = await createWebhookReceiver(gateway);
  const began = await clock.now();
  const [visa, master] = [await shop.pay({ paymentType: 'PA' }), await shop.pay({ paymentType: 'PA', ...MASTER })];
  assert.equal(Math.floor((instantIn(master) - began) / DAY_MS + 0.01), 30);
  await clock.move({ by: 'P5D' });
  const raise = { ...RAISE, amount: '8.00' };
  const raised = [
    await shop.pay({ ...raise, referenceUuid: visa.id }),
    await shop.pay({ ...raise, ...MASTER, referenceUuid: master.id }),
  ];
  assert.deepEqual(
    raised.map(({ code }) => code),
    [PAID, PAID],
  );
  assert.equal(raised[0]?.body.resultDetails?.CaptureBefore, undefined, 'it does not extend');
  assert.ok(raised[1] && instantIn(raised[1]) - instantIn(master) > 4.9 * DAY_MS);
  assert.equal(instantIn(await shop.read(master.id)), raised[1] && instantIn(raised[1]));
  await clock.move({ by: 'P3D' });
  assert.equal((await shop.capture(visa.id, '1.00')).code, TOO_LATE.CP);
  await clock.move({ by: 'P23D' });
  assert.equal((await shop.capture(master.id, '1.00')).code, PAID, 'after 31 days');
  await clock.move({ by: 'P10D' });
  const amounts = released(receivedBy(receiver)).map(({ payload }) => [payload.referencedId, payload.amount]);
  assert.deepEqual(amounts, [
    [visa.id, '100.00'],
    [master.id, '99.00'],
  ]);
  assert.deepEqual(await reserved(), [undefined, undefined]);
});

test('the setting of a channel comes before the table, and an authorisation keeps what it was made with', async (context) => {
  const { gateway, shop, clock } = await shopOn(stores.memory ?? assert.fail(), context);
  const admin = await signedInAs(gateway);
  const before = await shop.pay({ paymentType: 'PA' });
  const set = async (authorisationDays: object) => {
    const { revision } = (await admin.ask('GET', `/entities/${DEMO.entityId}`)).body;
    return admin.ask('POST', `/entities/${DEMO.entityId}`, { revision, set: { authorisationDays } });
  };
  for (const wrong of [{ VISA: 0 }, { VISA: 181 }, { VISA: 1.5 }, { NOBODY: 3 }, { default: '3' }])
    assert.equal((await set(wrong)).status, 400, JSON.stringify(wrong));
  assert.equal((await set({ VISA: 2, default: 3 })).status, 200);
  const own = await shop.pay({ paymentType: 'PA', amount: '11.00' });
  const now = await clock.now();
  assert.equal(Math.ceil((instantIn(own) - now) / DAY_MS), 2);
  await clock.move({ by: 'P3D' });
  assert.equal((await shop.capture(own.id, '1.00')).code, TOO_LATE.CP);
  assert.equal((await shop.capture(before.id, '1.00')).code, PAID);
});

/** A store as an earlier release left it: authorisations have no validity, and no instant at which they are looked at. */
function oldStore(): { readonly store: Store; readonly counts: Record<'reads' | 'commits' | 'marks', number> } {
  const memory = createMemoryStore();
  const counts = { reads: 0, commits: 0, marks: 0 };
  const store: Store = {
    ...memory,
    family: (merchantId, id) => {
      counts.reads += 1;
      return memory.family(merchantId, id);
    },
    commit: (change) => {
      counts.commits += 1;
      const { validity: _, ...payment } = change.payment;
      return memory.commit({ ...change, payment, releaseAt: null });
    },
    markReleases: (marks) => {
      counts.marks += 1;
      return memory.markReleases(marks);
    },
  };
  return { store, counts };
}

test('a backlog from before the upgrade is worked off in batches, by the end that each authorisation has', async (context) => {
  const { store, counts } = oldStore();
  const gateway = await startGateway({ store, isClockHeld: true });
  context.after(() => gateway.close());
  const shop = createClient(gateway.url);
  const { world } = gateway.services.forMerchant(DEMO.merchantId);
  const batch = { limit: 10, merchants: onlyMerchant(DEMO.merchantId) };
  const ids: string[] = [];
  for (let at = 0; at < 35; at += 1) ids.push((await shop.pay({ paymentType: 'PA', ...(at % 2 === 1 && MASTER) })).id);
  for (const id of ids.slice(0, 5)) await shop.capture(id, '92.00');
  for (const id of ids.slice(5, 10)) await shop.capture(id, '2.00');
  await gateway.pass(20 * DAY_MS);
  const young = await shop.pay({ paymentType: 'PA' });
  const results = [];
  Object.assign(counts, { reads: 0, commits: 0, marks: 0 });
  for (let round = 0; round < 4; round += 1) {
    const before = { ...counts };
    results.push(await releaseAuthorisations(world, batch));
    const [reads, commits] = [counts.reads - before.reads, counts.commits - before.commits];
    assert.ok(reads <= batch.limit && commits <= batch.limit && counts.marks - before.marks === 1, JSON.stringify(counts));
  }
  assert.deepEqual(
    results.map(({ looked }) => looked),
    [10, 10, 10, 6],
  );
  // Every second one is of a brand whose authorisations are valid for 30 days; three of the others were captured whole.
  const count = (all: readonly { readonly released: number }[]) => all.reduce((sum, { released: one }) => sum + one, 0);
  assert.equal(count(results), 18 - 3);
  assert.equal((await releaseAuthorisations(world, batch)).looked, 0, 'nothing is looked at twice');
  await gateway.pass(12 * DAY_MS);
  const later = [];
  for (let round = 0; round < 4; round += 1) later.push(await releaseAuthorisations(world, batch));
  assert.equal(count(later), 17 - 2 + 1, 'the others, and the young one');
  assert.equal((await shop.read(young.id)).body.remainingAmount, '0.00');
  const [partly] = ids.slice(6, 7);
  const { body } = await shop.read(partly ?? '');
  assert.deepEqual([body.capturedAmount, body.reversedAmount, body.remainingAmount], ['2.00', '90.00', '0.00']);
  await gateway.pass(400 * DAY_MS);
  assert.deepEqual(await releaseAuthorisations(world, batch), { looked: 0, released: 0, failed: 0 });
});

test('one from before the upgrade has one end: in replies, queries and the back office, in refusals and for the release', async (context) => {
  const gateway = await startGateway({ store: oldStore().store, isClockHeld: true, operatorToken: OPERATOR });
  context.after(() => gateway.close());
  const [shop, admin] = [createClient(gateway.url), createAdministrator(gateway.url)];
  const { world } = gateway.services.forMerchant(DEMO.merchantId);
  const [plain, raised] = [await shop.pay({ paymentType: 'PA' }), await shop.pay({ paymentType: 'PA', ...MASTER })];
  await gateway.pass(2 * DAY_MS);
  await shop.pay({ ...RAISE, ...MASTER, amount: '8.00', referenceUuid: raised.id });
  const told = async (id: string) => {
    const linked = await shop.send('GET', `/v1/query/${id}`, { includeLinkedTransactions: 'true' });
    const queried = linked.body.payments.find((one: { id: string }) => one.id === id);
    const { payment } = (await admin.ask('GET', `/payments/${id}`)).body;
    return [(await shop.read(id)).body, queried]
      .map(({ resultDetails }) => Date.parse(String(resultDetails.CaptureBefore).replace(' ', 'T').replace('+0000', 'Z')))
      .concat(Math.floor(Date.parse(payment.captureBefore) / 1_000) * 1_000);
  };
  const sinceNow = async (id: string) => (await told(id)).map((end) => Math.round((end - world.clock.now()) / DAY_MS));
  assert.deepEqual([await sinceNow(plain.id), await sinceNow(raised.id)], [Array(3).fill(5), Array(3).fill(30)]);

  const office = await signedInAs(gateway);
  const { revision } = (await office.ask('GET', `/entities/${DEMO.entityId}`)).body;
  const set = { authorisationDays: { VISA: 10 } };
  assert.equal((await office.ask('POST', `/entities/${DEMO.entityId}`, { revision, set })).status, 200);
  assert.deepEqual(await sinceNow(plain.id), Array(3).fill(8));
  await gateway.pass(7 * DAY_MS);
  assert.equal((await shop.capture(plain.id, '1.00')).code, PAID, 'on the ninth day');
  const look = () => releaseAuthorisations(world, { limit: 100, merchants: onlyMerchant(DEMO.merchantId) });
  assert.equal((await look()).released, 0);
  await gateway.pass(DAY_MS + 1_000);
  const { code, body } = await shop.capture(plain.id, '1.00');
  const [named] = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.exec(body.result.description) ?? [''];
  assert.deepEqual([code, Date.parse(`${named.replace(' ', 'T')}Z`)], [TOO_LATE.CP, (await told(plain.id))[0]]);
  await gateway.pass(DAY_MS + 3_600_000);
  assert.equal((await look()).released, 1);
});

test('an increment has no more left than what it raised, and a reversal of it names the end of that', async (context) => {
  const { shop, clock } = await shopOn(stores.memory ?? assert.fail(), context);
  const made = await shop.pay({ paymentType: 'PA', amount: '20.00' });
  await clock.move({ by: 'P5D' });
  const raise = await shop.pay({ ...RAISE, amount: '8.00', referenceUuid: made.id });
  assert.equal(raise.code, PAID);
  const left = async () => [(await shop.read(made.id)).body.remainingAmount, (await shop.read(raise.id)).body.remainingAmount];
  assert.deepEqual(await left(), ['28.00', '8.00']);
  await shop.capture(made.id, '25.00');
  assert.deepEqual(await left(), ['3.00', '3.00']);
  await clock.move({ by: 'P2DT1H' });
  const late = await shop.reverse(raise.id);
  assert.equal(late.code, TOO_LATE.RV);
  assert.ok(late.body.result.description.includes(made.body.resultDetails.CaptureBefore), late.body.result.description);
  await clock.move({ by: 'P2D' });
  assert.deepEqual(await left(), ['0.00', '0.00']);
  const receipt = await shop.refer(made.id, { paymentType: 'RC', amount: '1.00', currency: 'EUR' });
  assert.equal(receipt.code, '700.400.100');
  assert.match(receipt.body.result.description, /the rest of the PA was released when its validity had ended$/);
});

test('an authorisation that cannot be read is an alarm, is tried again later, and keeps no other waiting', async (context) => {
  const memory = createMemoryStore();
  const broken = new Set<string>();
  const store: Store = {
    ...memory,
    family: (merchantId, id) => (broken.has(id) ? Promise.reject(new Error('damaged')) : memory.family(merchantId, id)),
  };
  const gateway = await startGateway({ store, isClockHeld: true });
  context.after(() => gateway.close());
  const shop = createClient(gateway.url);
  const { world } = gateway.services.forMerchant(DEMO.merchantId);
  const alarms: string[] = [];
  const watched = { ...world, alarm: (message: string) => void alarms.push(message) };
  const made = [await shop.pay({ paymentType: 'PA' }), await shop.pay({ paymentType: 'PA' })].map(({ id }) => id).sort();
  broken.add(made[0] ?? '');
  await gateway.pass(9 * DAY_MS);
  const look = () => releaseAuthorisations(watched, { limit: 1, merchants: onlyMerchant(DEMO.merchantId) });
  assert.deepEqual(
    [await look(), await look()],
    [
      { looked: 1, released: 0, failed: 1 },
      { looked: 1, released: 1, failed: 0 },
    ],
  );
  assert.deepEqual(alarms, ['the rest of an authorisation cannot be released']);
  assert.equal((await look()).looked, 0);
  broken.clear();
  await gateway.pass(DAY_MS);
  assert.deepEqual(await look(), { looked: 1, released: 1, failed: 0 });
});

test('nodes that release at the same time, and a capture that comes between, leave one end', async (context) => {
  const memory = createMemoryStore();
  const gateway = await startGateway({ store: memory, isClockHeld: true });
  context.after(() => gateway.close());
  const shop = createClient(gateway.url);
  const { world } = gateway.services.forMerchant(DEMO.merchantId);
  const made = await Promise.all(Array.from({ length: 20 }, () => shop.pay({ paymentType: 'PA' })));
  // A node whose clock is ahead, beside one that still takes captures.
  const ahead = { ...world, clock: { now: () => world.clock.now() + 9 * DAY_MS } };
  const look = () => releaseAuthorisations(ahead, { limit: 100, merchants: onlyMerchant(DEMO.merchantId) });
  const captures = made.map(({ id }) => shop.capture(id, '92.00'));
  const looks = [look(), look(), look()];
  const codes = (await Promise.all(captures)).map(({ code }) => code);
  await Promise.all(looks);
  await look();
  for (const [at, { id }] of made.entries()) {
    const { body } = await shop.read(id);
    const wasCaptured = codes[at] === PAID;
    assert.equal(body.capturedAmount, wasCaptured ? '92.00' : '0.00', String(codes[at]));
    assert.equal(body.reversedAmount, wasCaptured ? '0.00' : '92.00');
    if (!wasCaptured) assert.equal(codes[at], TOO_LATE.CP, `of ${id}`);
  }
});
