import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, isRefused } from '../src/form/check.ts';
import { decode } from '../src/form/decode.ts';
import { rules } from '../src/spec/rules.ts';
import { bodyOf, cardPayment } from './requests.ts';
import { basicCases } from './rules/basic.ts';
import { pay } from './rules/case.ts';
import { checkoutCases } from './rules/checkouts.ts';
import { goodsCases } from './rules/goods.ts';
import { instrumentCases } from './rules/instruments.ts';
import { peopleCases } from './rules/people.ts';
import { queryCases } from './rules/queries.ts';
import { seriesCases } from './rules/series.ts';

const cases = [...basicCases, ...instrumentCases, ...peopleCases, ...goodsCases, ...seriesCases, ...checkoutCases, ...queryCases];

for (const { says, base = cardPayment, in: context = pay, passes, refused } of cases) {
  test(says, () => {
    for (const change of passes) {
      const outcome = check(decode(bodyOf(base, change)), context);
      assert.deepEqual(isRefused(outcome) ? outcome.faults : [], [], JSON.stringify(change));
    }
    for (const [change, ...faulty] of refused) {
      const outcome = check(decode(bodyOf(base, change)), context);
      const named = isRefused(outcome) ? outcome.faults.map(({ name }) => name) : [];
      assert.deepEqual(named.toSorted(), faulty.toSorted(), JSON.stringify(change));
    }
  });
}

test('every rule of the table is tried', () => {
  const tried = new Set(cases.map(({ says }) => says));
  assert.deepEqual(
    rules.map(({ says }) => says).filter((says) => !tried.has(says)),
    [],
  );
});
