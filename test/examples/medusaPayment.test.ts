import './medusaHooks.ts';
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startShop, webhookKey, withKey } from './medusaShop.ts';

/** The payment provider for Medusa against a gateway, called as Medusa's payment module calls it. */

const { hundredthsOf } = await import('../../examples/medusa-payment/src/amounts.ts');
const { checkOptions } = await import('../../examples/medusa-payment/src/options.ts');
const { readData } = await import('../../examples/medusa-payment/src/data.ts');

const { gateway, options, payments, immediate, client, createSessionId, initiate, pay, authorize } = await startShop();
after(() => gateway.close());

test('a shopper pays in the widget: authorized, captured, refunded in part and to the end', async () => {
  const { id, status, data, session_id } = await initiate();
  assert.deepEqual([status, (await payments.authorizePayment({ data })).status], ['requires_more', 'requires_more']);
  assert.equal(data.scriptUrl, `${gateway.url}/v1/paymentWidgets.js?checkoutId=${id}`);
  assert.match(String(data.integrity), /^sha384-/);
  await pay(id);
  const authorized = await payments.authorizePayment({ data });
  assert.equal(authorized.status, 'authorized');
  const paymentId = readData(authorized.data).paymentId ?? assert.fail();
  assert.equal((await client.readPayment(paymentId)).merchantTransactionId, session_id);

  const captured = await payments.capturePayment({ data: authorized.data, ...withKey('capt_1') });
  assert.equal((await payments.getPaymentStatus(captured)).status, 'captured');
  const part = await payments.refundPayment({ data: captured.data, amount: { value: '30.10' }, ...withKey('ref_1') });
  const whole = await payments.refundPayment({ data: part.data, amount: 61.9, ...withKey('ref_2') });
  assert.equal(readData(whole.data).refundIds.length, 2);
  assert.equal((await client.readPayment(paymentId)).refundedAmount, '92.00');
  const more = payments.refundPayment({ data: whole.data, amount: 0.01, ...withKey('ref_3') });
  await assert.rejects(more, { name: 'RefusedError' });
  const { payment } = (await payments.retrievePayment({ data: whole.data })).data as { payment: { id: string } };
  assert.equal(payment.id, paymentId);
});

test('with DB the money is captured at once, and refunded', async () => {
  const data = await authorize(immediate);
  assert.equal((await immediate.getPaymentStatus({ data })).status, 'captured');
  const captured = await immediate.capturePayment({ data, ...withKey('capt_db') });
  assert.deepEqual(captured.data, data);
  const refunded = await immediate.refundPayment({ data, amount: '92', ...withKey('ref_db') });
  assert.equal(readData(refunded.data).refundIds.length, 1);
});

test('declined: an error with a text for the shopper, who may try again', async () => {
  const { id, data } = await initiate();
  await pay(id, { 'card.holder': '800.100.155' });
  const declined = await payments.authorizePayment({ data });
  assert.deepEqual([declined.status, declined.data.resultCode, declined.data.paymentId], ['error', '800.100.155', null]);
  assert.match(String(declined.data.message), /another card/);
  await pay(id);
  assert.equal((await payments.authorizePayment(declined)).status, 'authorized');
});

test('pending until the bank has decided', async () => {
  await client.scenarios.attach('pending-then-paid');
  const { id, data } = await initiate();
  await pay(id);
  await client.scenarios.detach('pending-then-paid');
  const pending = await payments.authorizePayment({ data });
  assert.equal(pending.status, 'pending');
  await gateway.settle();
  assert.equal((await payments.getPaymentStatus(pending)).status, 'authorized');
});

for (const scenario of ['capture-declined', 'refund-declined'] as const)
  test(`${scenario} is an error that names the code`, async () => {
    await client.scenarios.attach(scenario);
    const data = await authorize();
    await client.scenarios.detach(scenario);
    const captured = payments.capturePayment({ data, ...withKey(`capt_${scenario}`) });
    const act = scenario === 'capture-declined' ? captured : payments.refundPayment({ ...(await captured), amount: 92 });
    await assert.rejects(act, { name: 'RefusedError', message: /^Turnpike refused the (?:capture|refund): [0-9.]{11} / });
  });

