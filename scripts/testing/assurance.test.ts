import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { requirements } from '../../test/assurance/table.ts';
import { chooseFiles, filesOfRows, summarise, tableText } from './assurance.ts';
import { notePassed, readPassed, readWanted } from './passed.ts';
import { findTestFiles, readPlan } from './plan.ts';

const root = join(import.meta.dirname, '..', '..');
const all = findTestFiles(root);
const rows = filesOfRows(readPlan(root), all);

test('a requirement is run by the files of its tests, controls and figures', () => {
  const chosen = chooseFiles(all, rows, ['r9']);
  assert.deepEqual(chosen, rows.get('R9'));
  assert.ok(chosen.includes('test/faults/killSqlite.test.ts'));
  // The contract of the stores is registered by modules that test files import.
  assert.ok(rows.get('R6')?.includes('test/contract/store.test.ts'));
  assert.deepEqual(
    [...rows].filter(([id, files]) => files.length === 0 && id !== 'R21'),
    [],
  );
});

test('other words are parts of paths; without words everything is run', () => {
  assert.deepEqual(chooseFiles(all, rows, ['test/faults/overrun']), ['test/faults/overrun.test.ts']);
  assert.deepEqual(chooseFiles(all, rows, []), all);
  assert.deepEqual(chooseFiles(all, rows, ['no such file']), []);
});

test('what has passed is remembered for its commit alone, and what failed is not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-passed-'));
  try {
    const [path, list] = [join(folder, 'passed'), join(folder, 'files')];
    const ran = { passed: 3, skipped: 0, failures: [], ms: 12.4, cpuMs: 0, childCpuMs: 0 };
    const failed = { ...ran, file: 'b', failures: [{ file: 'b', name: 'x', text: 'y' }] };
    notePassed({ TEST_PASSED: path, TEST_COMMIT: 'one' }, [{ ...ran, file: 'a' }, failed]);
    notePassed({}, [{ ...ran, file: 'c' }]);
    assert.deepEqual([...readPassed(path, 'one').keys()], ['a']);
    assert.equal(readPassed(path, 'two').size, 0);
    writeFileSync(list, 'a\nb');
    assert.deepEqual([...(readWanted({ TEST_FILES_FROM: list }) ?? [])], ['a', 'b']);
    assert.equal(readWanted({}), null);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the summary has a line for each requirement of the run, with files and figures', () => {
  const wanted = chooseFiles(all, rows, ['R22']);
  const state = new Map(wanted.map((file) => [file, { file, commit: 'one', tests: 1, ms: 1 }]));
  const figures = [{ file: 'a', id: 'R22', name: 'nonces', value: 1_000 }];
  const summary = summarise({ requirements, rows, wanted, state, figures });
  assert.match(tableText(summary), /^✔ R22 {2}1\/1 files {4}1,000 nonces$/m);
  assert.match(tableText(summarise({ requirements, rows, wanted, state: new Map(), figures: [] })), /^✖ R22 /m);
});
