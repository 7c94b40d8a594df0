import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redirectTypes } from '../../../src/connectors/adyen/paymentMethods.ts';
import { paymentRequest } from '../../../src/connectors/adyen/requests.ts';
import { examplePayment } from '../../../src/payments/examples.ts';
import type { Payment } from '../../../src/payments/payment.ts';
import type { Attempt } from '../../../src/payments/ports.ts';
import { brands } from '../../../src/spec/cards/brands.ts';
import { exampleRegistration, INITIAL, instructed, LATER } from '../../contract/connectorFixtures.ts';
import { hasContract, requestFault } from './openApi.ts';
import { cardAttempt, settings } from './opened.ts';

type Json = Readonly<Record<string, unknown>>;

const RETURN = 'https://pay.example.com/v1/return/1';
const CRYPTOGRAM = 'AAECAwQFBgcICQoLDA0ODxAREhM=';

function composed(attempt: Attempt, given: Partial<typeof settings> = {}): Json {
  const made = paymentRequest(attempt, { ...settings, ...given }, RETURN);
  assert.equal(made.is, 'request', made.is === 'impossible' ? made.code : '');
  const body = made.is === 'request' ? (JSON.parse(JSON.stringify(made.body)) as Json) : {};
  assert.equal(requestFault('/payments', body), null);
  return body;
}

/** The value at a path of members. */
const at = (body: Json, path: string): unknown =>
  path.split('/').reduce<unknown>((value, name) => (value as Json | undefined)?.[name], body);

const shopper = {
  'customer.givenName': 'Ann',
  'customer.surname': 'Example',
  'customer.email': 'ann@example.com',
  'customer.ip': '203.0.113.7',
  'customer.birthDate': '1990-02-03',
  'customer.mobile': '+49 170 1234567',
  'billing.street1': 'Main Street',
  'billing.houseNumber1': '5',
  'billing.city': 'Berlin',
  'billing.postcode': '10115',
  'billing.country': 'DE',
  'billing.state': 'BE',
  'customer.browser.acceptHeader': 'text/html',
  'customer.browser.language': 'de',
  'customer.browser.screenHeight': '900',
  'customer.browser.screenWidth': '1440',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'Mozilla/5.0',
  'customer.browser.javaEnabled': 'false',
};
const items = {
  'cart.items[0].name': 'Book',
  'cart.items[0].merchantItemId': 'b1',
  'cart.items[0].quantity': '2',
  'cart.items[0].price': '46.00',
  'cart.items[0].tax': '7.00',
};
const away = { shopperResultUrl: 'https://shop.example/done' };
const proof = {
  'threeDSecure.eci': '05',
  'threeDSecure.authenticationStatus': 'Y',
  'threeDSecure.dsTransactionId': '8a3bf2c6-0001-4c1b-9e2b-0123456789ab',
  'threeDSecure.version': '2.2.0',
};

type Case = readonly [string, Partial<Payment>, Partial<Omit<Attempt, 'payment'>>, Readonly<Record<string, unknown>>];

