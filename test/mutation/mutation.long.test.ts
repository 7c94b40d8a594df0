import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  countOf,
  describeMutant,
  keepOutcome,
  mutantsOfModule,
  readOutcomes,
  runCampaign,
} from '../../scripts/mutation/campaign.ts';
import { mutatedModules } from '../../scripts/mutation/modules.ts';
import { reportFigure } from '../figures.ts';

/** What a former run has found of the same sources and tests is not tried again (`npm run mutate` keeps it too). */
const root = join(import.meta.dirname, '..', '..');

for (const module of mutatedModules) {
  test(`of the mutants of ${module.name} at least ${Math.round(module.killedMin * 100)} % are killed`, async (t) => {
    const results = await runCampaign(
      {
        root,
        atOnce: availableParallelism(),
        former: readOutcomes(root),
        onResult: ({ outcome }, names) => keepOutcome(root, outcome, names),
      },
      mutantsOfModule(root, module),
    );
    for (const one of results) if (one.outcome === 'survived') t.diagnostic(`survived: ${describeMutant(one)}`);
    const { killed, timeout, survived, share } = countOf(module.name, results);
    assert.ok(share >= module.killedMin, `${(share * 100).toFixed(1)} %`);
    reportFigure('R2', 'mutants killed', killed + timeout);
    reportFigure('R2', 'mutants that survived', survived);
  });
}
