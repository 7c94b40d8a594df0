import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aliases, canonical } from './aliases.ts';
import { parameters } from './parameters.ts';

const cases: readonly (readonly [sent: string, known: string])[] = [
  ['applePay.paymentToken', 'walletA.paymentToken'],
  ['applePay.cardNetwork', 'walletA.cardNetwork'],
  ['googlePay.source', 'walletB.source'],
  ['samsungPay.source', 'walletC.source'],
  ['threeDSecure.v2.visa.requestorId', 'threeDSecure.v2.network1.requestorId'],
  ['threeDSecure.v2.mastercard.requestorName', 'threeDSecure.v2.network2.requestorName'],
  ['threeDSecure.v2.master.requestorName', 'threeDSecure.v2.network2.requestorName'],
  ['threeDSecure.v2.amex.requestorId', 'threeDSecure.v2.network3.requestorId'],
  ['threeDSecure.v2.discover.requestorId', 'threeDSecure.v2.network4.requestorId'],
  ['threeDSecure.v2.jcb.requestorId', 'threeDSecure.v2.network5.requestorId'],
  ['threeDSecure.schemeData[CB-USECASE]', 'threeDSecure.schemeData[XX-USECASE]'],
  ['authentication.entityId', 'entityId'],
];

for (const [sent, known] of cases) {
  test(`${sent} is known as ${known}`, () => {
    assert.equal(canonical(sent), known);
    assert.ok(Object.hasOwn(parameters, known));
    assert.equal(canonical(known), known, 'a canonical name stays as it is');
  });
}

test('what is no alias stays as it is', () => {
  const others = [
    '',
    'amount',
    'applePay',
    'applepay.source',
    'xapplePay.source',
    'card.applePay.source',
    'threeDSecure.v2.visa',
    '.',
  ]
    .concat(
      'threeDSecure.v2.constructor.requestorId',
      '__proto__.source',
      'toString.source',
      'threeDSecure.schemeData[CB',
      'a.b.c',
    )
    .concat('threeDSecure.v2..requestorId', 'threeDSecure.eci', 'customParameters[applePay.source]', 'authentication.userId');
  for (const name of others) assert.equal(canonical(name), name);
});

test('every row name stays as it is, but the legacy one that is an alias', () => {
  const changed = Object.keys(parameters).filter((name) => canonical(name) !== name);
  assert.deepEqual(changed, Object.keys(aliases.names));
});

test('a very long name takes no longer than its length asks for', () => {
  const long = `applePay.${'a.'.repeat(500_000)}`;
  assert.equal(canonical(long).length, long.length - 'applePay'.length + 'walletA'.length);
});
