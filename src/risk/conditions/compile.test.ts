import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exampleFacts } from '../examples.ts';
import type { RiskFacts } from '../facts.ts';
import type { WindowAnswer } from '../ports.ts';
import { compile, compileExplanation, conditionContext, noRequiredFacts, type Truth } from './compile.ts';
import { parse } from './parse.ts';
import type { Condition } from './syntax.ts';

function conditionOf(text: string): Condition {
  const parsed = parse(text);
  assert.ok(parsed.is === 'valid', parsed.is === 'invalid' ? `${text}: ${parsed.fault.says}` : '');
  return parsed.condition;
}

type ContextParts = { facts?: RiskFacts; windows?: readonly WindowAnswer[]; listed?: readonly (boolean | null)[] };

function truthOf(text: string, { facts = exampleFacts(), windows = [], listed = [] }: ContextParts = {}): Truth {
  const required = noRequiredFacts();
  return compile(conditionOf(text), required)(conditionContext(facts, required.facts, { windows, listed }));
}

/** Of 92.00 EUR by Ann with a German card from Austria; no shipping address is known. */
const truths: [text: string, truth: Truth][] = [
  ['amount = 92', true],
  ['amount = 92.00', true],
  ['amount = 92.01', false],
  ['amount != 92', false],
  ['amount < 92.01', true],
  ['amount < 92', false],
  ['amount <= 92', true],
  ['amount <= 91.99', false],
  ['amount > 91.99', true],
  ['amount > 92', false],
  ['amount >= 92', true],
  ['amount >= 92.01', false],
  ['amount in (1, 92)', true],
  ['amount in (1, 93)', false],
  ['amount not in (1, 93)', true],
  ["currency = 'EUR'", true],
  ["currency = 'eur'", false],
  ["currency equals 'eur'", true],
  ["currency equals 'eu'", false],
  ["card.holder starts 'ANN'", true],
  ["card.holder starts 'nn'", false],
  ["card.holder contains 'EXAM'", true],
  ["card.holder contains 'exan'", false],
  ["card.holder matches 'a?? *PLE'", true],
  ["card.holder matches 'ann'", false],
  ["customer.email = 'ANN@shop.example'", true],
  ["customer.emailDomain = 'Shop.Example'", true],
  ["customer.ip = '::ffff:203.0.113.7'", true],
  ['billing.country = card.country', true],
  ['billing.country != card.country', false],
  ['customer.ipCountry != card.country', true],
  ["card.country in ('at', 'de')", true],
  ["card.country in ('at', 'ch')", false],
  ['card.expiryYear = 2034', true],
  ['card.expiryMonth < 5', false],
  // 1790000000 is the 21st of September 2026, 16:13 in Vienna.
  ['orderHour = 16', true],
  ['age(order) = 0s', true],
  ['isHolderCustomer', true],
  ['not isHolderCustomer', false],
  ['isMerchantInitiated', false],
  // Nothing is known of where the goods go, nor of a registration.
  ['shipping.country = card.country', null],
  ['shipping.country != card.country', null],
  ["shipping.country = 'DE'", null],
  ["shipping.country != 'DE'", null],
  ["not shipping.country = 'DE'", null],
  ["shipping.country in ('DE')", null],
  ["shipping.country not in ('DE')", null],
  ["shipping.city contains ''", null],
  ['age(registration) < 1h', null],
  ['known(shipping.country)', false],
  ['not known(shipping.country)', true],
  ['known(billing.country)', true],
  ["risk.parameters[device] = 'x'", null],
  ['count(card, 1h) > 0', null],
  ['listed(block, card)', null],
];
for (const [text, truth] of truths) test(`${text} is ${truth}`, () => assert.equal(truthOf(text), truth));

/** Each of the three truths as a condition. */
const said = { true: 'amount = 92', false: 'amount = 1', null: "shipping.country = 'DE'" } as const;
const tables: [one: Truth, other: Truth, and: Truth, or: Truth][] = [
  [true, true, true, true],
  [true, false, false, true],
  [true, null, null, true],
  [false, true, false, true],
  [false, false, false, false],
  [false, null, false, null],
  [null, true, null, true],
  [null, false, false, null],
  [null, null, null, null],
];
for (const [one, other, and, or] of tables) {
  test(`${one} and ${other} is ${and}, ${one} or ${other} is ${or}`, () => {
    assert.equal(truthOf(`${said[`${one}`]} and ${said[`${other}`]}`), and);
    assert.equal(truthOf(`${said[`${one}`]} or ${said[`${other}`]}`), or);
  });
}

