import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RoutingCondition, RoutingRule } from '../../spec/routing.ts';
import type { Order } from '../order.ts';
import { type RoutingFacts, routingFaults, ruleFor } from './routing.ts';

const order = {
  method: 'CC',
  paymentBrand: 'VISA',
  currency: 'EUR',
  amount: 5_000n,
  instrument: { kind: 'card', bin: '42000000', last4Digits: '0000', holder: null, expiryMonth: '05', expiryYear: '2034' },
} as const satisfies Pick<Order, 'method' | 'paymentBrand' | 'currency' | 'amount' | 'instrument'>;

const facts: RoutingFacts = { issuer: (bin) => (bin === '42000000' ? { country: 'DE', type: 'DEBIT' } : null), draw: () => 50 };

const accountsFor = (...asked: Parameters<typeof ruleFor>) => ruleFor(...asked)?.to ?? null;

const conditions: readonly (readonly [RoutingCondition, isMet: boolean])[] = [
  [{}, true],
  [{ methods: ['CC', 'DC'] }, true],
  [{ methods: ['DD'] }, false],
  [{ brands: ['VISA'] }, true],
  [{ brands: ['MASTER'] }, false],
  [{ currencies: ['EUR'], amountFrom: '50.00', amountTo: '50.00' }, true],
  [{ amountFrom: '50.01' }, false],
  [{ amountTo: '49.99' }, false],
  [{ bins: ['4'] }, true],
  [{ bins: ['5', '420000'] }, true],
  [{ bins: ['421'] }, false],
  [{ cardCountries: ['DE', 'AT'] }, true],
  [{ cardCountries: ['FR'] }, false],
  [{ cardTypes: ['DEBIT'] }, true],
  [{ cardTypes: ['CREDIT'] }, false],
  [{ brands: ['VISA'], currencies: ['USD'] }, false],
];

for (const [when, isMet] of conditions) {
  test(`${JSON.stringify(when)} ${isMet ? 'holds' : 'does not hold'}`, () => {
    assert.deepEqual(accountsFor([{ when, to: ['acc'] }], order, facts), isMet ? ['acc'] : null);
  });
}

test('conditions about a card do not hold for a payment without one', () => {
  for (const when of [{ bins: ['4'] }, { cardCountries: ['DE'] }, { cardTypes: ['DEBIT'] }])
    assert.equal(accountsFor([{ when, to: ['acc'] }], { ...order, instrument: null }, facts), null);
});

test('the first rule that matches decides, and its share sends the rest on', () => {
  const rules: readonly RoutingRule[] = [
    { when: { brands: ['MASTER'] }, to: ['a'] },
    { share: 30, to: ['b'] },
    { share: 60, to: ['c', 'd'] },
    { to: ['e'] },
  ];
  const drawing = (...numbers: number[]) => ({ ...facts, draw: () => numbers.shift() ?? assert.fail('drawn too often') });
  assert.deepEqual(accountsFor(rules, order, drawing(29.9)), ['b']);
  assert.deepEqual(accountsFor(rules, order, drawing(30, 59.9)), ['c', 'd']);
  assert.deepEqual(accountsFor(rules, order, drawing(99, 99)), ['e']);
});

const faults: readonly (readonly [rule: unknown, says: RegExp])[] = [
  [{ to: ['acc'], colour: 1 }, /"colour" does not exist/],
  [{}, /"to" must be a list of account names/],
  [{ to: [] }, /"to" must be/],
  [{ to: ['A B'] }, /"to" must be/],
  [{ to: ['acc'], share: 0 }, /"share" must be a number above 0/],
  [{ to: ['acc'], share: 101 }, /"share"/],
  [{ to: ['acc'], when: { moon: ['full'] } }, /"when\.moon" does not exist; there are methods/],
  [{ to: ['acc'], when: { currencies: ['EURO'] } }, /"when\.currencies" must be a list of ISO 4217/],
  [{ to: ['acc'], when: { amountFrom: 10 } }, /"when\.amountFrom" must be an amount/],
  [{ to: ['acc'], when: { bins: ['123456789'] } }, /"when\.bins"/],
  [{ to: ['acc'], when: { cardCountries: ['Germany'] } }, /"when\.cardCountries"/],
  [{ to: ['acc'], otherwise: 'other' }, /"otherwise" must be one of channel, refuse/],
  [{ to: ['acc'], otherwise: null }, /"otherwise" must be one of/],
  ['text', /must be an object/],
];

for (const [rule, says] of faults) {
  test(`refused: ${JSON.stringify(rule)}`, () => {
    const [first = ''] = routingFaults({ rules: [rule] });
    assert.match(first, says);
    assert.match(first, /"routing\.rules\.0": rule 1/);
  });
}

test('a good list of rules has no faults', () => {
  const rules = [
    { name: 'Large', when: { amountFrom: '1000.00', currencies: ['EUR'] }, share: 12.5, to: ['a', 'b'] },
    { to: ['c'], otherwise: 'refuse' },
    { to: ['c'], otherwise: 'channel' },
  ];
  assert.deepEqual(routingFaults({ rules }), []);
  assert.deepEqual(routingFaults({}), []);
});
