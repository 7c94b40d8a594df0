import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesRow } from '../src/form/catalogue.ts';
import { check } from '../src/form/check.ts';
import { decode } from '../src/form/decode.ts';
import { judge } from '../src/form/judge.ts';
import { endpoints } from '../src/spec/endpoints.ts';
import type { Rule, Sent } from '../src/spec/rules/rule.ts';
import { rules } from '../src/spec/rules/rules.ts';
import { bodyOf, cardPayment } from './requests.ts';
import { basicCases } from './rules/basic.ts';
import { pay } from './rules/case.ts';
import { checkoutCases } from './rules/checkouts.ts';
import { customerCases } from './rules/customers.ts';
import { goodsCases } from './rules/goods.ts';
import { instrumentCases } from './rules/instruments.ts';
import { queryCases } from './rules/queries.ts';
import { seriesCases } from './rules/series.ts';

const cases = [
  ...basicCases,
  ...instrumentCases,
  ...customerCases,
  ...goodsCases,
  ...seriesCases,
  ...checkoutCases,
  ...queryCases,
];

for (const { title, base = cardPayment, in: context = pay, passes, refused } of cases) {
  test(title, () => {
    for (const change of passes) {
      const outcome = check(decode(bodyOf(base, change)), context);
      assert.deepEqual(outcome.is === 'faulty' ? outcome.faults : [], [], JSON.stringify(change));
    }
    for (const [change, ...faulty] of refused) {
      const outcome = check(decode(bodyOf(base, change)), context);
      const faults = outcome.is === 'faulty' ? outcome.faults : [];
      assert.deepEqual(faults.map(({ name }) => name).toSorted(), faulty.toSorted(), JSON.stringify(change));
      const always: readonly string[] = context.endpoint === undefined ? context.required : endpoints[context.endpoint].required;
      for (const { name, value, message } of faults) {
        if (value === null && !always.includes(name))
          assert.match(message, /^is required (?:when|unless) \S.* (?:is|are) /, name);
      }
    }
  });
}

/** A request that meets every condition of the rule and nothing of its demand. */
function requestFor({ when, is = {} }: Rule): Sent {
  const [trigger = ''] = when;
  const texts = new Map([
    ...(trigger === '' ? [] : [[trigger.replace('*', 'x'), 'x'] as const]),
    ...Object.entries(is).map(([name, [value = '']]) => [name, value] as const),
  ]);
  return {
    has: () => false,
    text: (name) => texts.get(name),
    all: () => [],
    first: (patterns) => [...texts.keys()].find((name) => patterns.some((pattern) => namesRow(pattern, name))),
  };
}

test('a requirement names every condition that made it one', () => {
  const conditional = rules.filter(({ needs, needsOneOf }) => needs || needsOneOf);
  assert.ok(conditional.length >= 30, String(conditional.length));
  for (const rule of conditional) {
    const { title, when, is = {}, isNot = {}, unless = [], needsOneOf = [] } = rule;
    const sent = requestFor(rule);
    const [trigger] = when;
    const named = [
      ...(trigger === undefined ? [] : [trigger.replace('*', 'x')]),
      ...Object.keys({ ...is, ...isNot }),
      ...unless,
      ...needsOneOf.slice(1),
    ];
    for (const { message } of judge(rule, sent)) {
      for (const name of named) assert.ok(message.includes(name), `${title}: "${message}" does not name ${name}`);
      if (named.length > 0) assert.match(message, /^is required (?:when|unless) /, title);
    }
  }
});

test('every rule of the table is tried', () => {
  const tried = new Set(cases.map(({ title }) => title));
  assert.deepEqual(
    rules.map(({ title }) => title).filter((title) => !tried.has(title)),
    [],
    'a rule has no case of its title in test/rules/: both sides of it',
  );
});
