import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createSandboxLookups } from '../../src/risk/lookups/lookups.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { CARD, createClient, DEMO, type Fields, type Reply } from './client.ts';
import { startGateway } from './gateway.ts';

/** Captures, reversals and refunds: how a payment is named, what is told of its money, and why a follow-up is refused. */

const gateway = await startGateway({ store: createMemoryStore(), patienceMs: 200, lookups: createSandboxLookups() });
after(() => gateway.close());
const shop = createClient(gateway.url);
const lenient = createClient(gateway.url, { ...DEMO, entityId: DEMO.lenientId });

const PAID = '000.100.110';
const ABSENT = '0'.repeat(32);
const HOUR_MS = 3_600_000;
const authorise = async (fields: Fields = {}): Promise<string> => (await shop.pay({ paymentType: 'PA', ...fields })).id;
const debit = async (fields: Fields = {}): Promise<string> => (await shop.pay(fields)).id;

const SUMS = ['capturedAmount', 'refundedAmount', 'reversedAmount', 'disputedAmount', 'remainingAmount'] as const;
const sumsIn = (body: Reply['body']): string => SUMS.map((name) => body[name] ?? '-').join(' ');
/** The sums by every way to read a payment; they must agree. */
async function sumsOf(id: string): Promise<string> {
  const { body } = await shop.read(id);
  const one = await shop.send('GET', `/v1/query/${id}`, {});
  const linked = await shop.send('GET', `/v1/query/${id}`, { includeLinkedTransactions: 'true' });
  const third = await shop.send('GET', `/v3/query/${id}`, {});
  const within = (list: readonly { readonly id: string }[]) => list.find((each) => each.id === id);
  for (const other of [one.body, within(linked.body.payments), within(third.body.records)])
    assert.equal(sumsIn(other), sumsIn(body));
  return sumsIn(body);
}

test('a preauthorization tells what was captured, refunded, reversed and is left', async () => {
  const id = await authorise();
  assert.equal(await sumsOf(id), '0.00 0.00 0.00 0.00 92.00');
  const capture = await shop.capture(id, '40.00');
  assert.equal(await sumsOf(id), '40.00 0.00 0.00 0.00 52.00');
  assert.equal(await sumsOf(capture.id), '40.00 0.00 0.00 0.00 40.00');
  await shop.refund(capture.id, '15.00');
  assert.equal(await sumsOf(capture.id), '40.00 15.00 0.00 0.00 25.00');
  assert.equal(await sumsOf(id), '40.00 15.00 0.00 0.00 52.00');
  await shop.reverse(id, { amount: '12.00', currency: 'EUR' });
  assert.equal(await sumsOf(id), '40.00 15.00 12.00 0.00 40.00');
  const last = await shop.capture(id, '10.00', { sequence: 'FINAL' });
  assert.equal(last.code, PAID);
  assert.equal(await sumsOf(id), '50.00 15.00 12.00 0.00 0.00');
});

test('a debit tells what was refunded and disputed', async () => {
  const id = await debit();
  assert.equal(await sumsOf(id), '92.00 0.00 0.00 0.00 92.00');
  await shop.refund(id, '10.00');
  const dispute = await shop.refer(id, { paymentType: 'CB', amount: '20.00', currency: 'EUR' });
  assert.equal(await sumsOf(id), '92.00 10.00 0.00 20.00 62.00');
  await shop.refer(dispute.id, { paymentType: 'CR', amount: '20.00', currency: 'EUR' });
  assert.equal(await sumsOf(id), '92.00 10.00 0.00 0.00 82.00');
});

test('a reversed debit has nothing left; a decline and a refund tell no sums; nor does the answer to the payment itself', async () => {
  const paid = await shop.pay();
  assert.equal(sumsIn(paid.body), '- - - - -');
  await shop.reverse(paid.id);
  assert.equal(await sumsOf(paid.id), '92.00 0.00 92.00 0.00 0.00');
  const declined = await shop.pay({ 'customParameters[forceResultCode]': '800.100.152' });
  assert.equal(sumsIn((await shop.read(declined.id)).body), '- - - - -');
  const refund = await shop.refund(await debit(), '1.00');
  assert.equal(sumsIn((await shop.read(refund.id)).body), '- - - - -');
});

