import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type SettlementFault, settlementFileOf } from '../../src/connectors/simulator/settlement.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { importFile } from '../../src/settlement/in/importFile.ts';
import { importFolder } from '../../src/settlement/in/pull.ts';
import { createMemoryStore, type MemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createAdministrator } from './administrator.ts';
import { CARD, createClient, DEMO, OTHER, type Reply } from './client.ts';
import { createWebhookReceiver, receivedBy } from './clockFixture.ts';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
let store: MemoryStore;
let shop: ReturnType<typeof createClient>;
let admin: ReturnType<typeof createAdministrator>;
const OPERATOR = 'operator-of-this-gateway.0123456789';

before(async () => {
  store = createMemoryStore();
  gateway = await startGateway({ store, operatorToken: OPERATOR });
  shop = createClient(gateway.url, { entityId: DEMO.lenientId, token: DEMO.token });
  admin = createAdministrator(gateway.url);
});
after(() => gateway.close());

const DAY_MS = 86_400_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const tomorrow = (): string => dayOf(gateway.world.clock.now() + DAY_MS);

let orders = 0;
/** A debit that was approved, as the store has it. */
async function paid(fields: Record<string, string> = {}, by = shop, merchantId: string = DEMO.merchantId): Promise<Payment> {
  orders += 1;
  const order = {
    amount: '92.00',
    currency: 'EUR',
    paymentType: 'DB',
    merchantTransactionId: `settled-${orders}`,
    ...CARD,
    ...fields,
  };
  const answer = await by.send('POST', '/v1/payments', order);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return (await store.payment(merchantId, answer.id)) as Payment;
}

