import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RoutingRule } from '../../../spec/routing.ts';
import { routingTexts } from '../../texts/routing.ts';
import { ruleText } from './ruleText.ts';

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
