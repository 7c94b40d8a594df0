import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { createClient } from '../../src/client/client.ts';
import { demoShop } from '../../src/client/generated/sandbox.ts';
import { formatAmount, readReconciliation } from '../../src/client/reconciliation.ts';
import { classifyResult } from '../../src/client/results.ts';
import { playScenario, testCard } from '../../src/client/sandbox.ts';
import { createWebhookHandler, createWebhookReceiver, verifyWebhook, type WebhookEvent } from '../../src/client/webhooks.ts';
import { startGateway } from '../http/gateway.ts';

/** The typed client against a gateway. */
const gateway = await startGateway();
after(() => gateway.close());
const client = createClient({ url: gateway.url, ...demoShop });
const order = { paymentType: 'DB', amount: 9200n, currency: 'EUR', ...testCard() } as const;

test('a payment is made, captured, refunded, read and found', async () => {
  const merchantTransactionId = 'order-of-client-1';
  const held = await client.createPayment({ ...order, paymentType: 'PA', merchantTransactionId });
  const id = held.id ?? assert.fail();
  const captured = await client.capturePayment(id, { amount: '40.00', currency: 'EUR' });
  const refunded = await client.refundPayment(captured.id ?? '', { amount: 1000n, currency: 'EUR' });
  assert.deepEqual(
    [held, captured, refunded].map((one) => [one.paymentType, classifyResult(one).kind, one.amount]),
    [
      ['PA', 'success', '92.00'],
      ['CP', 'success', '40.00'],
      ['RF', 'success', '10.00'],
    ],
  );
  assert.equal((await client.readPayment(id)).capturedAmount, '40.00');
  assert.equal((await client.readResult(`/v1/payments/${id}`)).id, id);
  const found = await client.queryPayments({ merchantTransactionId });
  assert.ok(found.payments?.some((one) => one.id === id));
});

test('the same key takes one payment, another body with it is refused', async () => {
  const options = { idempotencyKey: 'order-17' };
  const [one, other] = [await client.createPayment(order, options), await client.createPayment(order, options)];
  assert.equal(one.id, other.id);
  await assert.rejects(client.createPayment({ ...order, amount: 1n }, options), { kind: 'invalid', code: '200.200.107' });
});

test('declines by name: soft, hard, and with 3D Secure', async () => {
  const play = async (name: Parameters<typeof playScenario>[0]) =>
    classifyResult(await client.createPayment({ ...order, ...playScenario(name) }));
  const results = [await play('insufficient-funds'), await play('card-stolen'), await play('soft-decline')];
  assert.deepEqual(
    results.map((one) => one.kind === 'declined' && [one.code, one.decline, one.needsAuthentication]),
    [
      ['800.100.155', 'soft', false],
      ['800.100.159', 'hard', false],
      ['300.100.100', 'soft', true],
    ],
  );
  const own = await play({ acquirer: [{ says: 'declined', code: '800.100.171' }] });
  assert.equal(own.code, '800.100.171');
  const second = await client.createPayment({ ...order, ...playScenario('insufficient-funds-then-paid', { attempt: 2 }) });
  assert.equal(second.result.code, '000.100.110');
});

test('a scenario is attached to a card and detached', async () => {
  const card = { card: order['card.number'] };
  await client.scenarios.attach('card-stolen', card);
  assert.equal((await client.createPayment(order)).result.code, '800.100.159');
  await client.scenarios.detach('card-stolen', card);
  assert.equal((await client.createPayment(order)).result.code, '000.100.110');
});

test('wrong parameters and an unknown token are errors that say what is wrong', async () => {
  const wrong = client.createPayment({ ...order, amount: '92,00', 'card.expiryMonth': '13' });
  await assert.rejects(wrong, (error: { readonly parameterErrors: readonly { readonly name: string }[] }) => {
    assert.deepEqual(error.parameterErrors.map(({ name }) => name).toSorted(), ['amount', 'card.expiryMonth']);
    return true;
  });
  const stranger = createClient({ url: gateway.url, ...demoShop, token: 'x'.repeat(40) });
  await assert.rejects(stranger.createPayment(order), { kind: 'unauthorised' });
  await assert.rejects(client.readPayment('0'.repeat(32)), { kind: 'notFound' });
});

test('a checkout is prepared and its result read by its resourcePath', async () => {
  const { id = '' } = await client.createCheckout({ paymentType: 'DB', amount: 9200n, currency: 'EUR' });
  const status = await client.readResult(`/v1/checkouts/${id}/payment`, id);
  assert.equal(classifyResult(status).kind, 'pending');
  const { paymentBrand, ...card } = testCard();
  const paid = await client.payCheckout(id, { paymentBrand, ...card } as Parameters<typeof client.payCheckout>[1]);
  assert.equal(classifyResult(paid).kind, 'success');
  assert.equal(classifyResult(await client.readResult(`/v1/checkouts/${id}/payment`, id)).kind, 'success');
});

