import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { isExplanationOf, type ModuleMutant, mutantsOfModule, runCampaign } from '../../scripts/mutation/campaign.ts';
import { explained } from '../../scripts/mutation/explained.ts';
import { type MutatedModule, mutatedModules } from '../../scripts/mutation/modules.ts';
import { mutantsOf } from '../../scripts/mutation/mutants.ts';
import { reportFigure } from '../figures.ts';

const root = join(import.meta.dirname, '..', '..');

/** What a line of source becomes. */
const changes: readonly (readonly [text: string, becomes: readonly string[]])[] = [
  ['f(a < b);', [';', 'f(a <= b);', 'f(a >= b);']],
  ['const a = b === c;', ['const a = b !== c;']],
  ['const a = b ?? 7;', ['const a = b;', 'const a = 7;', 'const a = b ?? 8;']],
  ['const a = b?.c;', ['const a = b.c;']],
  ['const a = -b + 1n;', ['const a = b + 1n;', 'const a = -b - 1n;', 'const a = -b + 2n;']],
  ['const a = b ? x : y;', ['const a = true ? x : y;', 'const a = false ? x : y;']],
  ['if (a) throw new Error("no");', ['if (true) throw new Error("no");', 'if (false) throw new Error("no");', 'if (a) ;']],
  ["const a = '000.100.110';", ["const a = '';"]],
  ['const a = all.filter(isOpen);', ['const a = all;']],
  ['const a = all.some(isOpen);', ['const a = all.every(isOpen);']],
  ['const a = b.toString();', []],
  ['const a = /^x$/;', ['const a = /x$/;', 'const a = /^x/;']],
  ['const f = () => a;', ['const f = () => undefined;']],
  ["import { a } from 'b';", []],
  ["type A = 'b' | 7;", []],
];
for (const [text, becomes] of changes) {
  test(`mutants of ${text}`, () =>
    assert.deepEqual(
      mutantsOf('a.ts', text)
        .map(({ start, end, to }) => text.slice(0, start) + to + text.slice(end))
        .sort(),
      [...becomes].sort(),
    ));
}

const tiny: MutatedModule = { name: 'tiny', files: ['test/mutation/tiny.ts'], tests: ['test/mutation/tiny.test.ts'] };

test('mutants that a test finds are killed, and planted survivors survive', async () => {
  const tried: Readonly<Record<string, string>> = {
    'amount > 100n ? amount / 10n : 5n → undefined': 'killed',
    '> → >=': 'survived',
    'amount + 1n → undefined': 'survived',
    // These two end the process, and what comes after them is tried all the same.
    'count += 1; → ;': 'timeout',
    'resolve(); → ;': 'killed',
    'count → undefined': 'killed',
  };
  const nameOf = ({ mutant: { from, to } }: ModuleMutant) => `${from} → ${to}`;
  const mutants = mutantsOfModule(root, tiny).filter((one) => nameOf(one) in tried);
  const results = await runCampaign({ root, atOnce: 1 }, mutants);
  assert.deepEqual(Object.fromEntries(results.map((one) => [nameOf(one), one.outcome])), tried);
  const found = (outcome: string) => results.filter((one) => one.outcome === outcome).length;
  reportFigure('R2', 'mutants killed', found('killed') + found('timeout'));
  reportFigure('R2', 'mutants that survived', found('survived'));
});

test('a file without tests, or with tests that fail without a mutant, finds nothing', async () => {
  const failing: MutatedModule = { ...tiny, tests: ['test/mutation/tiny.ts'] };
  await assert.rejects(runCampaign({ root, atOnce: 1 }, mutantsOfModule(root, failing).slice(0, 1)), /tiny: .*without a mutant/);
});

test('every explained survivor is a mutant of the sources, with a reason', () => {
  const all = mutatedModules.flatMap((module) => mutantsOfModule(root, module));
  const gone = explained.flatMap((row) =>
    row.changes
      .filter((change) => !all.some((one) => isExplanationOf({ ...row, changes: [change] }, one)))
      .map(([from, to]) => `${row.file}: ${row.at}: ${from} → ${to}`),
  );
  assert.deepEqual(gone, []);
  assert.ok(explained.every(({ changes, why }) => changes.length > 0 && why.length > 15));
});
