import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/anyCharacter.ts';
import type { Dimension } from '../ports.ts';
import { factNamed, namedFacts } from './namedFacts.ts';
import { parse } from './parse.ts';
import { type Condition, comparisons, listSubjects, type Operand, outcomes, pairs, print, units, windowMsMax } from './syntax.ts';

/** The text as it is written, and as it is printed again. */
const written: [text: string, printed: string][] = [
  ['amount > 100', 'amount > 100'],
  ['amount>100.50', 'amount > 100.50'],
  ['amount >= 100.00', 'amount >= 100'],
  ["billing.country != 'de'", "billing.country != 'DE'"],
  ['billing.country != card.country', 'billing.country != card.country'],
  ["customer.email = 'Ann@Shop.example'", "customer.email = 'ann@shop.example'"],
  ["customer.ip = '::ffff:10.0.0.1'", "customer.ip = '10.0.0.1'"],
  ["currency in ('EUR','USD')", "currency in ('EUR', 'USD')"],
  ["currency not in ('EUR')", "not currency in ('EUR')"],
  ['isMerchantInitiated', 'isMerchantInitiated'],
  ['not not isMerchantInitiated', 'not not isMerchantInitiated'],
  ['listed(block, card) or listed(allow,email)', 'listed(block, card) or listed(allow, email)'],
  ['count(card, 600s) > 3', 'count(card, 10m) > 3'],
  ['count(card, 10m, any) > 3', 'count(card, 10m) > 3'],
  ['count( card + ip , 1h , failed ) >= 3', 'count(card+ip, 1h, failed) >= 3'],
  ['sum(card, 24h) > 1000', 'sum(card, 1d) > 1000'],
  ['total(card, 24h, standing) > 1000.01', 'total(card, 1d, standing) > 1000.01'],
  ['distinct(card per ip, 1h) >= 6', 'distinct(card per ip, 1h) >= 6'],
  ['age(registration) < 90m', 'age(registration) < 90m'],
  ['count(card, 1h) > count(ip, 1h)', 'count(card, 1h) > count(ip, 1h)'],
  ["risk.parameters[device-id] matches '*x?'", "risk.parameters[device-id] matches '*x?'"],
  ["card.holder contains 'O\\'Neil \\\\'", "card.holder contains 'O\\'Neil \\\\'"],
  ['known(customer.ip) and ((amount > 1))', 'known(customer.ip) and amount > 1'],
  ['amount > 1 or amount > 2 and not (amount > 3 or amount > 4)', 'amount > 1 or amount > 2 and not (amount > 3 or amount > 4)'],
  ['(amount > 1 or amount > 2) and amount > 3', '(amount > 1 or amount > 2) and amount > 3'],
];
for (const [text, printed] of written) {
  test(`${text} is read`, () => {
    const parsed = parse(text);
    assert.ok(parsed.is === 'valid', parsed.is === 'invalid' ? parsed.fault.says : '');
    assert.equal(print(parsed.condition), printed);
  });
}