test('a list tells the sums of each payment', async () => {
  const merchantTransactionId = 'sums of a list';
  const [one, two] = [await debit({ merchantTransactionId }), await authorise({ merchantTransactionId })];
  await shop.refund(one, '2.00');
  await shop.capture(two, '3.00');
  const { body } = await shop.send('GET', '/v1/query', { merchantTransactionId });
  const byId = new Map(body.payments.map((each: { id: string }) => [each.id, sumsIn(each)]));
  assert.deepEqual([byId.get(one), byId.get(two)], ['92.00 2.00 0.00 0.00 90.00', '3.00 0.00 0.00 0.00 89.00']);
});

test('a refund that names a captured preauthorization refunds its only capture', async () => {
  const id = await authorise();
  const capture = await shop.capture(id, '40.00');
  const refund = await shop.refund(id, '30.00');
  assert.deepEqual([refund.code, refund.body.referencedId], [PAID, capture.id], JSON.stringify(refund.body));
  assert.equal((await shop.refund(id, '10.01')).code, '700.400.200');
  assert.equal(await sumsOf(id), '40.00 30.00 0.00 0.00 52.00');
});

type Refusal = readonly [what: string, ask: () => Promise<Reply>, code: string, says: RegExp];
const refusals: readonly Refusal[] = [
  [
    'a refund of an unknown id',
    () => shop.refund(ABSENT, '1.00'),
    '600.200.500',
    new RegExp(`^Invalid payment data.* - .*${ABSENT}`),
  ],
  ['a capture of an unknown id', () => shop.capture(ABSENT, '1.00'), '700.400.510', new RegExp(ABSENT)],
  ['a reversal of an unknown id', () => shop.reverse(ABSENT), '700.400.530', new RegExp(ABSENT)],
  [
    'a refund of a PA without a capture',
    async () => shop.refund(await authorise(), '1.00'),
    '700.400.520',
    /not captured, send RV/,
  ],
  ['a refund of a PA with two captures', twiceCaptured, '700.400.520', /2 captures, send the id/],
  [
    'a refund without testMode=EXTERNAL',
    async () => shop.refund(await debit({ testMode: 'EXTERNAL' }), '1.00'),
    '700.100.600',
    /send testMode=EXTERNAL$/,
  ],
  [
    'a refund with testMode=EXTERNAL',
    async () => shop.refund(await debit(), '1.00', { testMode: 'EXTERNAL' }),
    '700.100.600',
    /leave testMode out$/,
  ],
  ['a reversal after the cut-off', reversedLate, '700.300.700', /possible until \d{4}-\d\d-\d\d 23:00:00\+0000, send RF/],
  ['a capture beyond numberOfCaptures', captureBeyond, '700.400.102', /numberOfCaptures 1$/],
];
for (const [what, ask, code, says] of refusals) {
  test(`${what} → ${code}, with the reason in words`, async () => {
    const refused = await ask();
    assert.equal(refused.code, code, JSON.stringify(refused.body));
    assert.match(refused.body.result.description, says);
    assert.ok(refused.body.result.description.length <= 255);
    assert.equal((await shop.read(refused.id)).body.result.description, refused.body.result.description, 'read back alike');
  });
}

async function twiceCaptured(): Promise<Reply> {
  const id = await authorise();
  for (const amount of ['10.00', '20.00']) await shop.capture(id, amount);
  return shop.refund(id, '5.00');
}

async function reversedLate(): Promise<Reply> {
  const id = await debit();
  gateway.pass(25 * HOUR_MS);
  return shop.reverse(id);
}

async function captureBeyond(): Promise<Reply> {
  const id = await authorise({ numberOfCaptures: '1' });
  assert.equal((await shop.capture(id, '10.00')).code, PAID);
  return shop.capture(id, '10.00');
}

test('numberOfCaptures on a capture is refused with words, and ignored on a lenient channel', async () => {
  const refused = await shop.capture(await authorise(), '1.00', { numberOfCaptures: '2' });
  assert.equal(refused.code, '200.300.404');
  assert.match(refused.body.result.parameterErrors[0].message, /must be sent with the PA/);
  const { id } = await lenient.pay({ paymentType: 'PA' });
  assert.equal((await lenient.capture(id, '1.00', { numberOfCaptures: '2' })).code, PAID);
});

/** A follow-up by `referenceUuid` instead of the path. */
const refer = (fields: Fields) => shop.send('POST', '/v1/payments', fields);
const euros = (amount: string) => ({ amount, currency: 'EUR' });

