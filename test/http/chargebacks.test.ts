import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chargeBack, reverseChargeback } from '../../src/payments/chargebacks/chargeBack.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { createClient, DEMO, type Fields, OTHER, type Reply } from './client.ts';
import { freshShops } from './freshShops.ts';
import { startGateway, type TestGateway } from './gateway.ts';

const store = createMemoryStore();
let gateway: TestGateway;
let shop: ReturnType<typeof createClient>;
before(async () => {
  gateway = await startGateway({ store });
  shop = createClient(gateway.url);
});
after(() => gateway.close());

const record = (id: string, paymentType: string, amount: string, fields: Fields = {}) =>
  shop.refer(id, { paymentType, amount, currency: 'EUR', ...fields });
const DONE = '000.100.110';
const is = async (reply: Promise<Reply>, status: number, code: string, what = ''): Promise<Reply> => {
  const got = await reply;
  assert.deepEqual([got.status, got.code], [status, code], what);
  return got;
};
const debit = async (amount = '100.00'): Promise<string> => (await is(shop.pay({ amount }), 200, DONE)).id;

test('a chargeback is recorded with its reason, and the merchant gets a webhook', async () => {
  const id = await debit();
  const charged = await is(record(id, 'CB', '100.00', { chargebackResultCode: '000.100.203' }), 200, '000.100.203');
  const { body } = charged;
  assert.deepEqual(Object.keys(body).slice(0, 4), ['id', 'referencedId', 'paymentType', 'paymentBrand']);
  assert.deepEqual([body.referencedId, body.paymentType, body.amount, body.currency], [id, 'CB', '100.00', 'EUR']);
  assert.equal(body.result.description, 'Charged back: insufficient funds');
  assert.equal(body.chargebackResultCode, '000.100.203');
  const events = store.outbox.filter(({ subjectId }) => subjectId === charged.id);
  assert.deepEqual(
    events.map(({ type, code, revision }) => [type, code, revision]),
    [['PAYMENT', '000.100.203', 1]],
  );
  assert.deepEqual((await shop.read(charged.id)).body.result, body.result);
});

test('a reason is optional, and one that the catalogue does not know is kept', async () => {
  await is(record(await debit(), 'CB', '1.00'), 200, '000.100.200');
  const odd = await is(record(await debit(), 'CB', '1.00', { chargebackResultCode: '000.100.277' }), 200, '000.100.277');
  assert.equal(odd.body.chargebackResultCode, '000.100.277');
  await is(record(await debit(), 'CB', '1.00', { chargebackResultCode: '000.100.110' }), 400, '200.300.404');
});

test('chargebacks and refunds share what there is', async () => {
  const id = await debit();
  await is(record(id, 'CB', '100.01'), 400, '700.400.400', 'more than there is');
  await is(record(id, 'CB', '60.00'), 200, '000.100.200');
  await is(record(id, 'CB', '40.01'), 400, '700.400.400', 'more than is left');
  await is(shop.refund(id, '40.01'), 400, '700.300.600', 'the bank has it already');
  await is(shop.refund(id, '100.01'), 400, '700.400.200', 'more than there ever was');
  await is(shop.reverse(id), 400, '700.300.600');
  await is(shop.refund(id, '30.00'), 200, DONE);
  await is(record(id, 'CB', '10.00'), 200, '000.100.200');
  await is(record(id, 'CB', '0.01'), 400, '700.400.400', 'twice');
});

test('a chargeback is reversed once, may come back once, and that is the end', async () => {
  const id = await debit();
  const first = await is(record(id, 'CB', '100.00'), 200, '000.100.200');
  await is(shop.refund(id, '1.00'), 400, '700.300.600');
  await is(record(first.id, 'CR', '100.01'), 400, '700.400.410');
  const back = await is(record(first.id, 'CR', '100.00'), 200, DONE);
  assert.deepEqual([back.body.paymentType, back.body.referencedId], ['CR', first.id]);
  await is(record(first.id, 'CR', '0.01'), 400, '700.400.410', 'reversed already');
  await is(shop.refund(id, '30.00'), 200, DONE, 'what came back can be refunded');
  await is(record(back.id, 'CB', '70.01'), 400, '700.400.400', 'some was refunded meanwhile');
  const second = await is(record(back.id, 'CB', '70.00'), 200, '000.100.200');
  await is(record(second.id, 'CR', '1.00'), 400, '700.400.411');
  await is(shop.refund(id, '0.01'), 400, '700.300.600');
});

test('captures, refunds and rebills are charged back; a receipt is refunded', async () => {
  const authorised = await is(shop.pay({ paymentType: 'PA', amount: '100.00' }), 200, DONE);
  const capture = await is(shop.capture(authorised.id, '60.00'), 200, DONE);
  await is(record(capture.id, 'CB', '60.00'), 200, '000.100.200');
  const receipt = await is(record(authorised.id, 'RC', '40.00'), 200, DONE);
  await is(record(authorised.id, 'RC', '0.01'), 400, '700.400.100');
  await is(shop.refund(receipt.id, '40.00'), 200, DONE);
  const id = await debit();
  const refund = await is(shop.refund(id, '10.00'), 200, DONE);
  await is(record(refund.id, 'CB', '10.00'), 200, '000.100.200');
  await is(shop.refund(id, '90.01'), 400, '700.400.200', 'a refund that came back is still one');
  const rebill = await is(record(id, 'RB', '100.00'), 200, DONE);
  await is(record(rebill.id, 'CB', '50.00'), 200, '000.100.200');
  await is(shop.refund(rebill.id, '50.01'), 400, '700.300.600');
  await is(shop.refund(rebill.id, '50.00'), 200, DONE);
});

