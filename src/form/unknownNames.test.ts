import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '../spec/endpoints.ts';
import { type SectionName, sections } from '../spec/parameters.ts';
import type { Section } from '../spec/row.ts';
import { decode } from './decode.ts';
import { describeUnknown, unknownNames } from './unknownNames.ts';

const suggestions: readonly (readonly [sent: string, nearest: string | null])[] = [
  ['crad.number', 'card.number'],
  ['cardNumber', 'card.number'],
  ['card_holder', 'card.holder'],
  ['Amount', 'amount'],
  ['payment.brand', 'paymentBrand'],
  ['merchantTransactionID', 'merchantTransactionId'],
  ['cart.items[0].quantety', 'cart.items[n].quantity'],
  ['billing.postCode', 'billing.postcode'],
  ['customParameter[order]', 'customParameters[name]'],
  ['shopperResultURL', 'shopperResultUrl'],
  ['plugin.version', null],
  ['x', null],
  ['ca', null],
];

for (const [sent, nearest] of suggestions) {
  test(`${sent} may be meant to be ${nearest}`, () => {
    const names = unknownNames(decode(`${encodeURIComponent(sent)}=1&amount=1.00`), 'pay');
    assert.deepEqual(names, [sent]);
    assert.deepEqual(describeUnknown(names, endpoints.pay.sections), [{ name: sent, nearest, instead: null }]);
  });
}

test('a name that a section leaves out on purpose says what to use, in whatever case', () => {
  const left = Object.entries<Section>(sections).flatMap(([section, { instead = {} }]) =>
    Object.entries(instead).map(([name, words]) => ({ section: section as SectionName, name, words })),
  );
  assert.ok(left.length >= 2);
  for (const { section, name, words } of left)
    for (const sent of [name, name.toLowerCase(), name.toUpperCase()])
      assert.deepEqual(describeUnknown([sent], [section]), [{ name: sent, nearest: null, instead: words }]);
});

test('known names, aliases and empty values are none', () => {
  const body = 'entityId=x&cart.items[7].name=x&applePay.source=x&customParameters[a]=1&nonsense=&amount[0]=1';
  assert.deepEqual(unknownNames(decode(body), 'pay'), []);
});

test('many and long names cost little, and secrets in names are hidden', () => {
  const many = Array.from({ length: 5_000 }, (_, at) => `${'y'.repeat(200)}${at}=1`).join('&');
  const names = unknownNames(decode(many), 'pay');
  assert.equal(names.length, 8);
  const [first] = describeUnknown([`a4200000000000000 ${'z'.repeat(300)}`], endpoints.pay.sections);
  assert.ok(first && !first.name.includes('4200000000000000') && first.name.length <= 64);
});
