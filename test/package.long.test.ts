import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isPublished } from '../scripts/release/publication.ts';
import { RUNTIME_VERSION } from '../scripts/release/runtimePackages.ts';
import { readVersion } from '../src/version.ts';
import { assertPays, installRelease, packRelease, startRelease, TARBALL } from './packageFixture.ts';

/** The npm package with everything that npm installs by default, started by `npx` with the Node that runs npm. */

const folder = mkdtempSync(join(tmpdir(), 'turnpike-package-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const [dist, whole, bare] = ['dist', 'whole', 'bare'].map((name) => join(folder, name)) as [string, string, string];
const env = { PATH: process.env.PATH, HOME: folder, npm_config_cache: join(folder, 'cache') };

/** The package itself, those that it names, the runtime, and three optional ones of others. */
const INSTALLED_MAX = 17;

before(() => packRelease(dist));

/** The Node on the path, outside this project: the one that a user has. */
function systemNode(): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((it) => !it.includes('node_modules'));
  return folders.map((it) => join(it, 'node')).find(existsSync) ?? assert.fail('no Node on the path');
}

test('npx starts it with the runtime that the package brings, whatever Node the user has', async (t) => {
  // The commands of the page, with the file instead of the name that a registry knows.
  const page = readFileSync(join(import.meta.dirname, '../docs/installing.md'), 'utf8');
  const named = isPublished ? 'turnpike' : `../turnpike/dist/${TARBALL}`;
  const [, commands = ''] =
    new RegExp(`\`\`\`sh\\n(npm install --ignore-scripts ${RegExp.escape(named)}\\nnpx turnpike --version)`).exec(page) ?? [];
  mkdirSync(whole);
  const words = ['-ec', commands.replace(named, `--prefer-offline '${join(dist, TARBALL)}'`)];
  assert.ok(execFileSync('/bin/sh', words, { cwd: whole, encoding: 'utf8' }).trim().endsWith(readVersion()), commands);
  const started = await startRelease('npx', ['turnpike'], { ...env, PORT: '0', BACKOFFICE_PORT: '0' }, whole);
  t.after(() => started.child.kill('SIGTERM'));
  await assertPays(started.url);
  const running = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n');
  const line =
    running.find((it) => it.includes(join(whole, 'node_modules/turnpike/server/main.mjs'))) ?? assert.fail(running.join('\n'));
  const pid = Number.parseInt(line, 10);
  const runtime = readlinkSync(`/proc/${pid}/exe`);
  assert.match(runtime, /node_modules\/node-[a-z0-9-]+\/bin\/node$/);
  assert.equal(execFileSync(runtime, ['--version'], { encoding: 'utf8' }).trim(), `v${RUNTIME_VERSION}`);
  // npx does not wait for what it has started: the gateway notices its end and shuts down.
  started.child.kill('SIGTERM');
  while (existsSync(`/proc/${pid}`)) await pause(100);
  const names = globSync('node_modules/{*,@*/*}/package.json', { cwd: whole }).map(dirname);
  assert.ok(names.length > 10 && names.length <= INSTALLED_MAX, names.join());
});

test('an old Node without that runtime is told what is missing; a new one does', async () => {
  await installRelease(dist, bare, ['--omit=optional', '--ignore-scripts']);
  const program = join(bare, 'node_modules/turnpike/scripts/turnpike.mjs');
  const node = systemNode();
  const major = Number(execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).split('.')[0]);
  if (major < 26)
    assert.throws(
      () => execFileSync(node, [program, '--version'], { env: { PATH: dirname(node) }, stdio: 'pipe' }),
      /Turnpike needs Node 26 or newer here; this is \d+[\d.]+; install node-[\w-]+@26\.\d+\.\d+ beside it, or use a newer Node\./,
    );
  mkdirSync(join(folder, 'anywhere'));
  const words = [program, '--version'];
  assert.match(execFileSync(process.execPath, words, { cwd: join(folder, 'anywhere'), encoding: 'utf8' }), /^\d+\.\d+\.\d+/);
});