test('cancelled: what is held is released, what is taken is given back, and a second time changes nothing', async () => {
  for (const by of [payments, immediate]) {
    const data = await authorize(by);
    const cancelled = await by.cancelPayment({ data, ...withKey(`pay_${by === payments}`) });
    const { reversalId, paymentId } = readData(cancelled.data);
    assert.ok(reversalId);
    assert.equal((await client.readPayment(paymentId ?? '')).reversedAmount, '92.00');
    assert.deepEqual((await by.cancelPayment({ data: cancelled.data })).data, cancelled.data);
  }
  const captured = await payments.capturePayment({ data: await authorize(), ...withKey('capt_cancel') });
  await payments.cancelPayment({ ...captured, ...withKey('pay_captured') });
  const { reversedAmount = '0.00', refundedAmount = '0.00' } = await client.readPayment(readData(captured.data).captureId ?? '');
  assert.ok([reversedAmount, refundedAmount].includes('92.00'), `${reversedAmount} ${refundedAmount}`);
  const unpaid = await initiate();
  assert.deepEqual((await payments.deletePayment({ data: unpaid.data })).data, unpaid.data);
  assert.deepEqual((await payments.deletePayment({ data: {} })).data, {});
  const held = await initiate();
  await pay(held.id);
  const deleted = await payments.deletePayment({ data: held.data });
  assert.equal((await payments.getPaymentStatus(deleted)).status, 'canceled');
});

test('repeated with its key, an action is done once', async () => {
  const { input, id, data } = await initiate();
  assert.equal((await payments.initiatePayment(input)).id, id);
  await pay(id);
  const paid = await payments.authorizePayment({ data });
  assert.deepEqual(await payments.authorizePayment({ data }), paid);
  const [one, other] = [
    await payments.capturePayment({ data: paid.data, ...withKey('capt_twice') }),
    await payments.capturePayment({ data: paid.data, ...withKey('capt_twice') }),
  ];
  assert.deepEqual(one, other);
  const lost = await payments.capturePayment({ data: paid.data, ...withKey('capt_again') });
  assert.deepEqual(lost, one, 'a capture whose reply was lost is found, with another key too');
  const refund = { data: one.data, amount: 10, ...withKey('ref_twice') };
  assert.deepEqual(await payments.refundPayment(refund), await payments.refundPayment(refund));
  assert.equal((await client.readPayment(readData(one.data).captureId ?? '')).refundedAmount, '10.00');
});

test('the amount is updated before the payment, and refused after it', async () => {
  const { id, data } = await initiate();
  const updated = await payments.updatePayment({ data, amount: '81.50', currency_code: 'eur' });
  await pay(id);
  const paid = await payments.authorizePayment(updated);
  assert.equal(paid.status, 'authorized');
  assert.equal((await client.readPayment(readData(paid.data).paymentId ?? '')).amount, '81.50');
  await assert.rejects(payments.updatePayment({ data: updated.data, amount: 1, currency_code: 'eur' }), { kind: 'invalid' });
  const other = await payments.authorizePayment({ data: { ...updated.data, amount: '92.00' } });
  assert.deepEqual([other.status, other.data.paymentId], ['error', null], 'another amount makes no order');
});

test('an expired checkout is cancelled, and a payment in it is still found', async () => {
  const [paid, unpaid] = [await initiate(), await initiate()];
  await pay(paid.id);
  gateway.pass(31 * 60_000);
  assert.equal((await payments.authorizePayment(paid)).status, 'authorized');
  assert.equal((await payments.authorizePayment(unpaid)).status, 'canceled');
});

test('what a browser sends as data does not count', async () => {
  const stranger = await authorize();
  const { paymentId } = stranger;
  const { data } = await initiate(payments, '92', {
    paymentId,
    captureId: paymentId,
    checkoutId: stranger.checkoutId,
    amount: '0.01',
  });
  assert.equal((await payments.authorizePayment({ data })).status, 'requires_more');
  await assert.rejects(payments.capturePayment({ data, ...withKey('capt_stolen') }), /nothing was paid/);
  await assert.rejects(payments.authorizePayment({ data: { paymentId } }), /initiate it first/);
});

type Described = { readonly customer?: Record<string, string>; readonly billing?: Record<string, string> };

