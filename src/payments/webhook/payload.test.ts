import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Channel } from '../../merchants/channel.ts';
import { exampleRegistration } from '../../registrations/examples.ts';
import type { Registration } from '../../registrations/registration.ts';
import { withoutPersonalData } from '../../spec/masking.ts';
import { parameters } from '../../spec/parameters.ts';
import { withoutProof } from '../../threeds/authentication.ts';
import { authenticateUpToAnswer, exampleRequest } from '../../threeds/examples.ts';
import type { SealedRecord, Vault } from '../../vault/ports.ts';
import { examplePayment } from '../examples.ts';
import type { Payment } from '../payment.ts';
import { type OutboxEventSummary, payloadFor, type WebhookPayload } from './payload.ts';

const at = Date.parse('2026-11-15T09:15:31.065Z');
const eventOf = (payment: Payment, given: Partial<OutboxEventSummary> = {}): OutboxEventSummary => ({
  id: '018f2b7c9a3d4e5f60718293a4b5c801',
  type: 'PAYMENT',
  action: null,
  merchantId: payment.merchantId,
  subjectId: payment.id,
  transactionId: null,
  detail: null,
  code: payment.phase.at === 'final' ? payment.phase.code : '000.200.000',
  createdAt: at,
  ...given,
});

function payloadOf(
  payment: Payment,
  event: Partial<OutboxEventSummary> = {},
  registration: Registration | null = null,
): Promise<WebhookPayload | null> {
  const store = {
    payment: async (merchantId: string, id: string) => (merchantId === payment.merchantId && id === payment.id ? payment : null),
    registration: async (_: string, id: string) => (registration?.id === id ? { registration, sealed: null } : null),
  };
  const channel = () => ({ name: 'Shop_Channel' }) as Channel;
  return payloadFor({ store, channel, vault, alarm: assert.fail }, eventOf(payment, event), { buildNumber: 'build' });
}

const PROOF = 'AAACAgSRBklmQCFgMpEGAAAAAAA=';
/** The vault of one text. */
const vault = {
  open: async ({ field }: SealedRecord, sealed: Uint8Array) => (field === 'proof' && sealed.length === 3 ? PROOF : assert.fail()),
} as unknown as Vault;

const plain = async (notice: Promise<WebhookPayload | null>) => JSON.parse(JSON.stringify(await notice));

const card = { bin: '420000', last4Digits: '0000', holder: 'Ann Example', expiryMonth: '05', expiryYear: '2034' };
const both = { entityId: '5eed0000000000000000000000000001', merchantId: '5eed00000000000000000000000000f1' };
const random = { randomField376641: 'names that are not known are to be passed over' };
const tail = {
  buildNumber: 'build',
  timestamp: '2026-11-15 09:15:31+0000',
  ndc: '5eed0000000000000000000000000001-00000000000000000000000000000001',
  merchantAccountId: both.merchantId,
  channelName: 'Shop_Channel',
  source: 'OPP',
  paymentMethod: 'CC',
  shortId: '4821.0937.1152',
};

test('a payment, keys in the order of facts 7.4', async () => {
  const payment = examplePayment({
    paymentType: 'PA',
    merchantTransactionId: 'order-10017',
    risk: { score: 0 } as NonNullable<Payment['risk']>,
    fields: { 'customer.givenName': 'Ann', 'customParameters[SHOPPER_promo]': 'X1', notificationUrl: 'https://shop.example/' },
  });
  const expected = {
    type: 'PAYMENT',
    payload: {
      id: payment.id,
      paymentType: 'PA',
      paymentBrand: 'VISA',
      amount: '92.00',
      currency: 'EUR',
      presentationAmount: '92.00',
      presentationCurrency: 'EUR',
      descriptor: '4821.0937.1152 Demo_Shop',
      merchantTransactionId: 'order-10017',
      result: {
        code: '000.100.110',
        description: "Request successfully processed in 'Merchant in Integrator Test Mode'",
        ...random,
      },
      authentication: { entityId: both.entityId },
      card,
      customer: { givenName: 'Ann' },
      customParameters: { SHOPPER_promo: 'X1' },
      redirect: { parameters: [] },
      risk: { score: '0' },
      ...tail,
    },
  };
  assert.equal(JSON.stringify(await payloadOf(payment)), JSON.stringify(expected));
  assert.equal(JSON.stringify(await payloadOf(payment)), JSON.stringify(await payloadOf(payment)), 'every try tells the same');
});

