import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { addUp, type Figure, missingFigures, readReported, reportersOf, wholeIds } from './figures.ts';
import { findTestFiles, readPlan } from './plan.ts';

const root = join(import.meta.dirname, '..', '..');
const kills = (file: string, value: number): Figure => ({ file, id: 'R9', name: 'kills', value });

test('figures of one name are added up over the files of a run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-figures-'));
  try {
    const path = join(folder, 'figures');
    assert.deepEqual(readReported(path), []);
    const figures = [kills('a', 2), kills('b', 3)];
    writeFileSync(path, figures.map((one) => `${JSON.stringify(one)}\n`).join(''));
    assert.deepEqual(readReported(path), figures);
    assert.equal(addUp(figures).get('R9')?.get('kills'), 5);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a requirement is whole when every file that reports about it has passed', () => {
  const reporters = new Map([
    ['R9', ['a', 'b']],
    ['R14', ['b']],
  ]);
  assert.deepEqual([...wholeIds(reporters, new Set(['b']))], ['R14']);
  assert.deepEqual([...wholeIds(reporters, new Set(['a', 'b']))], ['R9', 'R14']);
});

test('a figure that was not reported is named, unless files were left out', () => {
  assert.deepEqual(missingFigures([kills('a', 2)], new Set(['R9']), { root, isQuick: true }), ['R9: acknowledged', 'R9: lost']);
  assert.deepEqual(missingFigures([kills('a', 2)], new Set(), { root, isQuick: true }), []);
  // Only a long file reports the memory: a quick run does without.
  const quick = ['heavy requests', 'bodies of adversarial shape'].map((name): Figure => ({ ...kills('a', 2), id: 'R36', name }));
  const whole = new Set(['R36']);
  assert.deepEqual(missingFigures(quick, whole, { root, isQuick: true }), []);
  assert.ok(missingFigures(quick, whole, { root, isQuick: false }).includes('R36: growth of memory, MiB'));
});

test('the files that report are found, also behind a module that they import', () => {
  const reporters = reportersOf(readPlan(root), findTestFiles(root));
  assert.deepEqual(reporters.get('R9'), ['test/faults/killPostgres.test.ts', 'test/faults/killSqlite.test.ts']);
  assert.ok(reporters.get('R7')?.includes('test/connectors/example/contract.test.ts'));
});
