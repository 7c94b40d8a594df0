import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { leanOf } from '../scripts/lean.mjs';
import { lock, manifest } from '../scripts/release/packages.ts';
import { RUNTIME_PACKAGES, RUNTIME_VERSION } from '../scripts/release/runtimePackages.ts';

/** What only the registry knows. */

const folder = mkdtempSync(join(tmpdir(), 'turnpike-release-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** npm reports an unusable endpoint, and vulnerabilities, by its exit code; what it prints tells them apart. */
const npm = (words: readonly string[], cwd = folder): Promise<string> =>
  new Promise((resolve) => {
    execFile('npm', [...words], { cwd, maxBuffer: 16_777_216 }, (_, stdout) => resolve(stdout));
  });

test('no released package has a known vulnerability of high or critical severity', async (context) => {
  const lean = leanOf(manifest, lock);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(lean.manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lean.lock));
  type Severities = Readonly<Record<'high' | 'critical', number>>;
  type Audit = { readonly metadata?: { readonly vulnerabilities: Severities }; readonly vulnerabilities?: object };
  const { metadata, vulnerabilities } = JSON.parse((await npm(['audit', '--json', '--audit-level=high'])) || '{}') as Audit;
  if (!metadata) return context.skip('this registry has no audit');
  const { high, critical } = metadata.vulnerabilities;
  assert.deepEqual({ high, critical }, { high: 0, critical: 0 }, JSON.stringify(vulnerabilities));
});

test('every released package has a signature of the registry', async (context) => {
  // Its keys first: npm reads them there too, and without any it says nothing about a package.
  const registry = (await npm(['config', 'get', 'registry'])).trim();
  const keys = await fetch(new URL('-/npm/v1/keys', registry), { signal: AbortSignal.timeout(20_000) }).catch(() => null);
  if (!keys?.ok) return context.skip('this registry has no keys');
  const lean = leanOf(manifest, lock);
  const installed = join(folder, 'installed');
  mkdirSync(installed);
  writeFileSync(join(installed, 'package.json'), JSON.stringify(lean.manifest));
  writeFileSync(join(installed, 'package-lock.json'), JSON.stringify(lean.lock));
  await npm(['ci', '--ignore-scripts', '--omit=dev'], installed);
  type Signatures = { readonly invalid?: readonly object[]; readonly missing?: readonly object[] };
  const { invalid, missing } = JSON.parse(await npm(['audit', 'signatures', '--json'], installed)) as Signatures;
  assert.deepEqual({ invalid, missing }, { invalid: [], missing: [] });
});

test('the registry has the runtime of every platform, with the checksum that a release names', async () => {
  for (const { name, os, cpu, integrity } of RUNTIME_PACKAGES) {
    const its = JSON.parse(await npm(['view', `${name}@${RUNTIME_VERSION}`, 'dist.integrity', 'os', 'cpu', '--json']));
    assert.deepEqual([its['dist.integrity'], its.os, its.cpu].flat(), [integrity, os, cpu], name);
  }
});
