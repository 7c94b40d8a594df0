import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { leanOf } from '../../scripts/lean.mjs';
import { reachOf } from '../../scripts/reach.ts';
import { lock, manifest } from '../../scripts/release/packages.ts';

/** Every npm command finds the packages that it loads after the part of the lock file that it names as `needs` in scripts/run.mjs. */

const root = join(import.meta.dirname, '..', '..');
/** Empty for a file of the package that only its build writes. */
const textOf = (file: string): string => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '');
const rows = [...textOf('scripts/run.mjs').matchAll(/^ {2}'?([\w:]+)'?: \{ needs: '(\w+)', run: \['([^']+)'/gm)].map(
  ([, name = '', needs = '', program = '']) => ({ name, needs, program }),
);
/** The programs that run.mjs itself starts before one of the commands. */
const BEFORE: Readonly<Record<string, readonly string[]>> = { start: ['scripts/buildServer.ts'] };

const leanNames = new Set(
  Object.keys(leanOf(manifest, lock).lock.packages).map((place) => place.slice(place.lastIndexOf('node_modules/') + 13)),
);

/** Also a scope whose packages are named one by one. */
const isLean = (name: string): boolean => leanNames.has(name) || [...leanNames].some((one) => one.startsWith(`${name}/`));

/** Packages that programs import, and those whose files they name. */
function packagesOf(programs: readonly string[]): ReadonlyMap<string, string> {
  const { files, packages } = reachOf(programs, textOf, []);
  const named = [...files].flatMap((file) =>
    [...textOf(file).matchAll(/'node_modules',\s*'([^']+)'|node_modules\/((?:@[\w-]+\/)?[\w-]+)\/bin/g)].map(
      ([, one, other]): [string, string] => [one ?? other ?? '', file],
    ),
  );
  return new Map([...packages, ...named.filter(([name]) => !name.startsWith('.'))]);
}

const missingIn = (programs: readonly string[]): readonly string[] =>
  [...packagesOf(programs)].filter(([name]) => !isLean(name)).map(([name, file]) => `${name} (${file})`);

test('the table of commands was read', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: object };
  assert.deepEqual(rows.map(({ name }) => name).sort(), Object.keys(scripts).sort());
  assert.deepEqual(
    rows
      .filter(({ needs }) => needs === 'start')
      .map(({ name }) => name)
      .sort(),
    ['start', 'turnpike'],
  );
});

for (const { name, program } of rows.filter(({ needs }) => needs === 'start'))
  test(`npm run ${name} loads no package that a fresh clone does not have`, () =>
    assert.deepEqual(missingIn([program, ...(BEFORE[name] ?? [])]), []));

test('control: with the packages of a start, npm run pack and the tests would miss the compiler', () => {
  assert.match(missingIn(['scripts/pack.ts']).join(), /typescript-7 \(scripts\/release\/libraries\.ts\)/);
  assert.match(missingIn(['scripts/test.ts']).join(), /oxlint/);
});
