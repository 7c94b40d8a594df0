import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  closesAll,
  comparing,
  divideIntoUnits,
  findTestFiles,
  measuring,
  needsBrowser,
  needsPostgres,
  readPlan,
  whyAlone,
} from './plan.ts';

const root = join(import.meta.dirname, '..', '..');
const files = findTestFiles(root);
const plan = readPlan(root);

const made = mkdtempSync(join(tmpdir(), 'turnpike-plan-'));
after(() => rmSync(made, { recursive: true, force: true }));

/** `whyAlone` for a file with this text, beside a module that starts processes and one that imports only types. */
function aloneBecause(text: string): readonly string[] | null {
  writeFileSync(
    join(made, 'starts.ts'),
    `import { spawn } from 'node:child_process';\nexport const start = () => spawn('true');\n`,
  );
  writeFileSync(join(made, 'through.ts'), `export { start } from './starts.ts';\n`);
  writeFileSync(
    join(made, 'types.ts'),
    `import type { ChildProcess } from 'node:child_process';\nexport type Child = ChildProcess;\n`,
  );
  writeFileSync(join(made, 'a.test.ts'), text);
  return whyAlone(readPlan(made), 'a.test.ts');
}

for (const [text, chain] of [
  [`import { test } from 'node:test';`, null],
  [`import { spawn } from 'node:child_process';`, ['a.test.ts', 'node:child_process']],
  [`import { spawn } from 'child_process';`, ['a.test.ts', 'child_process']],
  [`import {\n  start,\n} from './through.ts';`, ['a.test.ts', 'through.ts', 'starts.ts', 'node:child_process']],
  [`const { start } = await import('./starts.ts');`, ['a.test.ts', 'starts.ts', 'node:child_process']],
  [`new Worker(new URL('./starts.ts', import.meta.url));`, ['a.test.ts', 'starts.ts', 'node:child_process']],
  [`import type { start } from './starts.ts';`, null],
  [`import './types.ts';`, null],
  [`import { isIP, type Socket } from 'node:net';`, null],
  [`import { isIP, createServer } from 'node:net';`, ['a.test.ts', 'node:net']],
  [`import net from 'node:net';`, ['a.test.ts', 'node:net']],
  [`import * as net from 'node:net';`, ['a.test.ts', 'node:net']],
  [`/* import './starts.ts' */`, null],
] as const) {
  test(`${JSON.stringify(text)} is ${chain ? `alone by ${chain.at(-1)}` : 'shared'}`, () => {
    assert.deepEqual(aloneBecause(text), chain);
  });
}

test('every file is in exactly one unit, and a shared one opens nothing, or closes all that it opens', () => {
  const units = divideIntoUnits(plan, files);
  assert.deepEqual(units.flatMap((unit) => unit.files).sort(), [...files].sort());
  for (const { files: some, isShared } of units) {
    if (!isShared) assert.equal(some.length, 1);
    else for (const file of some) assert.ok(whyAlone(plan, file) === null || closesAll(plan, file), file);
  }
  const shared = units.filter(({ isShared }) => isShared).flatMap((unit) => unit.files);
  assert.ok(shared.length >= 330, `${shared.length} files share processes: at least 330`);
  assert.deepEqual(
    divideIntoUnits(plan, files),
    units,
    'the same files give the same units: what a file leaves behind is found every time',
  );
});

test('every file that has the machine for itself is there', () => {
  for (const set of [measuring, comparing]) assert.deepEqual(files.filter((file) => set.has(file)).sort(), [...set].sort());
});

test('real files are classified', () => {
  for (const file of ['test/http/payments.test.ts', 'test/contract/store.test.ts', 'test/faults/killSqlite.test.ts']) {
    assert.ok(whyAlone(plan, file), file);
  }
  for (const file of [
    'test/http/payments.test.ts',
    'test/contract/ledger.test.ts',
    'test/http/framing.test.ts',
    'test/http/query.test.ts',
    'test/browser/officePages.test.ts',
  ])
    assert.equal(closesAll(plan, file), true, file);
  for (const file of [
    'test/http/process.test.ts',
    'test/faults/killSqlite.test.ts',
    'test/postgres.test.ts',
    'bench/smoke.test.ts',
    'src/money/amount.test.ts',
  ]) {
    assert.equal(closesAll(plan, file), false, file);
  }
  assert.equal(needsPostgres(plan, 'test/contract/store.test.ts'), true);
  assert.equal(needsPostgres(plan, 'src/money/amount.test.ts'), false);
  assert.equal(needsBrowser(plan, 'test/browser/demo.test.ts'), true);
  assert.equal(needsBrowser(plan, 'test/http/payments.test.ts'), false);
});

test('tests are registered by test files and by functions they call: a module that is loaded once would register them once', () => {
  const helpers = globSync('{src,test,bench,scripts}/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  assert.ok(helpers.length > 500, `${helpers.length} modules were seen: more than 500`);
  const early = helpers.filter((file) =>
    /^(?:test|describe|it|suite|before|after)(?:\.\w+)?\(/m.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(early, []);
  const imported = files.filter((file) => plan.importsOf(file).some((target) => target.endsWith('.test.ts')));
  assert.deepEqual(imported, []);
});