const answered: [text: string, known: ContextParts, truth: Truth][] = [
  ['count(card, 1h) > 2', { windows: [3] }, true],
  ['count(card, 1h) > 3', { windows: [3] }, false],
  ['count(card, 1h) > 3', { windows: [null] }, null],
  ['count(card, 1h) > count(ip, 1h)', { windows: [3, 2] }, true],
  ['count(card, 1h) > 2 and count(card, 1h) < 4', { windows: [3] }, true],
  ['sum(card, 24h) >= 100', { windows: [10_000n] }, true],
  ['sum(card, 24h) > 100', { windows: [10_000n] }, false],
  // The sum that was paid, and 92.00 now.
  ['total(card, 24h) > 191.99', { windows: [10_000n] }, true],
  ['total(card, 24h) > 192', { windows: [10_000n] }, false],
  ['total(card, 24h) > 192', { windows: [null] }, null],
  ['sum(card, 24h) > 100 or total(card, 24h) > 191', { windows: [10_000n] }, true],
  // Beyond what a floating point number can hold.
  ['sum(card, 24h) > 9999999999999.98', { windows: [999_999_999_999_999n] }, true],
  ['listed(block, card)', { listed: [true] }, true],
  ['not listed(block, card)', { listed: [false] }, true],
  ['listed(block, card) or listed(allow, card)', { listed: [false, true] }, true],
  [
    'age(registration) < 1h',
    { facts: exampleFacts({}, { registration: { id: 'r', createdAt: 1_790_000_000_000 - 3_599_999 } }) },
    true,
  ],
  [
    'age(registration) < 1h',
    { facts: exampleFacts({}, { registration: { id: 'r', createdAt: 1_790_000_000_000 - 3_600_000 } }) },
    false,
  ],
  ['age(order) > 1h', { facts: exampleFacts({ 'risk.orderTimestamp': '2026-09-21 15:00:00' }) }, true],
  ["risk.parameters[device.id] = 'x'", { facts: exampleFacts({ 'risk.parameters[device.id]': 'x' }) }, true],
  ["risk.parameters[__proto__] = 'x'", { facts: exampleFacts({ 'risk.parameters[__proto__]': 'x' }) }, true],
  ["risk.parameters[toString] = 'x'", {}, null],
  ["risk.accountToken = 't'", { facts: exampleFacts({ 'risk.accountToken': 't' }) }, true],
];
for (const [text, known, truth] of answered) {
  test(`${text}, with ${[...(known.windows ?? []), ...(known.listed ?? [])].join(', ') || 'other facts'}, is ${truth}`, () => {
    assert.equal(truthOf(text, known), truth);
  });
}

test('each fact, each window and each list is asked for once', () => {
  const required = noRequiredFacts();
  compile(conditionOf('count(card, 1h) > 2 or count(card, 60m) > 4 or sum(card, 1h) > 1 or total(card, 1h) > 1'), required);
  compile(conditionOf('count(card, 3600s) > 2 and listed(block, card) and not listed(block, card)'), required);
  assert.deepEqual(
    required.windows.map(({ measure }) => measure),
    ['count', 'sum'],
  );
  assert.deepEqual(required.listings, [{ list: 'block', subject: 'card' }]);
  compile(conditionOf('amount > 1 and known(amount) and age(order) > 1h and (amount < 9 or age(order) < 2h)'), required);
  assert.deepEqual(
    required.facts.map(({ name }) => name),
    ['amount', 'age(order)'],
  );
});

test('a condition never throws, whatever the answers are', () => {
  const texts = [...truths.map(([text]) => text), ...answered.map(([text]) => text)];
  const answer = fc.oneof(fc.constant(null), fc.integer(), fc.bigInt());
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.array(answer, { maxLength: 3 }),
      fc.array(fc.option(fc.boolean()), { maxLength: 2 }),
      (text, windows, listed) => {
        assert.ok([true, false, null].includes(truthOf(text, { windows, listed })));
      },
    ),
  );
});

const explanation = (text: string, { facts = exampleFacts(), windows = [], listed = [] }: ContextParts = {}) => {
  const required = noRequiredFacts();
  const condition = conditionOf(text);
  compile(condition, required);
  return compileExplanation(condition, required)(conditionContext(facts, required.facts, { windows, listed }));
};

test('an explanation has the values in the order of the condition', () => {
  const explained = explanation(
    'amount > 1 and count(card, 1h) > 2 and not (shipping.country = card.country or listed(block, ip)) and age(order) < 1h',
    {
      windows: [7],
      listed: [false],
      facts: exampleFacts({ 'risk.orderTimestamp': '2026-09-21 15:00:00' }),
    },
  );
  assert.deepEqual(Object.entries(explained), [
    ['amount', '92.00'],
    ['count(card, 1h)', '7'],
    ['shipping.country', 'unknown'],
    ['card.country', 'DE'],
    ['listed(block, ip)', 'false'],
    ['age(order)', '4400s'],
  ]);
});

const secrets: [what: string, text: string, fields: Record<string, string>, explained: string][] = [
  ['an account token', "risk.accountToken != 'x'", { 'risk.accountToken': 'token-1' }, '***'],
  [
    'the number of a card',
    "risk.parameters[note] != 'x'",
    { 'risk.parameters[note]': 'card 4200000000000000.' },
    'card 420000***0000.',
  ],
  ['one in groups', "risk.parameters[note] != 'x'", { 'risk.parameters[note]': '4200 0000-0000 0000' }, '420000***0000'],
  ['no number of a card', "risk.parameters[note] != 'x'", { 'risk.parameters[note]': '4200000000000001' }, '4200000000000001'],
  ['a long text', "risk.parameters[note] != 'x'", { 'risk.parameters[note]': 'a'.repeat(100) }, `${'a'.repeat(63)}…`],
];
for (const [what, text, fields, explained] of secrets) {
  test(`an explanation and ${what}`, () =>
    assert.deepEqual(Object.values(explanation(text, { facts: exampleFacts(fields) })), [explained]));
}