test('what cannot carry it is refused with the code of its kind', async () => {
  const authorised = (await shop.pay({ paymentType: 'PA' })).id;
  const credit = (await shop.pay({ paymentType: 'CD' })).id;
  const id = await debit();
  const declined = (await shop.pay({ 'card.number': '4200000000000001' })).id;
  const reversed = await debit();
  await is(shop.reverse(reversed), 200, DONE);
  const unknown = 'f'.repeat(32);
  const cases: [id: string, type: string, code: string, fields?: Fields][] = [
    [unknown, 'CB', '700.400.550'],
    [authorised, 'CB', '700.400.550'],
    [credit, 'CB', '700.400.550'],
    [declined, 'CB', '700.300.200'],
    [reversed, 'CB', '700.400.400'],
    [unknown, 'CR', '700.400.420'],
    [id, 'CR', '700.400.420'],
    [unknown, 'RC', '700.400.560'],
    [id, 'RC', '700.400.560'],
    [unknown, 'RB', '700.100.100'],
    [authorised, 'RB', '700.100.700'],
    [id, 'CB', '700.100.500', { currency: 'USD' }],
    [id, 'CB', '700.100.600', { testMode: 'EXTERNAL' }],
    [id, 'CB', '100.550.300', { amount: '0.00' }],
    [id, 'CB', '700.400.700', { entityId: DEMO.lenientId }],
  ];
  for (const [of, type, code, fields] of cases) await is(record(of, type, '1.00', fields), 400, code, `${type} ${code}`);
  const stranger = createClient(gateway.url, OTHER);
  await is(stranger.refer(id, { paymentType: 'CB', amount: '1.00', currency: 'EUR' }), 400, '700.400.550');
  const refused = await record(unknown, 'CB', '1.00');
  assert.deepEqual([refused.body.paymentType, refused.body.amount, typeof refused.id], ['CB', '1.00', 'string']);
  await is(shop.pay({ paymentType: 'CB' }), 400, '200.300.404');
});

test('a channel that may not record by the API is refused, and by default none may in live', async () => {
  const { shops, rows } = freshShops(1, { recordsByApi: false });
  const closed = await startGateway({ rows });
  const own = createClient(closed.url, shops[0]?.channels[0]);
  const { id } = await own.pay();
  for (const [paymentType, code] of [
    ['CB', '700.400.402'],
    ['CR', '700.400.402'],
    ['RB', '600.200.202'],
    ['RC', '700.400.562'],
  ] as const) {
    await is(own.refer(id, { paymentType, amount: '1.00', currency: 'EUR' }), 400, code);
  }
  await closed.close();
  for (const [settings, code] of [
    [{}, '700.400.402'],
    [{ recordsByApi: true }, '700.400.550'],
  ] as const) {
    const fresh = freshShops(1, settings);
    const live = await startGateway({ environment: 'live', rows: fresh.rows });
    const client = createClient(live.url, fresh.shops[0]?.channels[0]);
    await is(client.refer('f'.repeat(32), { paymentType: 'CB', amount: '1.00', currency: 'EUR' }), 400, code);
    await live.close();
  }
});

test('the same key records once, and a crowd never more than there is', async () => {
  const id = await debit();
  const fields = { paymentType: 'CB', amount: '10.00', currency: 'EUR' };
  const [one, other] = await Promise.all([0, 1].map(() => shop.refer(id, fields, { 'idempotency-key': `cb-${id}` })));
  assert.equal(one?.id, other?.id);
  const crowd = await Promise.all(
    Array.from({ length: 12 }, (_, at) => (at % 2 ? shop.refund(id, '20.00') : record(id, 'CB', '20.00'))),
  );
  assert.equal(crowd.filter(({ status }) => status === 200).length, 4);
});

test('another module records what it learnt, whatever the channel may, and each chargeback once', async () => {
  const { world } = gateway;
  const payment = (await world.store.payment(DEMO.merchantId, await debit())) as Payment;
  const bankRecord = { payment, amount: 6_000n, code: '000.100.206', source: 'settlement', once: 'file-1 line 7' } as const;
  const first = await chargeBack(world, bankRecord);
  assert.ok(first.is === 'recorded');
  assert.deepEqual([first.payment.phase, first.payment.amount], [{ at: 'final', code: '000.100.206' }, 6_000n]);
  assert.deepEqual(await chargeBack(world, bankRecord), first);
  assert.deepEqual(await chargeBack(world, { ...bankRecord, once: 'file-1 line 8' }), { is: 'refused', code: '700.400.400' });
  const back = await reverseChargeback(world, { payment: first.payment, amount: null, code: null, source: 'settlement' });
  assert.ok(back.is === 'recorded' && back.payment.amount === 6_000n);
  const rest = await chargeBack(world, { payment, amount: null, code: null, source: 'scenario' });
  assert.ok(rest.is === 'recorded' && rest.payment.amount === 10_000n);
  const listed = await shop.send('GET', `/v3/query/${first.payment.id}`, {});
  assert.equal(listed.body.records[0].source, 'SYSTEM');
  const nobody = { ...payment, id: 'f'.repeat(32) };
  assert.deepEqual(await chargeBack(world, { ...bankRecord, payment: nobody }), { is: 'refused', code: '700.100.100' });
});
