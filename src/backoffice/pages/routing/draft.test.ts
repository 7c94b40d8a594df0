import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RoutingRule } from '../../../spec/routing.ts';
import { routingTexts } from '../../texts/routing.ts';
import { draftOf, moved, rulesOf, ruleText, stepOf, undone, withCondition, withName, withShare } from './draft.ts';

const rule = { to: ['a'] };

test('conditions, a name and a share that are emptied are left out', () => {
  const full = withShare(withName(withCondition(rule, 'currencies', ['EUR']), 'Euro'), 10);
  assert.deepEqual(full, { name: 'Euro', when: { currencies: ['EUR'] }, share: 10, to: ['a'] });
  assert.deepEqual(withShare(withName(withCondition(full, 'currencies', []), ''), null), rule);
  assert.deepEqual(withCondition(full, 'amountFrom', ''), full);
});

test('a member of a list moves up and down, and stays at the ends', () => {
  assert.deepEqual(moved(['a', 'b', 'c'], 2, -1), ['a', 'c', 'b']);
  assert.deepEqual(moved(['a', 'b', 'c'], 0, 1), ['b', 'a', 'c']);
  assert.deepEqual(moved(['a', 'b'], 0, -1), ['a', 'b']);
  assert.deepEqual(moved(['a', 'b'], 1, 1), ['a', 'b']);
});

test('steps are undone one by one, typing in one field at once', () => {
  const begun = draftOf([rule], 3);
  const named = (name: string) => [{ key: 'stored 0', rule: withName(rule, name) }];
  const typed = stepOf(stepOf(begun, named('E'), 'stored 0 name'), named('Eu'), 'stored 0 name');
  const removed = stepOf(typed, [], 'remove');
  assert.deepEqual(rulesOf(undone(removed)), [{ name: 'Eu', to: ['a'] }]);
  assert.deepEqual(undone(undone(removed)), begun);
  assert.deepEqual(undone(begun), begun);
});

const cases: readonly (readonly [rule: RoutingRule, en: string, de: string])[] = [
  [
    {
      when: {
        brands: ['VISA', 'MASTER'],
        currencies: ['EUR'],
        amountFrom: '10.00',
        amountTo: '500.00',
        cardCountries: ['DE'],
      },
      share: 30,
      to: ['stripeEU', 'adyenEU'],
    },
    'VISA and MASTER, EUR, 10.00 to 500.00, cards of DE: 30 % to stripeEU, then adyenEU',
    'VISA und MASTER, EUR, 10.00 bis 500.00, Karten aus DE: 30 % an stripeEU, dann adyenEU',
  ],
  [{ to: ['a'] }, 'Every payment: to a', 'Jede Zahlung: an a'],
  [
    { to: ['a', 'b'], otherwise: 'refuse' },
    'Every payment: to a, then b, or refuse the payment',
    'Jede Zahlung: an a, dann b, sonst wird die Zahlung abgelehnt',
  ],
  [{ to: ['a'], otherwise: 'channel' }, 'Every payment: to a', 'Jede Zahlung: an a'],
  [{ to: [] }, 'Every payment: to no account yet', 'Jede Zahlung: an noch kein Konto'],
  [{ when: { amountFrom: '5.00' }, share: 12.5, to: ['a'] }, '5.00 and above: 12.5 % to a', 'ab 5.00: 12,5 % an a'],
  [{ when: { methods: ['DD'], amountTo: '5.00' }, to: ['a'] }, 'direct debit, up to 5.00: to a', 'Lastschrift, bis 5.00: an a'],
  [
    { when: { bins: ['42', '51'], cardTypes: ['DEBIT'] }, to: ['a'] },
    'BIN 42 and 51, card type DEBIT: to a',
    'BIN 42 und 51, Kartenart DEBIT: an a',
  ],
  [
    { when: { currencies: ['AUD', 'CAD', 'CHF', 'DKK', 'EUR', 'GBP', 'JPY', 'USD'] }, to: ['a'] },
    'AUD, CAD, CHF, DKK, EUR, GBP and 2 more: to a',
    'AUD, CAD, CHF, DKK, EUR, GBP und 2 weitere: an a',
  ],
];

for (const [rule, en, de] of cases) {
  test(en, () => {
    assert.equal(ruleText(rule, routingTexts.en, 'en-GB'), en);
    assert.equal(ruleText(rule, routingTexts.de, 'de-DE'), de);
  });
}
