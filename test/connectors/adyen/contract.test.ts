import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readResult, resultCodesRead } from '../../../src/connectors/adyen/answers.ts';
import { createNotificationReader, signatureOf } from '../../../src/connectors/adyen/notifications.ts';
import { checkoutContract, hasContract, webhookContract } from './openApi.ts';
import { signedNotification } from './server.ts';

type Json = Readonly<Record<string, unknown>>;

const skip = !hasContract && 'the contract is absent';
const context = {
  reference: 'string',
  value: 1000n,
  currency: 'EUR',
  isMastercard: false,
  isInitial: false,
  until: 1,
  mustName: false,
  takesSteps: true,
} as const;

test('every example answer of a payment is read', { skip }, () => {
  const { examples } = checkoutContract().contract.components;
  const read: Record<string, string> = {};
  for (const [name, { value }] of Object.entries(examples)) {
    const body = value as Json;
    if (!/^post-payments-(?!links|methods).*-200$/.test(name) || typeof body.resultCode !== 'string') continue;
    const { merchantReference = 'string' } = body as { merchantReference?: string };
    const reading = readResult(body, { ...context, reference: merchantReference, ...moneyIn(body) });
    read[name.slice('post-payments-'.length, -'-200'.length)] = reading.is === 'answer' ? reading.answer.is : reading.is;
  }
  assert.deepEqual(read, {
    'card-3d-secure-2-web': 'step',
    'card-3d-secure-redirect': 'redirected',
    'card-direct': 'approved',
    'card-securedfields': 'approved',
    'details-00.redirect': 'approved',
    'enableOneClick-SF': 'approved',
    ideal: 'redirected',
    'on-demand-top-up-from-transfer-instrument': 'approved',
    'on-demand-top-up-visa': 'approved',
    'split-balanceplatform': 'approved',
    'subscription-first-transaction': 'approved',
  });
});

/** The money that an example names. */
function moneyIn({ amount }: Json): { readonly value: bigint; readonly currency: string } | null {
  const { value, currency } = (amount ?? {}) as { value?: number; currency?: string };
  return value === undefined || currency === undefined ? null : { value: BigInt(value), currency };
}

test('every result code of the contract is read', { skip }, () => {
  const schemas = checkoutContract().contract.components.schemas as Readonly<
    Record<string, { readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>> }>
  >;
  for (const name of ['PaymentResponse', 'PaymentDetailsResponse'])
    assert.deepEqual(schemas[name]?.properties.resultCode?.enum?.toSorted(), resultCodesRead.toSorted());
});

test('every example of a webhook is read, and refused without its signature', { skip }, async () => {
  const { examples } = webhookContract().contract.components;
  const key = 'B'.repeat(64);
  let count = 0;
  for (const [name, { value }] of Object.entries(examples)) {
    const { notificationItems } = value as { readonly notificationItems?: readonly { readonly NotificationRequestItem: Json }[] };
    if (!notificationItems) continue;
    const reader = createNotificationReader({
      merchantAccount: 'YOUR_MERCHANT_ACCOUNT',
      hmacKeys: async () => [key],
      basicAuth: async () => null,
      alarm: () => {},
    });
    const signed = notificationItems.map(({ NotificationRequestItem: item }) => ({
      NotificationRequestItem: {
        ...item,
        additionalData: { ...(item.additionalData as Json), hmacSignature: signatureOf(item, key) },
      },
    }));
    const posted = (items: unknown) => ({
      headers: {},
      body: Buffer.from(JSON.stringify({ notificationItems: items })),
      receivedAt: 0,
    });
    const reading = await reader(posted(signed));
    assert.equal(reading.is, 'read', `${name}: ${reading.is === 'refused' ? reading.reason : ''}`);
    assert.equal((await reader(posted(notificationItems))).is, 'refused', name);
    count += 1;
  }
  assert.ok(count >= 39, `${count} examples`);
});

test('the notifications of the server for tests fit the contract', { skip }, () => {
  const { body } = signedNotification({
    eventCode: 'CAPTURE',
    success: true,
    pspReference: 'PSP0000000000001',
    originalReference: 'PSP0000000000002',
    merchantReference: 'order',
    value: 100n,
    currency: 'EUR',
  });
  assert.equal(webhookContract().faultOf('CaptureNotificationRequest', JSON.parse(body)), null);
});
