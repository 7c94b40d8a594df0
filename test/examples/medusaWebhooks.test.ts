import './medusaHooks.ts';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { CARD, OTHER } from '../http/client.ts';
import { type Data, startShop, webhookKey, withKey } from './medusaShop.ts';

/** Webhooks of a gateway, as Medusa's route passes them to the payment provider. */

const { createPayments } = await import('../../examples/medusa-payment/src/payments.ts');
const { readData } = await import('../../examples/medusa-payment/src/data.ts');

const { gateway, options, payments, client, initiate, pay } = await startShop();
after(() => gateway.close());

type Received = { readonly headers: Record<string, unknown>; readonly rawData: Buffer; readonly data: Data };

test('webhooks of the gateway become actions; forgeries are refused', async () => {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, rawData: Buffer.from(await text(request)), data: {} });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  const url = `http://127.0.0.1:${port}/hooks/payment/turnpike_turnpike`;
  const hook = await client.admin.createWebhook({ entityId: OTHER.entityId, name: 'Medusa', url, key: webhookKey });
  await client.admin.testWebhook(hook.id);
  const next = async (): Promise<Received> => {
    received.length = 0;
    await gateway.work('fan out events');
    await gateway.work('dispatch deliveries');
    while (received.length === 0) await new Promise((resolve) => setImmediate(resolve));
    return received.at(-1) ?? assert.fail();
  };
  const translate = async () => payments.getWebhookActionAndData(await next());
  try {
    assert.deepEqual(await payments.getWebhookActionAndData(received[0] ?? assert.fail()), { action: 'not_supported' });
    const { id, session_id, data } = await initiate();
    const about = { session_id, amount: '92.00' };
    await pay(id, { 'card.holder': '800.100.155' });
    assert.deepEqual(await translate(), { action: 'failed', data: about });
    await pay(id);
    const event = await next();
    assert.deepEqual(await payments.getWebhookActionAndData(event), { action: 'authorized', data: about });
    const { rawData } = event;
    const forged = { ...event, rawData: Buffer.from(`${rawData.toString().slice(0, -2)}00`) };
    await assert.rejects(payments.getWebhookActionAndData(forged), { name: 'WebhookError', fault: 'signature' });
    const stranger = createPayments({ ...options, webhookKey: 'cd'.repeat(32) });
    await assert.rejects(stranger.getWebhookActionAndData(event), { name: 'WebhookError', fault: 'signature' });
    const rotated = createPayments({ ...options, webhookKey: `${'cd'.repeat(32)},${webhookKey}` });
    assert.equal((await rotated.getWebhookActionAndData(event)).action, 'authorized');

    // In the back office, without a reference.
    const paid = await payments.authorizePayment({ data });
    const paymentId = readData(paid.data).paymentId ?? '';
    await client.capturePayment(paymentId, { amount: '92.00', currency: 'EUR' });
    assert.deepEqual(await translate(), { action: 'captured', data: about });
    const captured = await payments.capturePayment({ data: paid.data, ...withKey('capt_hook') });
    await payments.refundPayment({ data: captured.data, amount: 1, ...withKey('ref_hook') });
    assert.deepEqual(await translate(), { action: 'not_supported' });
    await client.scenarios.attach('pending-then-paid');
    const waiting = await initiate();
    await pay(waiting.id);
    assert.equal((await translate()).action, 'pending');
    await client.scenarios.detach('pending-then-paid');
    await client.createPayment({
      paymentType: 'DB',
      amount: 1n,
      currency: 'EUR',
      merchantTransactionId: 'another-shop-1',
      ...CARD,
    });
    assert.deepEqual(await translate(), { action: 'not_supported' });
  } finally {
    await client.admin.removeWebhook(hook.id);
    server.close();
  }
});
