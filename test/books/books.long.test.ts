import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportFigure } from '../figures.ts';
import { onlyLong } from '../long.ts';
import { differences } from './compare.ts';
import { uncoined } from './faults.ts';
import { figureDifferences, recomputeFigures } from './figures.ts';
import { recompute, unsquared } from './recompute.ts';
import { runFamilies } from './run.ts';

const ALL = 100_000;
/** So many at one merchant, whose books are compared four times. */
const BATCH = 500;

test(`of ${ALL} families the ledger is what webhooks and reconciliation file come to`, { skip: onlyLong }, async () => {
  for (let seed = 1; seed <= ALL / BATCH; seed += 1) {
    const { moments, figures } = await runFamilies({ seed, families: BATCH });
    for (const { when, balances, ...view } of moments)
      assert.deepEqual(differences(recompute(view), balances), [], `seed ${seed}, ${when}`);
    const last = moments.at(-1) ?? assert.fail('there is no moment');
    assert.deepEqual([unsquared(last), uncoined(last)], [[], []], `seed ${seed}`);
    assert.deepEqual(figureDifferences(recomputeFigures(last, figures.customerOf), figures.said), [], `seed ${seed}`);
  }
  reportFigure('R12', 'generated families', ALL);
});