async function bring(
  file: string,
  { entityId = DEMO.merchantId as string, token = DEMO.token as string, name = 'day.csv' } = {},
): Promise<Reply> {
  const response = await fetch(`${gateway.url}/admin/v1/settlements?entityId=${entityId}&name=${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body: file,
  });
  const body = (await response.json()) as Reply['body'];
  return { status: response.status, code: body.result?.code, id: body.id, headers: response.headers, body };
}

const exceptions = async (entityId: string = DEMO.merchantId, query = ''): Promise<Reply['body'][]> =>
  (await admin.ask('GET', `/settlementExceptions?entityId=${entityId}&limit=200${query}`)).body.exceptions;
const ofFile = (all: Reply['body'][], fileId: string) => all.filter((one) => one.fileId === fileId);
const resolve = (id: string, fields: object) =>
  admin.ask('POST', `/settlementExceptions/${id}`, { note: 'seen in the portal', ...fields });

test('a file of the simulated acquirer is taken: payments, captures, refunds; the same again changes nothing', async () => {
  const [one, two] = [await paid(), await paid()];
  const authorised = await paid({ paymentType: 'PA' });
  const captured = await shop.send('POST', `/v1/payments/${authorised.id}`, {
    paymentType: 'CP',
    amount: '40.00',
    currency: 'EUR',
  });
  const refunded = await shop.send('POST', `/v1/payments/${one.id}`, { paymentType: 'RF', amount: '10.00', currency: 'EUR' });
  const further = await Promise.all([captured.id, refunded.id].map((id) => store.payment(DEMO.merchantId, id)));
  const payments = [one, two, authorised, ...further] as Payment[];
  const file = settlementFileOf(tomorrow(), payments);
  const first = await bring(file);
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.deepEqual(first.body.count, { MATCHED: 4, MULTIPLE_MATCHES: 0, NOT_MATCHED: 0, open: 0 });
  assert.deepEqual([first.body.is, first.body.lines, first.body.format], ['kept', 4, 'turnpike-csv']);
  const again = await bring(file, { name: 'other-name.csv' });
  assert.deepEqual([again.status, again.body.is, again.id], [200, 'known', first.id]);
  const records = await store.records({ merchantId: DEMO.merchantId, limit: 99 });
  const own = records.filter(({ fileId }) => fileId === first.id);
  assert.deepEqual(
    own.map(({ match, transactionType }) => [match.paymentIds[0], transactionType]),
    [
      [one.id, 'DEBIT'],
      [two.id, 'DEBIT'],
      [captured.id, 'DEBIT'],
      [refunded.id, 'REFUND'],
    ],
  );
  const listed = await admin.ask('GET', `/settlements?entityId=${sandbox.demoShop.merchantId}`);
  assert.ok(listed.body.settlements.some(({ id }: { id: string }) => id === first.id));
});

test('every planted fault is an exception with its reason; a payment without a line is listed as unsettled', async () => {
  const faults: readonly SettlementFault[] = [
    'missing',
    'doubled',
    'wrongAmount',
    'wrongCurrency',
    'unknownId',
    'truncatedId',
    'feeTooHigh',
    'otherDate',
  ];
  const payments = await Promise.all(faults.map(() => paid()));
  const plan = { faults: new Map(payments.map(({ id }, at) => [id, faults[at] as SettlementFault])) };
  const { body, status } = await bring(settlementFileOf(tomorrow(), payments, plan));
  assert.equal(status, 200);
  assert.deepEqual([body.count.MATCHED, body.count.open, body.lines], [1, 7, 8]);
  const found = ofFile(await exceptions(), body.id);
  const whys = [
    /same is said already by line 2/,
    /93\.00 EUR.*of 92\.00 EUR/,
    /in CHF and it is in EUR/,
    /nothing is known by the payment id 0000/,
  ];
  const more = [/nothing of yours is known/, /fee of 92\.00 EUR is more than/, /made after the 2000-01-01/];
  assert.deepEqual(
    found.map(({ match }) => match.status),
    Array.from({ length: 7 }, () => 'NOT_MATCHED'),
  );
  for (const [at, why] of [...whys, ...more].entries()) assert.match(found[at].match.why, why);
  assert.deepEqual(
    found.map(({ exception }) => exception),
    ['duplicate', 'amountDiffers', 'currencyDiffers', 'unknownReference', 'unknownReference', 'feeDiffers', 'dateDiffers'],
  );
  // A line that names a payment suggests it; a duplicate shows it and suggests nothing.
  const suggested = found.map(({ suggestedId }) => payments.findIndex(({ id }) => id === suggestedId));
  assert.deepEqual([suggested[0], suggested[1], suggested[5], suggested[6]], [-1, 2, 6, 7]);
  assert.deepEqual(
    found[0].candidates.map(({ id }: { id: string }) => id),
    [payments[1]?.id],
  );
  const to = new Date(gateway.world.clock.now() + 60_000).toISOString();
  const unsettled = await admin.ask('GET', `/unsettledPayments?entityId=${DEMO.merchantId}&to=${to}&limit=200`);
  const ids = unsettled.body.payments.map(({ id }: { id: string }) => id);
  assert.ok(ids.includes(payments[0]?.id));
  assert.ok(!ids.includes(payments[1]?.id));
  const page = await admin.ask('GET', `/settlementExceptions?entityId=${DEMO.merchantId}&limit=2`);
  assert.equal(page.body.exceptions.length, 2);
  const next = await admin.ask('GET', `/settlementExceptions?entityId=${DEMO.merchantId}&limit=2&after=${page.body.next}`);
  assert.ok(next.body.exceptions[0].id > page.body.next);
});

test('an unknown reference suggests the only payment of its amount and card that nothing has settled', async () => {
  const meant = await paid({ amount: '318.07' });
  const plan = { faults: new Map([[meant.id, 'truncatedId' as const]]) };
  const { body } = await bring(settlementFileOf(tomorrow(), [meant], plan));
  const [line] = ofFile(await exceptions(), body.id);
  assert.deepEqual([line.exception, line.suggestedId], ['unknownReference', meant.id]);
  assert.deepEqual(line.candidates[0].amount, '318.07');
  const again = await paid({ amount: '318.07' });
  const [ambiguous] = ofFile(await exceptions(), body.id);
  assert.deepEqual(
    ambiguous.candidates.map(({ id }: { id: string }) => id),
    [meant.id, again.id],
  );
  assert.equal(ambiguous.suggestedId, null);
});

test('lines alike are resolved together; each one that cannot be is named with the reason', async () => {
  const payments = await Promise.all([paid(), paid(), paid({ amount: '17.31' })]);
  const [one, two, three] = payments as [Payment, Payment, Payment];
  const plan: { readonly faults: ReadonlyMap<string, SettlementFault> } = {
    faults: new Map([
      [one.id, 'doubled'],
      [two.id, 'doubled'],
      [three.id, 'unknownId'],
    ]),
  };
  const { body } = await bring(settlementFileOf(tomorrow(), payments, plan));
  const open = ofFile(await exceptions(), body.id);
  assert.deepEqual(
    open.map(({ exception }) => exception),
    ['duplicate', 'duplicate', 'unknownReference'],
  );
  const decide = (fields: object) =>
    admin.ask('POST', '/settlementExceptions', { entityId: DEMO.merchantId, note: 'sent twice', ...fields });
  const decisions = [{ id: open[0].id }, { id: open[1].id, paymentId: two.id }, { id: open[2].id, paymentId: three.id }];
  const done = await decide({ decisions });
  assert.equal(done.status, 200, JSON.stringify(done.body));
  assert.equal(done.body.resolved, 2);
  assert.deepEqual(
    done.body.refused.map(({ id }: { id: string }) => id),
    [open[1].id],
  );
  assert.match(done.body.refused[0].message, /same is said already/);
  assert.deepEqual(
    ofFile(await exceptions(), body.id).map(({ id }) => id),
    [open[1].id],
  );
  // Neither the dismissed duplicate nor the undecided one is in the reports.
  const records = await store.records({ merchantId: DEMO.merchantId, limit: 999 });
  const reported = records.filter(({ fileId }) => fileId === body.id);
  assert.deepEqual(
    reported.map(({ match }) => match.paymentIds[0]),
    [one.id, two.id, three.id],
  );
  const repeated = await decide({ decisions: [{ id: open[0].id }] });
  assert.deepEqual([repeated.body.resolved, repeated.body.refused[0].message], [0, 'is no open exception']);
  const foreign = await admin.ask('POST', '/settlementExceptions', {
    entityId: OTHER.entityId,
    note: 'sent twice',
    decisions: [{ id: open[1].id }],
  });
  assert.ok(foreign.status === 404 || foreign.body.resolved === 0, JSON.stringify(foreign.body));
});

test('a file with bad lines is refused as a whole with each fault, and can be corrected and uploaded again', async () => {
  const payments = [await paid(), await paid()];
  const plan = { faults: new Map([[payments[1]?.id ?? '', 'badLine' as const]]) };
  const bad = await bring(settlementFileOf(tomorrow(), payments, plan), { name: 'bad.csv' });
  assert.deepEqual([bad.status, bad.code], [400, '200.300.404']);
  assert.equal(bad.body.result.parameterErrors[0].name, 'line 3');
  const files = (await admin.ask('GET', `/settlements?entityId=${DEMO.merchantId}`)).body.settlements;
  const refused = files.find(({ name }: { name: string }) => name === 'bad.csv');
  const read = await admin.ask('GET', `/settlements/${refused.id}`);
  assert.deepEqual([read.body.state, read.body.faultCount, read.body.faults[0].line, read.body.count], ['refused', 1, 3, null]);
  assert.deepEqual(
    await store.recordsOfPayments(
      [DEMO.merchantId],
      payments.map(({ id }) => id),
      null,
    ),
    [],
  );
  assert.equal((await bring(settlementFileOf(tomorrow(), payments))).body.count.MATCHED, 2);
  for (const file of ['nonsense', 'a;b\n1;2\n']) assert.equal((await bring(file)).status, 400);
  assert.equal((await bring('')).status, 400);
});

test('settlement of other merchants can be neither made nor seen', async () => {
  const theirs = await paid({}, createClient(gateway.url, OTHER), sandbox.otherShop.merchantId);
  const { body } = await bring(settlementFileOf(tomorrow(), [theirs]));
  assert.deepEqual([body.count.MATCHED, body.count.open], [0, 1]);
  const [line] = ofFile(await exceptions(), body.id);
  assert.match(line.match.why, /nothing of yours/);
  const forced = await resolve(line.id, { paymentId: theirs.id });
  assert.equal(forced.status, 400);
  assert.match(forced.body.result.parameterErrors[0].message, /not a payment of the entity that owns the file/);
  const other = createAdministrator(gateway.url, OTHER.token);
  const forbidden = [
    ['GET', `/settlements?entityId=${DEMO.merchantId}`],
    ['GET', `/settlements/${body.id}`],
    ['GET', `/settlementExceptions?entityId=${DEMO.merchantId}`],
    ['GET', `/unsettledPayments?entityId=${DEMO.merchantId}`],
  ] as const;
  for (const [method, path] of forbidden) assert.equal((await other.ask(method, path)).status, 404, path);
  assert.equal((await other.ask('POST', `/settlementExceptions/${line.id}`, { leave: true, note: 'x' })).status, 404);
  assert.equal((await bring('x', { token: OTHER.token })).status, 404);
  assert.equal((await bring('x', { token: 'nobody' })).status, 403);
  // The channel beside the one that took the payment is not below it either.
  const own = await paid();
  const beside = await bring(settlementFileOf(tomorrow(), [own]), { entityId: DEMO.entityId });
  assert.deepEqual([beside.body.count.MATCHED, beside.body.count.open], [0, 1]);
  const psp = await bring(settlementFileOf(tomorrow(), [theirs, own]), { entityId: sandbox.psp, token: OPERATOR });
  assert.equal(psp.body.count.MATCHED, 2);
});

test('a matched chargeback makes its transaction and its event once, and so does its reversal', async () => {
  const receiver = await createWebhookReceiver(gateway);
  const payment = await paid();
  const [, line] = settlementFileOf(dayOf(payment.createdAt + 9 * DAY_MS), [payment], {
    chargebacks: new Map([[payment.id, 'MD06']]),
  }).split('\n');
  const head = settlementFileOf(tomorrow(), []);
  const charged = await bring(`${head}${line}\n`);
  assert.equal(charged.body.count.MATCHED, 1, JSON.stringify(charged.body));
  const family = async () => (await store.family(DEMO.merchantId, payment.id))?.payments ?? [];
  const [, made] = await family();
  assert.deepEqual([made?.paymentType, made?.amount, made?.phase], ['CB', 9200n, { at: 'final', code: '000.100.206' }]);
  const [record] = await store.recordsOfPayments([DEMO.merchantId], [payment.id], null);
  assert.equal(record?.chargebackId, made?.id);
  const day = dayOf(payment.createdAt + 20 * DAY_MS);
  const reversal = settlementFileOf(day, [payment], { reversals: new Set([payment.id]) });
  assert.equal((await bring(reversal)).body.count.MATCHED, 1);
  assert.equal((await bring(reversal)).body.is, 'known');
  assert.deepEqual(
    (await family()).map(({ paymentType }) => paymentType),
    ['DB', 'CB', 'CR'],
  );
  await gateway.work('record chargebacks');
  assert.equal((await family()).length, 3);
  gateway.pass(1_001);
  await gateway.work('fan out events');
  await gateway.work('dispatch deliveries');
  const received = receivedBy(receiver).filter(
    ({ payload }) => payload.referencedId === payment.id || payload.referencedId === made?.id,
  );
  assert.deepEqual(received.map(({ payload }) => payload.paymentType).sort(), ['CB', 'CR']);
  // A run that was cut off between the transaction and the record finds its transaction.
  const saved = (await store.recordsOfPayments([DEMO.merchantId], [payment.id], null))[0];
  assert.ok(saved);
  await store.saveRecord({ ...saved, chargebackId: null, revision: saved.revision + 1 }, gateway.world.clock.now());
  await gateway.work('record chargebacks');
  assert.equal((await family()).length, 3);
  assert.equal((await store.record(saved.id))?.chargebackId, made?.id);
});

test('a user resolves a line, within limits', async () => {
  const [payment, other] = [await paid(), await paid({ currency: 'USD' })];
  const plan = { faults: new Map([[payment.id, 'feeTooHigh' as const]]) };
  const { body } = await bring(settlementFileOf(tomorrow(), [payment], plan));
  const [line] = ofFile(await exceptions(), body.id);
  for (const fields of [{}, { paymentId: payment.id, leave: true }, { paymentId: 'x' }]) {
    assert.equal((await resolve(line.id, fields)).status, 400);
  }
  assert.match((await resolve(line.id, { paymentId: other.id })).body.result.parameterErrors[0].message, /EUR and it is in USD/);
  const done = await resolve(line.id, { paymentId: payment.id });
  assert.equal(done.status, 200, JSON.stringify(done.body));
  assert.deepEqual(
    [done.body.match.status, done.body.match.why, done.body.match.isOpen],
    ['MATCHED', 'seen in the portal', false],
  );
  assert.equal(ofFile(await exceptions(), body.id).length, 0);
  assert.ok(gateway.lines.some((one) => one.includes('resolveException') && one.includes(line.id)));
  const left = await resolve(line.id, { leave: true });
  assert.deepEqual([left.body.match.status, left.body.match.isOpen], ['NOT_MATCHED', false]);
  assert.equal((await resolve('0'.repeat(32), { leave: true })).status, 404);
});

test('a file that was left in the middle is cleared away, and can be brought again', async () => {
  const payment = await paid();
  const file = settlementFileOf(tomorrow(), [payment]);
  const { directory } = gateway;
  const { clock, ids } = gateway.world;
  const stopping = { ...store, keepFile: () => Promise.reject(new Error('cut')), dropFile: async () => {} };
  async function* open() {
    yield Buffer.from(file);
  }
  await assert.rejects(importFile({ store: stopping, directory, clock, ids }, DEMO.merchantId, { name: 'cut', open }), /cut/);
  const busy = await bring(file);
  assert.equal(busy.status, 429);
  gateway.pass(61_000);
  await gateway.work('delete abandoned settlement imports');
  assert.equal((await bring(file)).body.count.MATCHED, 1);
});

test('files in the folder are taken and moved, with a report beside them', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-settlement-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const place = join(folder, DEMO.merchantId);
  mkdirSync(place);
  const payment = await paid();
  writeFileSync(join(place, 'good.csv'), settlementFileOf(tomorrow(), [payment]));
  writeFileSync(join(place, 'bad.csv'), 'nonsense');
  for (const name of ['good.csv', 'bad.csv']) utimesSync(join(place, name), 1, 1);
  async function* open(path: string) {
    yield readFileSync(path);
  }
  const { ids } = gateway.world;
  const clock = { now: Date.now };
  const alarms: string[] = [];
  const needs = {
    store,
    directory: gateway.directory,
    clock,
    ids,
    folder,
    open,
    alarm: (message: string) => void alarms.push(message),
  };
  await importFolder(needs);
  assert.deepEqual(readdirSync(place).sort(), ['bad.csv', 'good.csv'], 'what was just written may not be whole');
  await importFolder({ ...needs, clock: { now: () => Date.now() + 60_000 } });
  assert.deepEqual(readdirSync(place).sort(), ['bad', 'done']);
  const done = readdirSync(join(place, 'done')).find((name) => name.endsWith('.report.json')) ?? '';
  assert.equal(JSON.parse(readFileSync(join(place, 'done', done), 'utf8')).count.MATCHED, 1);
  assert.equal(readdirSync(join(place, 'bad')).length, 2);
  assert.deepEqual(alarms, ['a settlement file was refused']);
});
