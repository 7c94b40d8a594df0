import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countries } from '../spec/countries.ts';
import { currencies } from '../spec/currencies.ts';
import { buildAReq } from './buildAReq.ts';
import { phoneOf } from './cardholder.ts';
import {
  type ExampleRequest,
  exampleAReq,
  exampleDeviceInfo,
  exampleParts,
  exampleRequest,
  NOW,
  parametersFor,
} from './examples.ts';
import type { AReq } from './messages/message.ts';
import { faultsOf } from './messages/validate.ts';
import { missingParameters } from './prepare.ts';

const series = { mode: 'INITIAL', source: 'CIT', practice: null, numberOfInstallments: null } as const;
const cases: readonly (readonly [says: string, request: ExampleRequest, elements: Readonly<Record<string, unknown>>])[] = [
  [
    'money in the smallest unit of the currency',
    { currency: 'KWD', amount: 9250n },
    { purchaseAmount: '92500', purchaseCurrency: '414', purchaseExponent: '3', purchaseDate: '20310203040506' },
  ],
  [
    'money without decimals',
    { currency: 'JPY', amount: 9200n },
    { purchaseAmount: '92', purchaseCurrency: '392', purchaseExponent: '0' },
  ],
  ['the amount of risk', { fields: { 'risk.amount': '1.00' } }, { purchaseAmount: '100', purchaseCurrency: '978' }],
  [
    'a series',
    { instruction: { ...series, type: 'RECURRING', expiry: '2035-01-31', frequency: '0030' } },
    {
      threeDSRequestorAuthenticationInd: '02',
      recurringExpiry: '20350131',
      recurringFrequency: '0030',
      purchaseInstalData: undefined,
    },
  ],
  [
    'instalments',
    {
      instruction: { ...series, type: 'INSTALLMENT', expiry: '2035-01-31', frequency: '30', numberOfInstallments: '12' },
      fields: { 'standingInstruction.numberOfInstallments': '12' },
    },
    { threeDSRequestorAuthenticationInd: '03', purchaseInstalData: '12' },
  ],
  [
    'the defaults of one network',
    { paymentBrand: 'MASTER', instruction: { ...series, type: 'RECURRING', expiry: null, frequency: null } },
    { recurringExpiry: '99991231', recurringFrequency: '0001' },
  ],
  [
    'no payment, no money',
    { fields: { 'threeDSecure.npa': 'true' } },
    { messageCategory: '02', purchaseAmount: undefined, acquirerBIN: undefined },
  ],
  [
    'the requestor as its network knows him',
    {
      fields: {
        'threeDSecure.v2.visa.requestorId': 'V-1',
        'threeDSecure.v2.mastercard.requestorId': 'M-1',
        'threeDSecure.v2.visa.requestorName': 'Shop',
      },
    },
    { threeDSRequestorID: 'V-1', threeDSRequestorName: 'Shop' },
  ],
  [
    'by the name of the document',
    { paymentBrand: 'MASTER', fields: { 'threeDSecure.v2.network2.requestorId': 'M-1' } },
    { threeDSRequestorID: 'M-1' },
  ],
  [
    'the merchant',
    {
      fields: {
        'threeDSecure.merchant.name': 'Ä'.repeat(60),
        'threeDSecure.merchant.url': 'shop.example',
        'threeDSecure.merchant.country': 'DEU',
        'merchant.mcc': '5411',
      },
    },
    { merchantName: 'Ä'.repeat(40), threeDSRequestorURL: 'https://shop.example', merchantCountryCode: '276', mcc: '5411' },
  ],
  ['a wish of 2.2', { fields: { 'threeDSecure.challengeIndicator': '08' } }, { threeDSRequestorChallengeInd: '08' }],
  [
    'apart from the checkout',
    { fields: { 'threeDSecure.decoupled': 'true' } },
    { threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '00060' },
  ],
  [
    '3RI',
    { fields: { 'threeDSecure.channel': '03', 'threeDSecure.threeRIInd': 'DELAYED_SHIPMENT' } },
    {
      deviceChannel: '03',
      threeRIInd: '06',
      browserLanguage: undefined,
      notificationURL: undefined,
      threeDSRequestorAuthenticationInd: undefined,
    },
  ],
  [
    'an app',
    { fields: { 'threeDSecure.deviceInfo': Buffer.from(exampleDeviceInfo).toString('base64') } },
    {
      deviceChannel: '01',
      sdkReferenceNumber: '3DS_LOA_SDK_EXAM_020100_00001',
      sdkMaxTimeout: '05',
      browserLanguage: undefined,
      notificationURL: undefined,
    },
  ],
  [
    'house numbers and states',
    {
      fields: {
        'billing.street1': 'Hauptstrasse',
        'billing.houseNumber1': '1a',
        'billing.street2': 'ignored',
        'billing.state': 'US-CA',
      },
    },
    { billAddrLine1: 'Hauptstrasse 1a', billAddrLine2: undefined, billAddrState: 'CA', billAddrCountry: '040' },
  ],
  ['a state that is written out', { fields: { 'billing.state': 'California' } }, { billAddrState: undefined }],
  [
    'shipped to where it is billed',
    {
      fields: {
        'shipping.street1': 'Hauptstrasse 1',
        'shipping.city': 'Wien',
        'shipping.postcode': '1010',
        'shipping.country': 'AT',
      },
    },
    { addrMatch: 'Y', merchantRiskIndicator: { shipIndicator: '01' } },
  ],
  ['a depth between two', { fields: { 'customer.browser.screenColorDepth': '30' } }, { browserColorDepth: '24' }],
  ['an address that is none', { fields: { 'customer.ip': 'proxy' } }, { browserIP: undefined }],
  [
    'a new account',
    { fields: { 'customer.status': 'NEW', createRegistration: 'true' } },
    { acctInfo: { chAccAgeInd: '02', paymentAccInd: '02' } },
  ],
  [
    'the domestic scheme',
    {
      paymentBrand: 'CARTEBANCAIRE',
      fields: { 'threeDSecure.schemeData[CB-USECASE]': '01', 'cart.items[0].name': 'pen', 'cart.items[1].name': 'ink' },
    },
    {
      messageExtension: [
        { name: 'CB-ITEMSNB', id: 'A000000042_CB-ITEMSNB', criticalityIndicator: false, data: { 'CB-ITEMSNB': '2' } },
        { name: 'CB-USECASE', id: 'A000000042_CB-USECASE', criticalityIndicator: false, data: { 'CB-USECASE': '01' } },
      ],
    },
  ],
];

