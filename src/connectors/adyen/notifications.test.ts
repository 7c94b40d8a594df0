import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AcquirerNotification } from '../../payments/ports.ts';
import { createNotificationReader, signatureOf, signedText } from './notifications.ts';

const KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
const NEXT_KEY = 'A'.repeat(64);
const MERCHANT = '5eed00000000000000000000000000f1';
const PAYMENT = '018f2b7c9a3d4e5f60718293a4b5c6d7';
const REFERENCE = `${MERCHANT}.${PAYMENT}.9200`;
const PSP = 'QFQTPCQ8HXSKGK82';

type Item = Readonly<Record<string, unknown>>;

const item = (given: Item = {}): Item => ({
  eventCode: 'AUTHORISATION',
  success: 'true',
  pspReference: PSP,
  merchantReference: REFERENCE,
  merchantAccountCode: 'Shop',
  amount: { currency: 'EUR', value: 9200 },
  ...given,
});

function signed(given: Item = {}, key = KEY): Item {
  const one = item(given);
  return { ...one, additionalData: { ...(given.additionalData as Item | undefined), hmacSignature: signatureOf(one, key) } };
}

const bodyOf = (...items: readonly unknown[]): Uint8Array =>
  Buffer.from(JSON.stringify({ live: 'false', notificationItems: items.map((one) => ({ NotificationRequestItem: one })) }));

async function read(body: Uint8Array, { keys = [KEY], login = null as string | null, headers = {} } = {}) {
  const alarms: string[] = [];
  const reader = createNotificationReader({
    merchantAccount: 'Shop',
    hmacKeys: async () => keys,
    basicAuth: async () => login,
    alarm: (message) => void alarms.push(message),
  });
  return { reading: await reader({ headers, body, receivedAt: 0 }), alarms };
}

async function readOne(given: Item): Promise<AcquirerNotification> {
  const { reading } = await read(bodyOf(signed(given)));
  assert.equal(reading.is, 'read');
  const [one] = reading.is === 'read' ? reading.notifications : [];
  assert.ok(one);
  return one;
}

test("the signature is the one of Adyen's test vector", () => {
  const vector = {
    pspReference: '7914073381342284',
    merchantAccountCode: 'TestMerchant',
    merchantReference: 'TestPayment-1407325143704',
    amount: { value: 1130, currency: 'EUR' },
    eventCode: 'AUTHORISATION',
    success: 'true',
  };
  assert.equal(signedText(vector), '7914073381342284::TestMerchant:TestPayment-1407325143704:1130:EUR:AUTHORISATION:true');
  assert.equal(signatureOf(vector, KEY), 'coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=');
});

test('a notification counts only when every item is signed with a key of the account', async () => {
  const cases: readonly (readonly [string, Uint8Array, Parameters<typeof read>[1], 'read' | 'refused'])[] = [
    ['signed', bodyOf(signed()), {}, 'read'],
    ['two items', bodyOf(signed(), signed({ pspReference: 'ABCDEFGH12345678' })), {}, 'read'],
    ['one of two is not signed', bodyOf(signed(), item()), {}, 'refused'],
    ['the next key, while keys are exchanged', bodyOf(signed({}, NEXT_KEY)), { keys: [KEY, NEXT_KEY] }, 'read'],
    ['the next key, before it is set', bodyOf(signed({}, NEXT_KEY)), {}, 'refused'],
    ['no key is set', bodyOf(signed()), { keys: [] }, 'refused'],
    ['a changed value', bodyOf({ ...signed(), amount: { currency: 'EUR', value: 9201 } }), {}, 'refused'],
    ['a changed success', bodyOf({ ...signed({ success: 'false' }), success: 'true' }), {}, 'refused'],
    ['another reference', bodyOf({ ...signed(), merchantReference: REFERENCE.replace('5eed', 'feed') }), {}, 'refused'],
    ['no body', Buffer.from(''), {}, 'refused'],
    ['no items', bodyOf(), {}, 'refused'],
    ['items that are none', bodyOf(null, 'x'), {}, 'refused'],
    ['an id that is none', bodyOf(signed({ pspReference: '../payments' })), {}, 'refused'],
    ['user and password are missing', bodyOf(signed()), { login: 'user:secret' }, 'refused'],
    [
      'user and password',
      bodyOf(signed()),
      { login: 'user:secret', headers: { authorization: `Basic ${btoa('user:secret')}` } },
      'read',
    ],
  ];
  for (const [name, body, options, is] of cases) assert.equal((await read(body, options)).reading.is, is, name);
});