test('a decline shows the amount that was asked for, and no descriptor', async () => {
  const { payload } = await plain(payloadOf(examplePayment({ phase: { at: 'final', code: '800.100.151' } })));
  assert.deepEqual(
    [payload.result.code, payload.amount, payload.currency, payload.descriptor, payload.presentationAmount],
    ['800.100.151', '92.00', 'EUR', undefined, '92.00'],
  );
});

test('pending is told as pending, also when the payment has moved on; then the end under the same id and ndc', async () => {
  const redirect = { url: 'https://bank.example/', parameters: [{ name: 'a', value: 'b' }] };
  const open = examplePayment({ phase: { at: 'shopper', redirect, tries: 0, until: at, dueAt: at } });
  const ended = examplePayment({ details: { resultDetails: { AcquirerResponse: '00' }, avsResponse: 'F' } });
  const first = await plain(payloadOf(open));
  const late = await plain(payloadOf(ended, { code: '000.200.000' }));
  assert.deepEqual(late, first);
  assert.deepEqual(
    [first.payload.result.code, first.payload.amount, first.payload.currency, first.payload.presentationAmount],
    ['000.200.000', '92.00', 'EUR', '92.00'],
  );
  assert.deepEqual(first.payload.redirect, { parameters: [] });
  const last = (await plain(payloadOf(ended))).payload;
  assert.deepEqual(
    [last.id, last.ndc, last.amount, last.result.code, last.resultDetails.AcquirerResponse],
    [first.payload.id, first.payload.ndc, '92.00', '000.100.110', '00'],
  );
});

test('a refund names what it refers to', async () => {
  const referencedId = '018f2b7c9a3d4e5f60718293a4b5c6aa';
  const { payload } = await plain(payloadOf(examplePayment({ paymentType: 'RF', referencedId, instrument: null })));
  assert.deepEqual(Object.keys(payload).slice(0, 3), ['id', 'referencedId', 'paymentType']);
  assert.equal(payload.referencedId, referencedId);
});

const registration = exampleRegistration();
const storedCases: readonly (readonly [Payment['paymentType'], NonNullable<OutboxEventSummary['action']>, string])[] = [
  ['RG', 'CREATED', registration.id],
  ['DB', 'CREATED', '018f2b7c9a3d4e5f60718293a4b5c6d7'],
  ['DR', 'DELETED', '018f2b7c9a3d4e5f60718293a4b5c6d8'],
  ['TE', 'UPDATED', '018f2b7c9a3d4e5f60718293a4b5c6d9'],
];
for (const [paymentType, action, id] of storedCases) {
  test(`stored details by ${paymentType}: ${action}, under their own id`, async () => {
    const isDeleted = action === 'DELETED';
    const held = isDeleted ? exampleRegistration({ state: 'deleted', code: '100.150.202' }) : registration;
    const payment = examplePayment({ id, paymentType, registrationId: registration.id });
    const notice = await payloadOf(payment, { type: 'REGISTRATION', action }, held);
    const expected = {
      type: 'REGISTRATION',
      action,
      payload: {
        id: registration.id,
        paymentBrand: 'VISA',
        result: {
          code: '000.100.110',
          description: "Request successfully processed in 'Merchant in Integrator Test Mode'",
          ...random,
        },
        authentication: { entityId: both.entityId },
        card,
        redirect: { parameters: [] },
        risk: { score: '' },
        ...tail,
      },
    };
    assert.equal(JSON.stringify(notice), JSON.stringify(expected));
  });
}

