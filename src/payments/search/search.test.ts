import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseSearchText } from './search.ts';

const hashed = (address: string) => `hash of ${address.toLowerCase()}`;
const words = (text: string) =>
  parseSearchText(text, hashed).needles?.map((needle) =>
    Object.values(needle)
      .filter((value) => value !== null)
      .join(' '),
  ) ?? null;

const cases: [text: string, needles: readonly string[] | null][] = [
  ['', null],
  ['   ', null],
  ['4242', ['last4 4242', 'amount 424200', 'reference 4242']],
  ['•••• 4242', ['last4 4242']],
  ['92', ['amount 9200', 'reference 92']],
  ['92.00', ['amount 9200', 'reference 92.00']],
  ['92,00', ['amount 9200', 'reference 92,00']],
  ['92.00 eur', ['amount 9200 EUR', 'reference 92.00 eur']],
  ['EUR 92', ['amount 9200 EUR', 'reference EUR 92']],
  ['92 XYZ', ['reference 92 XYZ']],
  ['1234.5678', ['shortId 1234.5678', 'reference 1234.5678']],
  ['1234.5678.9012', ['shortId 1234.5678.9012', 'reference 1234.5678.9012']],
  ['01A1E0CC4F0D', ['id 01a1e0cc4f0d', 'reference 01A1E0CC4F0D']],
  ['Ann@Shop.example', ['email hash of ann@shop.example', 'emailPrefix ann@shop.example', 'reference Ann@Shop.example']],
  ['ann@', ['emailPrefix ann@', 'reference ann@']],
  ['order-17', ['reference order-17']],
  ['x', []],
];

for (const [text, needles] of cases) {
  test(`${JSON.stringify(text)} can be ${needles?.join(', ') ?? 'anything'}`, () => {
    assert.deepEqual(words(text), needles);
  });
}

test('a day and some days are times, and no day is none', () => {
  const day = Date.parse('2031-10-02T00:00:00Z');
  assert.deepEqual(parseSearchText('2031-10-02', hashed), { needles: null, range: { from: day, before: day + 86_400_000 } });
  assert.deepEqual(parseSearchText('2031-10-02..2031-10-04', hashed).range, { from: day, before: day + 3 * 86_400_000 });
  assert.equal(parseSearchText('2031-13-40', hashed).range, null);
});

test('whatever is typed means something or nothing, and never throws', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => Boolean(parseSearchText(text, hashed))));
});
