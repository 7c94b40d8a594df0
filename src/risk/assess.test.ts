import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Assessment, assess, scoreText } from './assess.ts';
import { exampleFacts } from './examples.ts';
import { compileRuleSet, type Rule, type RuleMode, type RuleSet, ruleFaults, type Thresholds } from './rules.ts';

type Given = { readonly verdict: Rule['gives']['verdict']; readonly score?: number; readonly code?: Rule['gives']['code'] };

const rule = (id: string, gives: Given, rest: { readonly when?: string; readonly mode?: RuleMode } = {}): Rule => ({
  id,
  says: `The rule ${id}.`,
  when: 'amount > 1',
  mode: 'on',
  gives,
  ...rest,
});

const none: Thresholds = { challenge: null, review: null, decline: null };

function setOf(rules: readonly Rule[], thresholds: Thresholds = none): RuleSet {
  const made = compileRuleSet({ id: 'test', rules, thresholds });
  assert.ok(made.is === 'valid', made.is === 'invalid' ? made.faults.join() : '');
  return made.set;
}

const judged = (rules: readonly Rule[], thresholds: Thresholds = none): Assessment =>
  assess(exampleFacts(), setOf(rules, thresholds), { windows: [], listed: [] });

const [decline, challenge, review, accept] = [
  rule('d', { verdict: 'decline', code: '800.120.101' }),
  rule('c', { verdict: 'challenge' }),
  rule('r', { verdict: 'review' }),
  rule('a', { verdict: 'accept', score: 100 }),
];
const scored = (score: number) => rule('s', { verdict: 'accept', score });

const cases: [
  what: string,
  rules: readonly Rule[],
  thresholds: Partial<Thresholds>,
  verdict: string,
  asksReview: boolean,
  score: number,
][] = [
  ['no rules', [], {}, 'accept', false, 0],
  ['a rule that only adds to the score', [accept], {}, 'accept', false, 100],
  ['a review', [accept, review], {}, 'review', true, 100],
  ['a challenge', [challenge], {}, 'challenge', false, 0],
  ['a challenge beats a review, which is still wanted', [review, challenge], {}, 'challenge', true, 0],
  ['a decline beats all', [accept, review, challenge, decline], {}, 'decline 800.120.101', true, 100],
  [
    'the first decline gives the code',
    [rule('e', { verdict: 'decline', code: '800.110.100' }), decline],
    {},
    'decline 800.110.100',
    false,
    0,
  ],
  ['a decline without a code', [rule('e', { verdict: 'decline' })], {}, 'decline 100.400.319', false, 0],
  ['accept overrules nothing', [accept, decline], {}, 'decline 800.120.101', false, 100],
  ['what is not true does not fire', [rule('e', { verdict: 'decline' }, { when: 'amount > 1000' })], {}, 'accept', false, 0],
  [
    'what is not known does not fire',
    [rule('e', { verdict: 'decline' }, { when: "shipping.country != 'DE'" })],
    {},
    'accept',
    false,
    0,
  ],
  ['nor its contrary', [rule('e', { verdict: 'decline' }, { when: "not shipping.country = 'DE'" })], {}, 'accept', false, 0],
  ['a rule on trial does not count', [rule('e', { verdict: 'decline', score: -5 }, { mode: 'shadow' })], {}, 'accept', false, 0],
  ['a rule that is off', [rule('e', { verdict: 'decline', score: -5 }, { mode: 'off' })], {}, 'accept', false, 0],
  ['scores add up', [scored(-3), rule('t', { verdict: 'accept', score: 5 })], {}, 'accept', false, 2],
  ['no lower than -99999', [scored(-99_999), rule('t', { verdict: 'accept', score: -1 })], {}, 'accept', false, -99_999],
  ['no higher than 99999', [scored(99_999), rule('t', { verdict: 'accept', score: 1 })], {}, 'accept', false, 99_999],
  ['a score above the threshold', [scored(-9)], { challenge: -10 }, 'accept', false, -9],
  ['a score at the threshold', [scored(-10)], { challenge: -10 }, 'challenge', false, -10],
  ['a score for review', [scored(-10)], { review: -10 }, 'review', true, -10],
  ['a score for both', [scored(-10)], { review: -10, challenge: -5 }, 'challenge', true, -10],
  ['a score too bad', [scored(-10)], { decline: -10, challenge: -5 }, 'decline 100.400.100', false, -10],
  ['a rule names its code before the score does', [scored(-10), decline], { decline: -10 }, 'decline 800.120.101', false, -10],
];
for (const [what, rules, thresholds, verdict, asksReview, score] of cases) {
  test(`${what}: ${verdict}, ${score}`, () => {
    const assessment = judged(rules, { ...none, ...thresholds });
    const said = assessment.verdict.is === 'decline' ? `decline ${assessment.verdict.code}` : assessment.verdict.is;
    assert.deepEqual([said, assessment.asksReview, assessment.score], [verdict, asksReview, score]);
  });
}

