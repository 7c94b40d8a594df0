import assert from 'node:assert/strict';
import { compile, compileExplanation, conditionContext, noRequiredFacts } from '../../../src/risk/conditions/compile.ts';
import { namedFacts } from '../../../src/risk/conditions/namedFacts.ts';
import { parse } from '../../../src/risk/conditions/parse.ts';
import { print } from '../../../src/risk/conditions/syntax.ts';
import { exampleFacts } from '../../../src/risk/examples.ts';
import { assertNoCardNumber, CANARY, jsonOf, type Target } from '../target.ts';

const facts = exampleFacts({ 'risk.parameters[note]': 'aab', 'customer.email': 'ann@shop.example' });
const answers = { windows: [], listed: [] };

/** A condition is refused at a place in it, or means the same when it is printed and read again; it never throws. */
function judge(input: Buffer): void {
  const text = input.toString('utf8');
  const parsed = parse(text);
  if (parsed.is === 'invalid') {
    const { at, says } = parsed.fault;
    assert.ok(Number.isInteger(at) && at >= 0 && at <= text.length + 1, `at ${at} of ${text.length}`);
    assert.ok(says.length > 0 && says.length < 400, says);
    return;
  }
  const printed = print(parsed.condition);
  const again = parse(printed);
  assert.ok(again.is === 'valid', `printed as ${printed}`);
  assert.equal(jsonOf(again.condition), jsonOf(parsed.condition));
  assert.equal(print(again.condition), printed);
  const required = noRequiredFacts();
  const context = () => conditionContext(facts, required.facts, answers);
  const truth = compile(parsed.condition, required)(context());
  assert.ok(truth === true || truth === false || truth === null);
  const explained = noRequiredFacts();
  compileExplanation(parsed.condition, explained)(conditionContext(facts, explained.facts, answers));
}

export const rules: Target = {
  name: 'rules',
  seeds: [
    "amount > 100.50 and (currency = 'EUR' or not card.country in ('DE', 'AT'))",
    'billing.country != card.country',
    "card.holder matches 'a?? *PLE' or known(customer.email)",
    "customer.email starts 'ann' and customer.emailDomain contains 'shop'",
    "risk.parameters[note] equals 'it\\'s'",
    'count(card, 24h) >= 3 or total(card, 24h) > 1000',
    'listed(block, card) and age(registration) < 30d',
    'share(bin, 10m, failed) > 0.50 and distinct(card per ip, 1h) > 3',
  ],
  words: [
    ...Object.keys(namedFacts).map((name) => ` ${name} `),
    ...[
      ' and ',
      ' or ',
      ' not ',
      ' in (',
      ')',
      '(',
      ',',
      "'",
      "\\'",
      '\\\\',
      ' = ',
      ' != ',
      ' <= ',
      ' >= ',
      '+',
      'known(',
      '24h',
      '7d',
      '1000000m',
      '0.01',
    ],
    ...[
      'count(',
      'sum(',
      'share(',
      'total(',
      'distinct(',
      ' per ',
      'age(',
      'listed(',
      'block',
      'card',
      'bin',
      'risk.parameters[',
      ']',
      '\xf0\x9f\x98\x80',
      "'*'",
      '9999999999999',
      ` = '${CANARY}'`,
      CANARY,
    ],
  ],
  bytesMax: 2_100,
  work: { base: 40_000, perByte: 400 },
  judge,
  planted: {
    what: 'a message that repeats the text it could not read',
    judge: (input) => {
      const text = input.toString('utf8');
      const parsed = parse(text);
      if (parsed.is === 'invalid') assertNoCardNumber(`${parsed.fault.says}: ${text}`);
    },
  },
};