test('stored details that were refused before they were stored', async () => {
  const payment = examplePayment({ paymentType: 'RG', phase: { at: 'final', code: '100.100.101' } });
  const { payload } = await plain(payloadOf(payment, { type: 'REGISTRATION', action: 'CREATED' }));
  assert.deepEqual([payload.id, payload.result.code, payload.amount], [payment.id, '100.100.101', undefined]);
});

test('the proof of an authentication stands in what is final', async () => {
  const { authentication } = await authenticateUpToAnswer(exampleRequest(), '4200000000000026');
  const threeDS = { origin: '', state: withoutProof(authentication).open, sealedProof: 'AAAA' };
  const paid = examplePayment({ threeDS });
  const stored = examplePayment({ threeDS, id: registration.id, paymentType: 'RG', registrationId: registration.id });
  const proofs = [
    payloadOf(paid),
    payloadOf(paid, { code: '000.200.000' }),
    payloadOf(stored, { type: 'REGISTRATION', action: 'CREATED' }, registration),
    payloadOf(stored, { type: 'REGISTRATION', action: 'CREATED' }),
  ].map(async (payload) => (await plain(payload)).payload.threeDSecure?.verificationId);
  assert.deepEqual(await Promise.all(proofs), [PROOF, undefined, PROOF, PROOF]);
});

test('a risk check and a plan', async () => {
  const risk = (await plain(payloadOf(examplePayment({ paymentType: 'RI' }), { type: 'RISK' }))).payload;
  assert.deepEqual([risk.paymentType, risk.paymentMethod, risk.amount], ['RI', 'RM', undefined]);
  const planned = examplePayment({ paymentType: 'SD', registrationId: registration.id });
  const plan = (await plain(payloadOf(planned, { type: 'SCHEDULE' }))).payload;
  assert.deepEqual(
    [plan.paymentType, plan.source, plan.registrationId, plan.amount, plan.presentationAmount, plan.presentationCurrency],
    ['SD', 'SCHEDULER', registration.id, undefined, '92.00', 'EUR'],
  );
});

test('what is not there any more cannot be told', async () => {
  assert.equal(await payloadOf(examplePayment(), { subjectId: 'f'.repeat(32) }), null);
  assert.equal(await payloadOf(examplePayment(), { merchantId: 'f'.repeat(32) }), null);
});

/** A part of a name that speaks of a person; what the merchant says of himself is his own. */
const PERSONAL = new RegExp(
  [
    'givenName|surname|middleName|firstName|lastName|salutation|holder|passengers\\[n\\]\\.name|birth|dob$|nationality|occupation',
    'phone|mobile|email|street|houseNumber|postcode|\\.ip$|identification|frequentFlyer|deviceId|fingerprint',
  ].join('|'),
  'i',
);
const ofMerchant = /^merchant\.(?!billing|shipping)|^threeDSecure|^overrideHolder$/;

test('NON_CUSTOMER_DATA: nothing that any parameter says of a person is told', async () => {
  const names = Object.keys(parameters).filter((name) => PERSONAL.test(name) && !ofMerchant.test(name));
  assert.ok(names.length > 80, `${names.length} names`);
  const fields = Object.fromEntries(names.map((name) => [name.replaceAll('[n]', '[0]'), `person ${name}`]));
  const payment = examplePayment({ fields: { ...fields, 'cart.items[0].name': 'pen', 'customParameters[promo]': 'X1' } });
  const notice = (await payloadOf(payment)) as WebhookPayload;
  assert.ok(JSON.stringify(notice).split('person ').length > 80, 'with all fields they are there');
  const text = JSON.stringify(withoutPersonalData(notice));
  assert.doesNotMatch(text, /person |Ann Example/);
  const { payload } = JSON.parse(text);
  assert.deepEqual(
    [payload.card, payload.cart, payload.customParameters, payload.result],
    [
      { bin: '420000', last4Digits: '0000', expiryMonth: '05', expiryYear: '2034' },
      { items: [{ name: 'pen' }] },
      { promo: 'X1' },
      (await plain(payloadOf(payment))).payload.result,
    ],
  );
});