test('the clock is frozen, moved and set back', async () => {
  const frozen = await client.clock.freeze();
  assert.equal(frozen.isFrozen, true);
  const moved = await client.clock.moveBy('P1D');
  assert.equal(Date.parse(moved.now) - Date.parse(frozen.now), 86_400_000);
  assert.equal((await client.clock.moveTo(new Date(Date.parse(moved.now) + 1_000))).isMoving, false);
  assert.equal((await client.clock.useRealTime()).isReal, true);
});

test('public tables are read without a token', async () => {
  assert.ok((await client.listBrands()).brands.length > 20);
  assert.ok((await client.listResultCodes({ language: 'de' })).resultCodes.length > 400);
});

test('the reconciliation file of the test mode is read', async () => {
  const file = await client.reportCsv({ 'date.from': '2031-10-01', 'date.to': '2031-10-07', testMode: 'INTERNAL' });
  const records = await Array.fromAsync(readReconciliation(file));
  assert.ok(records.length > 0);
  for (const { Amount, Currency } of records)
    assert.match(`${formatAmount(Amount ?? assert.fail())} ${Currency}`, /^[0-9]+\.[0-9]{2} [A-Z]{3}$/);
});

type Received = { readonly headers: Record<string, string>; readonly body: string };

/** What a gateway sends to a webhook with this key, for one payment. */
async function receiveOne(wrapper: 'NONE' | 'JSON'): Promise<Received & { readonly key: string; readonly paymentId: string }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers as Record<string, string>, body: await text(request) });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as { readonly port: number };
  const hook = await client.admin.createWebhook({ name: 'Shop', url: `http://127.0.0.1:${address.port}/hook`, wrapper });
  await client.admin.testWebhook(hook.id);
  const { id = '' } = await client.createPayment(order);
  await gateway.work('fan out events');
  await gateway.work('dispatch deliveries');
  while (received.length < 2) await new Promise((resolve) => setImmediate(resolve));
  await client.admin.removeWebhook(hook.id);
  await new Promise((resolve) => server.close(resolve));
  return { ...(received[1] ?? assert.fail()), key: hook.key, paymentId: id };
}

for (const wrapper of ['NONE', 'JSON'] as const)
  test(`webhooks (${wrapper}) are verified, decrypted and passed on once; forgeries are refused by name`, async () => {
    const { headers, body, key, paymentId } = await receiveOne(wrapper);
    const other = 'ab'.repeat(32);
    const event = await verifyWebhook(headers, body, { keys: [other, key] });
    assert.equal(event.type === 'PAYMENT' && event.payload.id, paymentId);
    const faultOf = async (
      changed: Record<string, string | undefined>,
      text = body,
      keys: string | string[] = key,
      now?: () => number,
    ) =>
      verifyWebhook({ ...headers, ...changed }, text, { keys, ...(now && { now }) }).then(
        () => 'none',
        (error: { readonly fault?: string }) => error.fault,
      );
    const signature = headers['webhook-signature'] ?? '';
    const sentAt = Number(headers['webhook-timestamp']) * 1_000;
    assert.deepEqual(
      {
        late: await faultOf({}, body, key, () => sentAt + 301_000),
        early: await faultOf({}, body, key, () => sentAt - 301_000),
        time: await faultOf({ 'webhook-timestamp': 'NaN' }),
        key: await faultOf({}, body, other),
        body: await faultOf(
          {},
          body.replace(/[0-9a-f](?=[^0-9a-f]*$)/i, (digit) => (digit === '0' ? '1' : '0')),
        ),
        id: await faultOf({ 'webhook-id': 'msg_1' }),
        noSignature: await faultOf({ 'webhook-signature': undefined }),
        badSignature: await faultOf({ 'webhook-signature': 'v1,%%%' }),
        rotated: await faultOf({ 'webhook-signature': `v1,${btoa('x'.repeat(32))} ${signature}` }),
        tag: await faultOf({ 'x-authentication-tag': '00'.repeat(16) }),
        vector: await faultOf({ 'x-initialization-vector': 'zz' }),
      },
      {
        late: 'age',
        early: 'age',
        time: 'age',
        key: 'signature',
        body: 'signature',
        id: 'signature',
        noSignature: 'header',
        badSignature: 'signature',
        rotated: 'key',
        tag: 'payload',
        vector: 'payload',
      },
    );
    const events: WebhookEvent[] = [];
    let isDown = true;
    const receive = createWebhookReceiver({
      keys: key,
      onEvent: (one) => {
        if (isDown) throw new Error('no database');
        events.push(one);
      },
    });
    const replies = [await receive(headers, body)];
    isDown = false;
    replies.push(
      await receive(headers, body),
      await receive(headers, body),
      await receive({ ...headers, 'webhook-id': 'x' }, body),
    );
    assert.deepEqual(
      replies.map(({ status, reason }) => `${status} ${reason}`),
      ['500 not processed', '200 processed', '200 duplicate', '400 not signed by a key that is known here'],
    );
    assert.equal(events.length, 1);
    const handle = createWebhookHandler({ keys: key, onEvent: () => {} });
    const response = await handle(new Request('http://shop.example/hook', { method: 'POST', headers, body }));
    assert.deepEqual([response.status, await response.text()], [200, 'processed']);
  });
