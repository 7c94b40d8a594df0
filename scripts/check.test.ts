import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Check, type CheckResult, changedSince, checks, forFiles, runChecks } from './check.ts';

const program = (name: string, text: string): Check => ({ name, words: ['--eval', text] });

async function resultsOf(list: readonly Check[], goesOn: boolean): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  await runChecks(list, (result) => {
    results.push(result);
    return goesOn || result.passed;
  });
  return results;
}

test('every check is reported, with its output', async () => {
  const all = await resultsOf(
    [program('good', ''), program('bad', 'console.error("why"); process.exit(3)'), program('last', '')],
    true,
  );
  assert.deepEqual(all.map(({ name, passed }) => [name, passed]).sort(), [
    ['bad', false],
    ['good', true],
    ['last', true],
  ]);
  assert.match(all.find(({ name }) => name === 'bad')?.output ?? '', /why/);
});

test('the first failure ends the run: a check under way is dropped, the rest never start', async () => {
  const all = await resultsOf(
    [program('endless', 'setInterval(() => {}, 1000)'), program('bad', 'process.exit(1)'), program('last', '')],
    false,
  );
  assert.deepEqual(
    all.map(({ name }) => name),
    ['bad'],
  );
});

test('for changed files the linters check those alone, and a program is checked if it has one of them', () => {
  const programs = { 'src/widget': ['src/spec/languages.ts'], 'src/backoffice': ['src/money/amount.ts'] };
  const list = checks.map((check) => {
    const { program } = check;
    const read = Object.entries(programs).find(([folder]) => folder === program?.folder)?.[1] ?? [];
    return { ...check, ...(program && { program: { ...program, wasRead: (file: string) => read.includes(file) } }) };
  });
  const of = (...files: readonly string[]) =>
    Object.fromEntries(forFiles(list, files).map(({ name, byFile }) => [name, byFile?.paths ?? 'all']));
  const whole = { types: 'all', tidy: 'all', 'dead code': 'all' };
  assert.deepEqual(of('src/money/amount.ts', 'docs/audit.md', 'examples/shop.ts'), {
    ...whole,
    'types of the back office': 'all',
    promises: ['src/money/amount.ts'],
    'lint and format': ['src/money/amount.ts', 'examples/shop.ts'],
  });
  assert.ok('types of the widget' in of('src/widget/frame/new.ts'));
  assert.ok('types of the widget' in of('src/spec/languages.ts'));
  assert.deepEqual(of('package.json'), {
    ...whole,
    'types of the widget': 'all',
    'types of the back office': 'all',
    'lint and format': ['package.json'],
  });
  assert.deepEqual(of('docs/audit.md'), whole);
});

test('changed are the files that differ from a commit and those that git does not know yet, without the removed ones', () => {
  const folder = mkdtempSync(join(tmpdir(), 'changed-'));
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@shop.example', ...words], { cwd: folder });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  try {
    git('init', '-q');
    for (const name of ['same.ts', 'changed.ts', 'staged.ts', 'removed.ts']) write(name, '1');
    git('add', '.');
    git('commit', '-q', '-m', 'begun');
    for (const name of ['changed.ts', 'staged.ts', 'new one.ts']) write(name, '2');
    git('add', 'staged.ts');
    rmSync(join(folder, 'removed.ts'));
    assert.deepEqual(changedSince('HEAD', folder).toSorted(), ['changed.ts', 'new one.ts', 'staged.ts']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('words choose by name, and an unknown name is refused with the list', async () => {
  const ask = (...words: readonly string[]) =>
    new Promise<readonly [number, string]>((resolve) => {
      const child = execFile(process.execPath, [join(import.meta.dirname, 'check.ts'), ...words], (_, stdout) =>
        resolve([child.exitCode ?? -1, stdout]),
      );
    });
  const [code, text] = await ask('promises');
  assert.equal(code, 0, text);
  assert.match(text, /^ok {5}promises, [\d.]+ s\n$/);
  const [other, said] = await ask('nonsense');
  assert.equal(other, 2);
  assert.match(said, /There are: types, promises, tidy, dead code/);
});
