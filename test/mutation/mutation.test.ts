import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ModuleMutant, mutantsOfModule, runCampaign } from '../../scripts/mutation/campaign.ts';
import { KILLED_MIN, type MutatedModule, mutatedModules } from '../../scripts/mutation/modules.ts';
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
  ['function f() { return null; }', []],
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

const tiny: MutatedModule = {
  name: 'tiny',
  files: ['test/mutation/tiny.ts'],
  tests: ['test/mutation/tiny.test.ts'],
  killedMin: KILLED_MIN,
};

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

test('every module has sources with mutants, tests, and a share of them that must be killed', () => {
  for (const module of mutatedModules) {
    for (const file of module.files) assert.ok(mutantsOfModule(root, { ...module, files: [file] }).length > 0, file);
    for (const file of module.tests) assert.ok(existsSync(join(root, file)), file);
    assert.ok(module.killedMin >= KILLED_MIN && module.killedMin < 1, module.name);
  }
});
