import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type exampleAbout, exampleFacts } from './examples.ts';
import type { RiskFacts } from './facts.ts';
import { keysOf } from './velocity/keys.ts';

const read: [what: string, fields: Record<string, string>, of: (facts: RiskFacts) => unknown, value: unknown][] = [
  ['the amount is that of the payment', {}, ({ amount }) => amount, 9_200n],
  ['risk.amount goes before it', { 'risk.amount': '15.50' }, ({ amount }) => amount, 1_550n],
  ['the brand is that of the payment', {}, ({ paymentBrand }) => paymentBrand, 'VISA'],
  ['risk.brand goes before it', { 'risk.brand': 'MASTER' }, ({ paymentBrand }) => paymentBrand, 'MASTER'],
  ['an e-mail address is in lower case', {}, ({ customer }) => customer.email, 'ann@shop.example'],
  ['what is no address is not known', { 'customer.ip': 'localhost' }, ({ customer }) => customer.ip, null],
  ['an empty field was not sent', { 'customer.surname': '' }, ({ customer }) => customer.surname, null],
  ['the order was made now', {}, ({ orderedAt }) => orderedAt, 1_790_000_000_000],
  [
    'or when the shop says, by its own clocks, in summer',
    { 'risk.orderTimestamp': '2026-09-20 18:00:00' },
    ({ orderedAt }) => orderedAt,
    Date.UTC(2026, 8, 20, 16),
  ],
  ['and in winter', { 'risk.orderTimestamp': '2026-01-20 18:00:00' }, ({ orderedAt }) => orderedAt, Date.UTC(2026, 0, 20, 17)],
  [
    'a day that never was is not believed',
    { 'risk.orderTimestamp': '2026-02-30 18:00:00' },
    (facts) => facts.orderedAt,
    1_790_000_000_000,
  ],
  [
    'custom data keeps its names, whatever they are',
    { 'risk.parameters[__proto__]': 'x', 'risk.parameters[device.id]': '' },
    ({ risk }) => [...risk.parameters],
    [
      ['__proto__', 'x'],
      ['device.id', ''],
    ],
  ],
  [
    'the rule set is chosen by the request',
    { 'risk.channelId': 'ch', 'risk.serviceId': 'S' },
    ({ risk }) => risk.channelId + risk.serviceId!,
    'chS',
  ],
  ['the account token is there', { 'risk.accountToken': 't' }, ({ risk }) => risk.accountToken, 't'],
  ['the website too', { 'risk.merchantWebsite': 'shop.example' }, ({ risk }) => risk.merchantWebsite, 'shop.example'],
];
for (const [what, fields, of, value] of read) test(what, () => assert.deepEqual(of(exampleFacts(fields)), value));

test('mandates, due dates and numbers are never among the facts', () => {
  const secret: Record<string, string> = {
    'bankAccount.mandate.id': 'M-1',
    'bankAccount.mandate.dateOfSignature': '2020-01-01',
    'bankAccount.mandateId': 'M-1',
    'bankAccount.transactionDueDate': '2030-01-01',
    'bankAccount.iban': 'AT611904300234573201',
    'card.number': '4200000000000000',
    'card.cvv': '123',
    'customer.identificationDocId': '12345678',
  };
  assert.deepEqual(exampleFacts(secret), exampleFacts());
});

test('the country of a bank account stands for that of the card', () => {
  const instrument = {
    kind: 'bankAccount',
    holder: 'Ann',
    country: 'AT',
    last4Digits: null,
    bankCode: null,
    bic: null,
    bankName: null,
  } as const;
  const facts = exampleFacts({}, { instrument, issuer: null });
  assert.deepEqual([facts.issuer.country, facts.holder, facts.bin, facts.expiryYear], ['AT', 'Ann', null, null]);
});

test('every key begins with the tenant, and what is not known has none', () => {
  const keys = keysOf(exampleFacts({ 'customer.email': '' }));
  assert.equal(keys.email, null);
  for (const key of Object.values(keys)) assert.ok(key === null || key.startsWith('5eed00000000000000000000000000f1 '));
  const others = Object.values(keysOf(exampleFacts({}, { merchantId: 'm2' })));
  assert.deepEqual(
    Object.values(keys).filter((key) => key !== null && others.includes(key)),
    [],
  );
});

const orders: [what: string, fields: Record<string, string>, about: Parameters<typeof exampleAbout>[0], same: boolean][] = [
  ['the same again', {}, {}, true],
  ['another amount', {}, { amount: 9_201n }, false],
  ['another currency', {}, { currency: 'CHF' }, false],
  ['another card', {}, { fingerprint: 'other' }, false],
  ['another transaction', { merchantTransactionId: 'order-2' }, {}, false],
  ['another shopper', { 'customer.email': 'bob@shop.example' }, {}, true],
];
for (const [what, fields, about, same] of orders) {
  test(`${what} is ${same ? 'the same order' : 'another order'}`, () => {
    assert.equal(keysOf(exampleFacts(fields, about)).order === keysOf(exampleFacts()).order, same);
  });
}