/** A text that cannot be read, the position that is reported, and a word of the message. */
const faulty: [text: string, at: number, says: RegExp][] = [
  ['', 1, /missing/],
  ['amount', 1, /comparison is missing/],
  ['amount >', 9, /missing/],
  ['amount > 1 amount', 12, /over here/],
  ['amnt > 1', 1, /no "amnt"/],
  ['amount > 1.5', 10, /100\.50/],
  ['amount > 1x', 10, /span/],
  ["amount > '1'", 10, /number/],
  ['count(card, 1h) > 1.50', 19, /whole number/],
  ['currency = 1', 12, /text/],
  ["currency > 'EUR'", 1, /none is greater/],
  ["'EUR' = currency", 1, /left/],
  ["billing.country = 'XX'", 19, /ever looks/],
  ["customer.ip in ('10.0.0.1', 'x')", 29, /ever looks/],
  ['billing.country = amount', 19, /text is compared with a amount/],
  ["currency = 'EUR", 12, /not closed/],
  ['currency = "EUR"', 12, /single quotes/],
  ['isMerchantInitiated = 1', 1, /not compared/],
  ['count(card) > 1', 11, /"," is missing/],
  ['count(card, 1h', 15, /"\)" is missing/],
  ['count(cart, 1h) > 1', 7, /one of card/],
  ['count(card, 0s) > 1', 13, /1s to 31d/],
  ['count(card, 32d) > 1', 13, /1s to 31d/],
  ['count(card, 10) > 1', 13, /span of time/],
  ['count(card, 1h, lost) > 1', 17, /one of any/],
  ['distinct(card, 1h) > 1', 14, /per/],
  ['distinct(bin per card, 1h) > 1', 10, /distinct knows/],
  ['listed(grey, card)', 8, /one of block, allow/],
  ['listed(block, shoe)', 15, /one of card/],
  ['age(order) > 5', 14, /span of time/],
  ['age(shoe) > 5s', 5, /one of registration/],
  ['amount > 1 not', 12, /over here/],
  ['amount not > 1', 12, /followed by "in"/],
  ['amount in 1', 11, /"\(" is missing/],
  ['amount in (currency)', 12, /texts or numbers/],
  ['amount in ()', 12, /missing/],
  ["amount starts '1'", 1, /of a text/],
  ['currency starts 1', 17, /followed by a text/],
  [`currency matches '${'a'.repeat(31)}'`, 18, /30 characters/],
  ['known(shoe)', 7, /to be known/],
  ['known(constructor)', 7, /to be known/],
  ['toString = 1', 1, /no "toString"/],
  ['amount > 1 ; drop', 12, /nothing here/],
  ['(amount > 1', 12, /"\)" is missing/],
  ['amount > 1)', 11, /over here/],
  [`risk.parameters[${'x'.repeat(65)}] = 'a'`, 16, /nothing here/],
];
for (const [text, at, says] of faulty) {
  test(`"${text.slice(0, 40)}" is refused at ${at}`, () => {
    const parsed = parse(text);
    assert.ok(parsed.is === 'invalid', 'it was read');
    assert.match(parsed.fault.says, says);
    assert.equal(parsed.fault.at, at);
  });
}

const nots = (count: number): string => `${'not '.repeat(count)}isMerchantInitiated`;
const brackets = (count: number): string => `${'('.repeat(count)}isMerchantInitiated${')'.repeat(count)}`;
const flags = (count: number): string => Array.from({ length: count }, () => '(amount>1)').join(' or ');
const limits: [what: string, text: string, isRead: boolean][] = [
  ['2,000 characters', `amount > 1${' '.repeat(1_990)}`, true],
  ['2,001 characters', `amount > 1${' '.repeat(1_991)}`, false],
  ['31 denials', nots(31), true],
  ['32 denials', nots(32), false],
  ['31 brackets', brackets(31), true],
  ['32 brackets', brackets(32), false],
  // Three nodes for each comparison and one for the whole.
  ['199 nodes', flags(66), true],
  ['202 nodes', flags(67), false],
  ['a list of 198 numbers', `amount in (${Array.from({ length: 198 }, () => '1').join(',')})`, true],
  ['a list of 199 numbers', `amount in (${Array.from({ length: 199 }, () => '1').join(',')})`, false],
];
for (const [what, text, isRead] of limits) {
  test(`${what}: ${isRead ? 'read' : 'refused'}`, () => assert.equal(parse(text).is === 'valid', isRead));
}

const span = fc.tuple(fc.integer({ min: 1, max: 999_999 }), fc.constantFrom(...units)).map(([count, [, ms]]) => count * ms);
const windowSpan = span.filter((ms) => ms <= windowMsMax);
const word = fc.string({ maxLength: 12 });
const hundredths = fc.bigInt({ min: 0n, max: 10n ** 15n - 1n });
const whole = fc.integer({ min: 0, max: 1_000_000 }).map((count) => BigInt(count) * 100n);
const per = fc.constantFrom<Dimension>(
  'card',
  'email',
  'ip',
  'bin',
  'customer',
  'checkout',
  'entity',
  'mobile',
  'card+ip',
  'order',
  'transaction',
);
const outcome = fc.constantFrom(...outcomes);
const by = fc.constantFrom(...comparisons);
const plainTexts = [
  ...Object.keys(namedFacts).filter((name) => isPlainText(name)),
  'risk.parameters[a.b c]',
  'risk.parameters[__proto__]',
];

function isPlainText(name: string): boolean {
  const row = factNamed(name);
  return row?.kind === 'text' && !row.form;
}