test('a customer spares the shopper fields, and one that the gateway does not take stops nothing', async () => {
  const billing_address = { address_1: '17 Market Street', city: 'Springfield', postal_code: '12 345', country_code: 'de' };
  const customer = { id: 'cus_1', email: 'ann@example.org', first_name: 'Ann', last_name: 'Example', billing_address };
  const start = async (about: typeof customer) => {
    const session_id = createSessionId();
    const context = { customer: about, idempotency_key: session_id };
    const { id, data } = await payments.initiatePayment({ amount: 1, currency_code: 'eur', data: { session_id }, context });
    await pay(id);
    const { paymentId } = readData((await payments.authorizePayment({ data })).data);
    return (await client.readPayment(paymentId ?? '')) as unknown as Described;
  };
  const { customer: known, billing } = await start(customer);
  assert.deepEqual(
    [known?.givenName, known?.email, billing?.postcode, billing?.country],
    ['Ann', 'ann@example.org', '12345', 'DE'],
  );
  const odd = await start({ ...customer, billing_address: { ...billing_address, country_code: 'xx' } });
  assert.equal(odd.billing?.country, undefined);
});

const amounts: readonly (readonly [amount: unknown, currency: string, hundredths: bigint | null])[] = [
  ['92', 'EUR', 9200n],
  [92.1, 'EUR', 9210n],
  [0.1 + 0.2, 'EUR', 30n],
  ['1.005', 'EUR', 101n],
  ['1.004999999999999999', 'EUR', 100n],
  [{ value: '9007199254740993.99', precision: 20 }, 'EUR', 900719925474099399n],
  [{ numeric: 1.1, raw: { value: '1.10' } }, 'EUR', 110n],
  [{ toFixed: () => '33.333333' }, 'EUR', 3333n],
  ['1500.4', 'JPY', 150000n],
  ['1.230', 'KWD', 123n],
  ['1.234', 'KWD', null],
  ['-1', 'EUR', null],
  ['1e3', 'EUR', null],
  [1e21, 'EUR', null],
  [Number.NaN, 'EUR', null],
  ['', 'EUR', null],
  [null, 'EUR', null],
  [{}, 'EUR', null],
];
for (const [amount, currency, hundredths] of amounts)
  test(`${JSON.stringify(amount)} ${currency} is ${hundredths ?? 'refused'}`, () => {
    if (hundredths === null) assert.throws(() => hundredthsOf(amount, currency), RangeError);
    else assert.equal(hundredthsOf(amount, currency), hundredths);
  });

const wrongOptions: readonly (readonly [name: string, value: unknown])[] = [
  ['url', 'ftp://pay.example'],
  ['url', undefined],
  ['publicUrl', 'pay.example'],
  ['token', ''],
  ['entityId', 'shop'],
  ['webhookKey', 'secret'],
  ['paymentType', 'CD'],
];
for (const [name, value] of wrongOptions)
  test(`the option ${name} is refused as ${JSON.stringify(value)}, without its value`, () => {
    assert.throws(
      () => checkOptions({ ...options, [name]: value }),
      (error: Error) => error.message.includes(name === 'publicUrl' ? 'url' : name) && !error.message.includes(webhookKey),
    );
    checkOptions(options);
  });

test('the provider that Medusa loads passes on, and translates errors', async () => {
  const file = new URL('../../examples/medusa-payment/src/index.ts', import.meta.url).href;
  const { default: loaded } = await import(file);
  const [Provider] = loaded.services;
  assert.deepEqual([loaded.module, Provider.identifier], ['payment', 'turnpike']);
  assert.throws(() => Provider.validateOptions({}), { type: 'invalid_data' });
  const provider = new Provider({}, options);
  const input = { amount: 92, currency_code: 'eur', data: { session_id: 'payses_01PROVIDER' } };
  const { id, data } = await provider.initiatePayment(input);
  await assert.rejects(provider.initiatePayment({ ...input, amount: '-1' }), { type: 'invalid_data' });
  await pay(id);
  const paid = await provider.authorizePayment({ data });
  assert.equal(paid.status, 'authorized');
  await assert.rejects(provider.refundPayment({ ...paid, amount: 1 }), { type: 'invalid_data' });
  const { captureId, ...captured } = (await provider.capturePayment(paid)).data;
  assert.ok(captureId);
  await assert.rejects(provider.refundPayment({ data: { ...captured, captureId }, amount: 93 }), { type: 'not_allowed' });
  await assert.rejects(provider.getWebhookActionAndData({ data: {}, rawData: '', headers: {} }), { type: 'invalid_data' });
});