for (const [says, request, elements] of cases) {
  test(`request: ${says}`, () => {
    const areq = exampleAReq(exampleRequest(request));
    assert.deepEqual(faultsOf('AReq', areq), []);
    for (const [name, value] of Object.entries(elements)) assert.deepEqual(areq[name as keyof AReq], value, name);
  });
}

test('request: 2.1.0 has no wishes, scripts or decoupled authentication of 2.2', () => {
  const request = exampleRequest({ fields: { 'threeDSecure.challengeIndicator': '09', 'threeDSecure.decoupled': 'true' } });
  const areq = exampleAReq(request, { version: '2.1.0' });
  assert.deepEqual(faultsOf('AReq', areq), []);
  assert.equal(areq.threeDSRequestorChallengeInd, '03');
  assert.ok(!('browserJavascriptEnabled' in areq) && !('threeDSRequestorDecReqInd' in areq));
});

test('request: how long a stored card is known', () => {
  const day = 86_400_000;
  const ageAfter = (days: number) =>
    exampleAReq(exampleRequest(), { registration: { createdAt: NOW - days * day } }).acctInfo?.paymentAccInd;
  assert.deepEqual([ageAfter(1), ageAfter(30), ageAfter(60), ageAfter(61)], ['03', '04', '04', '05']);
});

const phones: readonly (readonly [string, object | undefined])[] = [
  ['+49 (0) 89/1234', { cc: '49', subscriber: '891234' }],
  ['+1-202-555-0100', { cc: '1', subscriber: '2025550100' }],
  ['00353 1 234', { cc: '353', subscriber: '1234' }],
  ['+7 495 1', { cc: '7', subscriber: '4951' }],
  ['089 1234', undefined],
  ['+49', undefined],
];
for (const [text, phone] of phones) test(`telephone ${text}`, () => assert.deepEqual(phoneOf(text), phone));