const windowOf = (measure: 'count' | 'sum' | 'share') =>
  fc
    .record({ per, ms: windowSpan, outcome })
    .map((rest): Operand => ({ is: 'window', window: { measure, what: null, ...rest } }));
const distinct = fc.record({ pair: fc.constantFrom(...pairs), ms: windowSpan }).map(
  ({ pair: [what, dimension], ms }): Operand => ({
    is: 'window',
    window: { measure: 'distinct', what, per: dimension, ms, outcome: 'any' },
  }),
);
const counts = fc.oneof(windowOf('count'), windowOf('share'), distinct);
const plainText = fc.constantFrom(...plainTexts).map((name): Operand => ({ is: 'fact', name }));
const text = word.map((value) => ({ is: 'text' as const, value }));
const listing = fc.record({
  is: fc.constant('listed' as const),
  list: fc.constantFrom('block' as const, 'allow' as const),
  subject: fc.constantFrom(...listSubjects),
});
const comparing = (left: fc.Arbitrary<Operand>, right: fc.Arbitrary<Operand>): fc.Arbitrary<Condition> =>
  fc.record({ is: fc.constant('compare' as const), by, left, right });

const leaf: fc.Arbitrary<Condition> = fc.oneof(
  comparing(
    fc.constantFrom<Operand>({ is: 'fact', name: 'amount' }),
    hundredths.map((value) => ({ is: 'number', hundredths: value })),
  ),
  comparing(
    windowOf('sum').map((operand) => ({ ...operand, is: 'total' }) as Operand),
    windowOf('sum'),
  ),
  comparing(
    counts,
    fc.oneof(
      counts,
      whole.map((value): Operand => ({ is: 'number', hundredths: value })),
    ),
  ),
  comparing(
    fc.constantFrom<Operand>({ is: 'age', of: 'order' }, { is: 'age', of: 'registration' }),
    span.map((ms) => ({ is: 'span', ms })),
  ),
  fc.record({
    is: fc.constant('compare' as const),
    by: fc.constantFrom('=' as const, '!=' as const),
    left: plainText,
    right: fc.oneof(text, plainText),
  }),
  fc.record({ is: fc.constant('in' as const), left: plainText, list: fc.array(text, { minLength: 1, maxLength: 4 }) }),
  fc.record({
    is: fc.constant('test' as const),
    by: fc.constantFrom('equals' as const, 'starts' as const, 'contains' as const, 'matches' as const),
    left: plainText,
    text: word,
  }),
  fc.record({
    is: fc.constant('flag' as const),
    of: fc.oneof(listing, fc.constant<Operand>({ is: 'fact', name: 'isMerchantInitiated' })),
  }),
  fc.constantFrom(...Object.keys(namedFacts)).map((name): Condition => ({ is: 'known', name })),
);

const { tree } = fc.letrec<{ tree: Condition }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.record({ is: fc.constant('not' as const), part: tie('tree') }),
    fc.record({
      is: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
    }),
  ),
}));

test('what is printed is read as the same tree', () => {
  fc.assert(
    fc.property(tree, (condition) => {
      const printed = print(condition);
      fc.pre(printed.length <= 2_000);
      // The generator's objects have no prototype; a clone has the usual one.
      assert.deepEqual(parse(printed), structuredClone({ is: 'valid', condition }));
    }),
    { numRuns: 2_000 },
  );
});

test('any text is read or refused, with a place in the text', () => {
  const pieces = fc.constantFrom(
    '(',
    ')',
    ' ',
    'not ',
    'and ',
    'or ',
    "'",
    '\\',
    'amount',
    '>',
    '=',
    '1',
    '1h',
    ',',
    'count(card',
    'in',
    '[',
    'risk.parameters[',
    '\u0000',
    '😀',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 300, unit: anyCharacter }),
        fc.array(pieces, { maxLength: 60 }).map((all) => all.join('')),
      ),
      (any) => {
        const parsed = parse(any);
        if (parsed.is === 'invalid')
          assert.ok(parsed.fault.at >= 1 && parsed.fault.at <= any.length + 1 && parsed.fault.says !== '');
        else assert.deepEqual(parse(print(parsed.condition)), parsed);
      },
    ),
    { numRuns: 2_000 },
  );
});