const cases: readonly Case[] = [
  ['a debit is captured at once', { paymentType: 'DB' }, {}, { captureDelayHours: 0, 'additionalData/manualCapture': undefined }],
  [
    'an authorisation waits for its capture, and can be raised',
    { paymentType: 'PA' },
    {},
    { captureDelayHours: undefined, 'additionalData/manualCapture': 'true', 'additionalData/authorisationType': 'PreAuth' },
  ],
  [
    'raw card data',
    {},
    {},
    { 'paymentMethod/type': 'scheme', 'paymentMethod/number': '4111111111111111', 'paymentMethod/cvc': '123' },
  ],
  ['yen', { currency: 'JPY', amount: 9200n }, {}, { 'amount/value': 92 }],
  ['the Icelandic króna has two decimals here', { currency: 'ISK', amount: 9200n }, {}, { 'amount/value': 9200 }],
  ['rupiah have none', { currency: 'IDR', amount: 9200n }, {}, { 'amount/value': 92 }],
  ['dinars have three', { currency: 'KWD', amount: 9250n }, {}, { 'amount/value': 92_500 }],
  [
    'the verification of a card',
    { paymentType: 'RG', amount: 0n, currency: 'XXX' },
    {},
    { 'amount/value': 0, 'amount/currency': 'EUR' },
  ],
  [
    'the shopper',
    { fields: shopper },
    {},
    {
      'shopperName/firstName': 'Ann',
      shopperIP: '203.0.113.7',
      'billingAddress/houseNumberOrName': '5',
      'browserInfo/timeZoneOffset': -60,
      dateOfBirth: '1990-02-03T00:00:00Z',
    },
  ],
  ['half an address is none', { fields: { 'billing.street1': 'Main Street' } }, {}, { billingAddress: undefined }],
  ['by mail or telephone', { fields: { transactionCategory: 'MO' } }, {}, { shopperInteraction: 'Moto' }],
  [
    'without a proof and with an address to return to, the issuer may ask',
    { fields: away },
    {},
    { 'authenticationData/threeDSRequestData/nativeThreeDS': 'disabled', 'authenticationData/attemptAuthentication': undefined },
  ],
  ['without an address to return to, it may not', {}, {}, { 'authenticationData/attemptAuthentication': 'never' }],
  [
    'an external proof without a challenge',
    { fields: { ...away, ...proof } },
    { secrets: { number: '4111111111111111', verificationId: CRYPTOGRAM } },
    {
      'mpiData/cavv': CRYPTOGRAM,
      'mpiData/eci': '05',
      'mpiData/directoryResponse': 'Y',
      'mpiData/authenticationResponse': undefined,
      'authenticationData/attemptAuthentication': 'never',
    },
  ],
  [
    'an external proof with a challenge',
    { fields: { ...proof, 'threeDSecure.challengeMandatedIndicator': 'Y' } },
    { secrets: { number: '4111111111111111', verificationId: CRYPTOGRAM } },
    { 'mpiData/directoryResponse': 'C', 'mpiData/authenticationResponse': 'Y' },
  ],
  [
    'an exemption',
    { fields: { 'threeDSecure.exemptionFlag': '02' } },
    {},
    { 'additionalData/scaExemption': 'transactionRiskAnalysis' },
  ],
  [
    'a decrypted Apple Pay token',
    { paymentBrand: 'APPLEPAY', fields: { 'threeDSecure.eci': '07' } },
    { secrets: { number: '4111111111111111', cryptogram: CRYPTOGRAM } },
    { 'mpiData/cavv': CRYPTOGRAM, 'mpiData/eci': '07', 'additionalData/paymentdatasource.type': 'applepay' },
  ],
  [
    'a Google Pay card without a cryptogram',
    { paymentBrand: 'GOOGLEPAY', fields: away },
    { secrets: { number: '4111111111111111' } },
    {
      mpiData: undefined,
      'additionalData/paymentdatasource.type': 'googlepay',
      'additionalData/paymentdatasource.tokenized': 'false',
      'authenticationData/threeDSRequestData/nativeThreeDS': 'disabled',
    },
  ],
  [
    'a network token of a stored card',
    {},
    {
      registration: exampleRegistration(),
      secrets: { networkToken: { number: '4895370012345678', expiryMonth: '12', expiryYear: '2030', cryptogram: CRYPTOGRAM } },
    },
    {
      'paymentMethod/type': 'networkToken',
      'paymentMethod/brand': 'visa',
      'mpiData/tokenAuthenticationVerificationValue': CRYPTOGRAM,
      shopperInteraction: 'ContAuth',
      recurringProcessingModel: 'CardOnFile',
    },
  ],
  [
    'a network token of the merchant',
    { instrument: { kind: 'tokenAccount', type: 'NETWORK', last4Digits: '5678', expiryMonth: '12', expiryYear: '2030' } },
    { secrets: { number: '4895370012345678', cryptogram: CRYPTOGRAM } },
    { 'paymentMethod/type': 'networkToken', 'mpiData/tokenAuthenticationVerificationValue': CRYPTOGRAM },
  ],
  [
    'the first payment of a series',
    {},
    { series: INITIAL },
    { shopperInteraction: 'Ecommerce', recurringProcessingModel: 'UnscheduledCardOnFile', storePaymentMethod: false },
  ],
  [
    'the first payment of a subscription',
    {},
    { series: instructed({ mode: 'INITIAL', source: 'CIT', type: 'RECURRING' }) },
    { recurringProcessingModel: 'Subscription' },
  ],
  [
    'a later payment by the merchant',
    {},
    { series: { ...LATER, initialTransactionId: '123456789012345', agreementId: 'LINK1' } },
    {
      shopperInteraction: 'ContAuth',
      recurringProcessingModel: 'UnscheduledCardOnFile',
      'paymentMethod/networkPaymentReference': '123456789012345',
      'additionalData/transactionLinkId': 'LINK1',
      'authenticationData/attemptAuthentication': 'never',
    },
  ],
  [
    'a later payment by the shopper',
    { fields: away },
    { series: instructed({ mode: 'REPEATED', source: 'CIT', type: 'UNSCHEDULED' }), registration: exampleRegistration() },
    { shopperInteraction: 'ContAuth', recurringProcessingModel: 'CardOnFile', shopperReference: examplePayment().id },
  ],
  [
    'a no-show',
    { industryPractice: 'NO_SHOW' },
    { series: instructed({ source: 'MIT', practice: 'NO_SHOW', initialTransactionId: '1234' }) },
    { industryUsage: 'noShow', shopperInteraction: 'ContAuth' },
  ],
  [
    'a SEPA direct debit',
    {
      paymentBrand: 'DIRECTDEBIT_SEPA',
      method: 'DD',
      instrument: {
        kind: 'bankAccount',
        holder: 'Ann Example',
        last4Digits: '3000',
        country: 'DE',
        bankCode: null,
        bic: null,
        bankName: null,
      },
    },
    { secrets: { iban: 'DE89370400440532013000' } },
    { 'paymentMethod/type': 'sepadirectdebit', 'paymentMethod/ownerName': 'Ann Example', authenticationData: undefined },
  ],
];