/** Whatever the API lets through, and nothing is missing for 3D Secure, makes a message that its own rules find right. */
test('every request that lacks nothing becomes a message that is right', () => {
  const text = (max: number) => fc.string({ minLength: 1, maxLength: max, unit: 'grapheme' }).map((value) => value.slice(0, max));
  const fields = fc.record(
    {
      'customer.browser.acceptHeader': text(2048),
      'customer.browser.language': fc.constantFrom('en', 'de-AT', 'zh-Hant'),
      'customer.browser.screenHeight': fc.nat(999_999).map(String),
      'customer.browser.timezone': fc.integer({ min: -840, max: 840 }).map(String),
      'customer.browser.userAgent': text(2048),
      'customer.browser.screenColorDepth': fc.integer({ min: 0, max: 99 }).map(String),
      'customer.browser.challengeWindow': fc.integer({ min: 1, max: 5 }).map(String),
      'customer.ip': fc.oneof(fc.ipV4(), fc.ipV6(), text(255)),
      'customer.email': text(128),
      'customer.phone': fc.string({ maxLength: 25 }),
      'customer.mobile': fc.nat().map((number) => `+${number}`),
      'customer.merchantCustomerId': text(255),
      'billing.street1': text(100),
      'billing.street2': text(100),
      'billing.houseNumber1': text(100),
      'billing.city': text(80),
      'billing.state': text(50),
      'billing.postcode': text(16),
      'billing.country': fc.constantFrom(...countries.map(([code]) => code)),
      'shipping.street1': text(100),
      'shipping.email': text(128),
      'threeDSecure.merchant.name': text(100),
      'threeDSecure.merchant.url': text(100),
      'threeDSecure.challengeIndicator': fc.integer({ min: 1, max: 9 }).map((n) => `0${n}`),
      'threeDSecure.exemptionFlag': fc.integer({ min: 1, max: 4 }).map((n) => `0${n}`),
      'threeDSecure.npa': fc.constantFrom('true', 'false'),
      'threeDSecure.decoupled': fc.constantFrom('true', 'false'),
      'threeDSecure.channel': fc.constantFrom('1', '3', '03'),
      'threeDSecure.threeRIInd': fc.constantFrom('RECURRING', 'SPLIT_SHIPMENT', 'DELAYED_SHIPMENT'),
      'threeDSecure.authenticationInd': fc.constantFrom(
        'PAYMENT',
        'RECURRING',
        'INSTALLMENT',
        'ADD_CARD',
        'BILLING_AGREEMENT',
        '_DELAYED_SHIPMENT',
      ),
      'standingInstruction.numberOfInstallments': fc.integer({ min: 2, max: 999 }).map(String),
    },
    { requiredKeys: [] },
  );
  const request = fc.record({
    fields,
    paymentBrand: fc.constantFrom('VISA', 'MASTER', 'AMEX', 'JCB', 'DISCOVER', 'UNIONPAY', 'MAESTRO'),
    currency: fc.constantFrom(...currencies.keys()),
    amount: fc.bigInt({ min: 0n, max: 99_999_999_999n }),
    holder: fc.option(text(128)),
    version: fc.constantFrom('2.1.0' as const, '2.2.0' as const),
  });
  let count = 0;
  fc.assert(
    fc.property(request, ({ holder, version, ...given }) => {
      const all = exampleRequest(given);
      const parameters = parametersFor(all);
      if (missingParameters(all, parameters).length > 0 || (parameters.deviceChannel === '03' && version === '2.1.0')) return;
      count += 1;
      const card = { number: '4200000000000042', expiryMonth: '05', expiryYear: '2034', holder };
      const areq = buildAReq(exampleParts(all, { parameters, version, card }));
      assert.deepEqual(faultsOf('AReq', areq), []);
      assert.deepEqual(JSON.parse(JSON.stringify(areq)), areq);
    }),
    { numRuns: 400 },
  );
  assert.ok(count > 100, `only ${count} were complete`);
});