test('CP, RV and RF name their payment by referenceUuid', async () => {
  const id = await authorise();
  const capture = await refer({ paymentType: 'CP', referenceUuid: id, ...euros('40.00') });
  assert.deepEqual(
    [capture.code, capture.body.referencedId, capture.body.amount],
    [PAID, id, '40.00'],
    JSON.stringify(capture.body),
  );
  const refund = await refer({ paymentType: 'RF', referenceUuid: capture.id, ...euros('5.00') });
  assert.deepEqual([refund.code, refund.body.referencedId], [PAID, capture.id]);
  const reversal = await refer({ paymentType: 'RV', referenceUuid: id });
  assert.deepEqual([reversal.code, reversal.body.amount], [PAID, '52.00']);
});

test('a referenceUuid that is malformed or names nothing is a fault of the parameter', async () => {
  for (const referenceUuid of [ABSENT, 'x', ABSENT.slice(1)]) {
    for (const paymentType of ['CP', 'RV', 'RF']) {
      const refused = await refer({ paymentType, referenceUuid, ...euros('1.00') });
      assert.deepEqual([refused.status, refused.code, refused.id], [400, '200.300.404', undefined]);
      assert.deepEqual(
        refused.body.result.parameterErrors.map(({ name }: { name: string }) => name),
        ['referenceUuid'],
      );
    }
  }
  const both = await shop.capture(await authorise(), '1.00', { referenceUuid: await authorise() });
  assert.equal(both.body.result.parameterErrors[0].name, 'referenceUuid');
});

test('the same capture by referenceUuid with one key is made once', async () => {
  const fields = { paymentType: 'CP', referenceUuid: await authorise(), ...euros('40.00') };
  const key = { 'idempotency-key': 'captured by parameter' };
  const [one, two] = [await shop.send('POST', '/v1/payments', fields, key), await shop.send('POST', '/v1/payments', fields, key)];
  assert.deepEqual([one.code, two.id, two.headers.get('idempotency-replayed')], [PAID, one.id, 'true']);
});

test('PA.CP authorises and captures in one', async () => {
  const paid = await shop.pay({ paymentType: 'PA.CP' });
  assert.deepEqual([paid.code, paid.body.paymentType, paid.body.amount], [PAID, 'DB', '92.00']);
  assert.equal((await shop.refund(paid.id, '92.00')).code, PAID);
});

const INDIAN = { ...CARD, 'card.number': '4386280000000004' };
const SERIES = { 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT' };
const TYPE = 'standingInstruction.type';
const RECURRING_TYPE = { 'standingInstruction.recurringType': 'SUBSCRIPTION' };
const series: readonly (readonly [what: string, fields: Fields, isRefused: boolean])[] = [
  ['issued in India', { ...INDIAN, ...SERIES, [TYPE]: 'RECURRING' }, true],
  ['issued in India, brand detected', { ...INDIAN, paymentBrand: '', ...SERIES, [TYPE]: 'RECURRING' }, true],
  ['issued in India, with recurringType', { ...INDIAN, ...SERIES, [TYPE]: 'RECURRING', ...RECURRING_TYPE }, false],
  ['issued in India, not recurring', { ...INDIAN, ...SERIES, [TYPE]: 'UNSCHEDULED' }, false],
  ['issued in India, without a series', INDIAN, false],
  ['issued elsewhere', { ...CARD, ...SERIES, [TYPE]: 'RECURRING' }, false],
];
for (const [what, fields, isRefused] of series) {
  test(`a card ${what}: recurringType is ${isRefused ? 'required' : 'not required'}`, async () => {
    const answer = await shop.pay(fields);
    assert.equal(answer.code, isRefused ? '200.300.404' : PAID, JSON.stringify(answer.body));
    if (isRefused) assert.equal(answer.body.result.parameterErrors[0].name, 'standingInstruction.recurringType');
    assert.equal((await lenient.pay(fields)).code, PAID, 'a lenient channel does not ask');
  });
}

test('a stored card issued in India: recurringType is required for a recurring payment', async () => {
  const { 'card.cvv': _, ...stored } = INDIAN;
  const { id } = await shop.send('POST', '/v1/registrations', stored);
  const path = `/v1/registrations/${id}/payments`;
  const first = { paymentType: 'DB', amount: '12.50', currency: 'EUR', ...SERIES, [TYPE]: 'RECURRING' };
  assert.equal((await shop.send('POST', path, first)).code, '200.300.404');
  assert.equal((await shop.send('POST', path, { ...first, ...RECURRING_TYPE })).code, PAID);
});
