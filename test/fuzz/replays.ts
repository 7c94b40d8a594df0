import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readCorpus } from './corpus.ts';
import { judged, search } from './fuzz.ts';
import type { Target } from './target.ts';
import type { TargetRow } from './targets.ts';

const seedsOf = ({ seeds }: Target): readonly Buffer[] => seeds.map((seed) => Buffer.from(seed, 'latin1'));
/** Enough for every planted fault, and the same numbers each time. */
const RUNS = 3_000;

/** For each target: what was kept is read again, and the search finds the planted fault. */
export async function registerReplays(rows: readonly TargetRow[]): Promise<void> {
  for (const { load } of rows) {
    const target = await load();
    after(() => target.close?.());

    test(`${target.name}: every input that a search has kept is read as it must be`, async () => {
      const corpus = readCorpus(target.name);
      assert.ok(corpus.length > 0, 'a search has kept inputs');
      for (const input of [...seedsOf(target), ...corpus]) {
        const says = await judged(target.judge, input);
        assert.equal(says, null, `${says} for ${JSON.stringify(input.toString('latin1').slice(0, 500))}`);
      }
    });

    test(`${target.name}: control: the search finds ${target.planted.what}`, async () => {
      const { finding } = await search(target, { corpus: seedsOf(target), runs: RUNS, seed: 1, judge: target.planted.judge });
      assert.notEqual(finding, null);
    });
  }
}