test('requests of payments carry what Adyen needs, and fit the contract', {
  skip: !hasContract && 'the contract is absent',
}, () => {
  for (const [name, payment, others, expected] of cases) {
    const body = composed(cardAttempt(payment, others));
    for (const [path, value] of Object.entries(expected)) assert.deepEqual(at(body, path), value, `${name}: ${path}`);
    assert.ok(String(body.reference).length <= 80, name);
  }
});

test('every redirect brand is a brand of ours, and its request fits', { skip: !hasContract && 'the contract is absent' }, () => {
  for (const [brand, type] of Object.entries(redirectTypes)) {
    const known = brands[brand];
    assert.ok(known, brand);
    const fields = { ...shopper, ...items, ...away, 'customParameters[ADYEN_issuer]': '4f0c' };
    const payment = { paymentBrand: brand, method: known.method, instrument: null, fields };
    const body = composed(cardAttempt(payment, { secrets: {} }));
    assert.equal(at(body, 'paymentMethod/type'), type);
    if (type.startsWith('klarna'))
      assert.deepEqual(body.lineItems, [
        { id: 'b1', description: 'Book', quantity: 2, amountIncludingTax: 4600, taxPercentage: 700 },
      ]);
  }
});

test('what cannot be sent is refused before', () => {
  const refused: readonly (readonly [string, Attempt, string])[] = [
    ...['EPS', 'PRZELEWY', 'MBWAY'].map(
      (paymentBrand) =>
        [
          `${paymentBrand} without what Adyen needs`,
          cardAttempt({ paymentBrand, method: 'VA', instrument: null }, { secrets: {} }),
          '800.100.175',
        ] as const,
    ),
    ['half a yen', cardAttempt({ currency: 'JPY', amount: 9250n }), '800.100.174'],
    [
      'a brand that Adyen does not take',
      cardAttempt({ paymentBrand: 'ONECARD', method: 'VA', instrument: null }, { secrets: {} }),
      '800.100.175',
    ],
    [
      'a proof that is not base64',
      cardAttempt({}, { secrets: { number: '4111111111111111', verificationId: '<no>' } }),
      '100.390.102',
    ],
  ];
  for (const [name, attempt, code] of refused)
    assert.deepEqual(paymentRequest(attempt, settings, RETURN), { is: 'impossible', code }, name);
});