test('an assessment has the rules that fired, in order, with their values, and those that would have fired', () => {
  const windows = 'count(card, 10m) > 2 and amount > 1';
  const set = setOf([
    rule('second', { verdict: 'review', score: -7 }, { when: windows }),
    decline,
    rule('tried', { verdict: 'decline' }, { mode: 'shadow' }),
  ]);
  assert.deepEqual(assess(exampleFacts(), set, { windows: [3], listed: [] }), {
    ruleSet: 'test',
    verdict: { is: 'decline', code: '800.120.101' },
    asksReview: true,
    score: -7,
    fired: [
      {
        rule: 'second',
        says: 'The rule second.',
        verdict: 'review',
        code: null,
        score: -7,
        values: { 'count(card, 10m)': '3', amount: '92.00' },
      },
      { rule: 'd', says: 'The rule d.', verdict: 'decline', code: '800.120.101', score: 0, values: { amount: '92.00' } },
    ],
    shadow: [
      { rule: 'tried', says: 'The rule tried.', verdict: 'decline', code: '100.400.319', score: 0, values: { amount: '92.00' } },
    ],
  });
});

test('an assessment can be stored: it is plain JSON and holds no fingerprint', () => {
  const set = setOf([
    rule('x', { verdict: 'decline' }, { when: "amount > 1 and customer.email != 'a@b.c' and count(card, 1h) >= 0" }),
  ]);
  const assessment = assess(exampleFacts(), set, { windows: [1], listed: [] });
  assert.equal(assessment.fired.length, 1);
  assert.deepEqual(JSON.parse(JSON.stringify(assessment)), assessment);
  assert.doesNotMatch(JSON.stringify(assessment), /fingerprint-of-a-card/);
});

test('the sum of any scores fits six characters', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -99_999, max: 99_999 }), { maxLength: 20 }), (scores) => {
      const { score } = judged(scores.map((one, at) => rule(`s${at}`, { verdict: 'accept', score: one })));
      assert.match(scoreText(score), /^-?[0-9]{1,5}$/);
    }),
  );
});

const faulty: [what: string, row: unknown, says: RegExp][] = [
  ['no object', 'x', /must be an object/],
  ['no id', { ...decline, id: '' }, /"id" must be/],
  ['an id with blanks', { ...decline, id: 'a b' }, /"id" must be/],
  ['nothing said', { ...decline, says: '' }, /"says" must be/],
  ['too much said', { ...decline, says: 'x'.repeat(201) }, /"says" must be/],
  ['a member that is unknown', { ...decline, wehn: '' }, /has no "wehn"/],
  ['no condition', { ...decline, when: 1 }, /"when" must be/],
  ['a condition that cannot be read', { ...decline, when: 'amount > x' }, /"when", character 10: there is no "x"/],
  ['a mode that is unknown', { ...decline, mode: 'maybe' }, /"mode" must be/],
  ['no consequence', { ...decline, gives: undefined }, /"gives" must be/],
  ['a verdict that is unknown', { ...decline, gives: { verdict: 'maybe' } }, /verdict is one of/],
  ['a consequence with more', { ...decline, gives: { verdict: 'accept', sore: 1 } }, /has no "sore"/],
  ['half a point', { ...decline, gives: { verdict: 'accept', score: 0.5 } }, /"score" must be/],
  ['too many points', { ...decline, gives: { verdict: 'accept', score: 100_000 } }, /"score" must be/],
  ['a code of another kind', { ...decline, gives: { verdict: 'decline', code: '000.100.110' } }, /"code" must be/],
  ['a code of the bank', { ...decline, gives: { verdict: 'decline', code: '800.100.151' } }, /"code" must be/],
  ['a code that is no final no', { ...decline, gives: { verdict: 'decline', code: '100.400.500' } }, /"code" must be/],
  ['the code of the throttle', { ...decline, gives: { verdict: 'decline', code: '800.120.100' } }, /"code" must be/],
  [
    'a code without a decline',
    { ...decline, gives: { verdict: 'review', code: '800.110.100' } },
    /goes with the verdict decline/,
  ],
];
for (const [what, row, says] of faulty) {
  test(`a rule with ${what} is refused`, () => {
    const faults = ruleFaults(row);
    assert.equal(faults.length, 1, faults.join('; '));
    assert.match(faults[0] as string, says);
  });
}

test('a good rule has no faults', () => assert.deepEqual(ruleFaults(decline), []));

test('a rule set with faults is not made', () => {
  const twice = compileRuleSet({ id: 'x', rules: [decline, decline], thresholds: none });
  assert.deepEqual(twice, { is: 'invalid', faults: ['rule "d" stands there twice'] });
  const many = Array.from({ length: 401 }, (_, at) => rule(`r${at}`, { verdict: 'accept' }));
  assert.deepEqual(compileRuleSet({ id: 'x', rules: many, thresholds: none }), {
    is: 'invalid',
    faults: ['a rule set has at most 400 rules'],
  });
  const windows = Array.from({ length: 201 }, (_, at) =>
    rule(`r${at}`, { verdict: 'accept' }, { when: `count(card, ${at + 1}s) > 1` }),
  );
  assert.deepEqual(compileRuleSet({ id: 'x', rules: windows, thresholds: none }), {
    is: 'invalid',
    faults: ['a rule set has at most 200 different windows'],
  });
});