test('what each event does', async () => {
  const kept = { is: 'kept' };
  const inquire = { is: 'inquire' };
  const cases: readonly (readonly [Item, unknown])[] = [
    [{ eventCode: 'CAPTURE', originalReference: PSP }, inquire],
    [{ eventCode: 'REFUND', success: 'false' }, inquire],
    [{ eventCode: 'CANCELLATION' }, inquire],
    [{ eventCode: 'CANCEL_OR_REFUND' }, inquire],
    [{ eventCode: 'TECHNICAL_CANCEL' }, inquire],
    [{ eventCode: 'AUTHORISATION_ADJUSTMENT' }, inquire],
    [{ amount: { currency: 'EUR', value: 4600 } }, inquire],
    [{ eventCode: 'CAPTURE_FAILED' }, { is: 'chargeback', amount: 9200n, code: '000.100.226' }],
    [
      { eventCode: 'REFUND_FAILED', amount: { currency: 'JPY', value: 92 } },
      { is: 'chargeback', amount: 9200n, code: '000.100.226' },
    ],
    [{ eventCode: 'REFUNDED_REVERSED' }, { is: 'chargeback', amount: 9200n, code: '000.100.226' }],
    [
      { eventCode: 'CHARGEBACK', additionalData: { chargebackReasonCode: '10.4' } },
      { is: 'chargeback', amount: 9200n, code: '000.100.220' },
    ],
    [{ eventCode: 'SECOND_CHARGEBACK' }, { is: 'chargeback', amount: 9200n, code: '000.100.200' }],
    [{ eventCode: 'CHARGEBACK_REVERSED' }, { is: 'chargebackReversal', amount: 9200n, code: null }],
    [{ eventCode: 'CHARGEBACK', success: 'false' }, kept],
    [{ eventCode: 'NOTIFICATION_OF_CHARGEBACK' }, kept],
    [{ eventCode: 'REPORT_AVAILABLE' }, kept],
    [{ eventCode: 'EXPIRE' }, kept],
  ];
  for (const [given, event] of cases) assert.deepEqual((await readOne(given)).event, event, JSON.stringify(given));
});

test('an authorisation is the answer', async () => {
  const yes = await readOne({
    additionalData: { authCode: '044925', networkTxReference: '1234', acquirerReference: '<script>' },
  });
  assert.deepEqual(yes.event, {
    is: 'answer',
    answer: {
      is: 'approved',
      reference: PSP,
      details: { resultDetails: { ConnectorTxID1: PSP, AuthCode: '044925' }, schemeReference: '1234' },
    },
  });
  const no = await readOne({ success: 'false', reason: 'Expired Card' });
  assert.deepEqual(no.event.is === 'answer' && no.event.answer.is === 'declined' && no.event.answer.code, '800.100.157');
  assert.notEqual(yes.id, no.id);
  const gone = await readOne({ eventCode: 'OFFER_CLOSED' });
  assert.deepEqual(gone.event.is === 'answer' && gone.event.answer.is === 'declined' && gone.event.answer.code, '100.396.103');
});

test('an event is about the payment that its reference names', async () => {
  const named = { merchantId: MERCHANT, paymentId: PAYMENT };
  assert.deepEqual((await readOne({})).about, { ...named, reference: PSP });
  const capturePspReference = '8636172945333378';
  const disputed = await readOne({ eventCode: 'CHARGEBACK', additionalData: { capturePspReference } });
  assert.deepEqual(disputed.about, { ...named, reference: capturePspReference });
  assert.deepEqual((await readOne({ eventCode: 'CHARGEBACK' })).about, named);
  assert.equal((await readOne({ merchantReference: 'order 1' })).about, null);
  assert.equal((await readOne({ merchantAccountCode: 'OtherShop' })).about, null);
});

test('a dispute and a failed reversal reach the operator', async () => {
  for (const [given, count] of [
    [{ eventCode: 'NOTIFICATION_OF_CHARGEBACK' }, 1],
    [{ eventCode: 'REQUEST_FOR_INFORMATION' }, 1],
    [{ eventCode: 'CANCEL_OR_REFUND', success: 'false' }, 1],
    [{ eventCode: 'CANCEL_OR_REFUND' }, 0],
    [{ eventCode: 'NOTIFICATION_OF_CHARGEBACK', merchantAccountCode: 'OtherShop' }, 0],
  ] as const)
    assert.equal((await read(bodyOf(signed(given)))).alarms.length, count, JSON.stringify(given));
});
