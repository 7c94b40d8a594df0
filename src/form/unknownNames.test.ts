import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leastCpuMs } from '../../test/work.ts';
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

/** Every place of the table is computed: what the quick form must agree with. */
function plainDistance(one: string, other: string): number {
  const table: number[][] = Array.from({ length: one.length + 1 }, (_, row) => [row]);
  const at = (row: number, column: number): number => table[row]?.[column] ?? column;
  for (let row = 1; row <= one.length; row += 1)
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const least = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
      (table[row] as number[])[column] = least;
    }
  return at(one.length, other.length);
}

const bareOf = (name: string): string => name.replace(/\[[^\]]*\]|[^A-Za-z0-9]/g, '').toLowerCase();
const known = endpoints.pay.sections.flatMap((section) => Object.keys(sections[section].rows));

function plainNearest(name: string): string | null {
  const text = bareOf(name);
  let [best, nearest]: [number, string | null] = [Math.min(3, Math.floor(text.length / 4)) + 1, null];
  for (const one of known) {
    const distance = plainDistance(text, bareOf(one));
    if (distance < best) [best, nearest] = [distance, one];
  }
  return nearest;
}

test('the nearest name is that of the smallest edit distance, for every name with some changes', () => {
  for (const [number, name] of known.entries()) {
    if (number % 16 !== 0) continue;
    const at = 1 + (number % (name.length - 1));
    const swapped = name.slice(0, at - 1) + name[at] + name[at - 1] + name.slice(at + 1);
    for (const sent of [swapped, `${name.slice(0, at)}${name.slice(at + 2)}`, `${swapped}xy`, `q${name}`]) {
      const text = sent.replace('[n]', '[0]').slice(0, 64);
      assert.equal(describeUnknown([text], endpoints.pay.sections)[0]?.nearest, plainNearest(text), text);
    }
  }
});

test('a misspelt name is compared with all others in a fraction of the time that whole tables take', () => {
  const name = 'threeDSecure.authenticationStatu';
  const ms = leastCpuMs(() => describeUnknown(Array(8).fill(name), endpoints.pay.sections));
  const plainMs = leastCpuMs(() => plainNearest(name), 3);
  assert.ok(ms < plainMs, `${ms} ms for eight, ${plainMs} for one`);
});
