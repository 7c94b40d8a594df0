import assert from 'node:assert/strict';
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from './freePort.ts';
import { assertBackOffice, assertPays, assertWidget, installRelease, packRelease, startRelease } from './packageFixture.ts';

/**
 * The container image: built by buildah from deploy/Containerfile on a Debian that is made here, and run from its own files by bubblewrap, as its
 * user, with a root that can only be read. Runtimes for containers need more rights than a test has.
 */

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);
const TOOLS = ['buildah', 'bwrap', 'debootstrap'];
const isMissing = TOOLS.some((tool) => spawnSync(tool, ['--version']).error !== undefined) || process.getuid?.() !== 0;
const options = isMissing ? { skip: `needs root, and Debian's packages ${TOOLS.join(', ')} (bubblewrap)` } : {};

const folder = mkdtempSync(join(tmpdir(), 'turnpike-image-'));
const [dist, base, home] = ['dist', 'base', 'home'].map((name) => join(folder, name)) as [string, string, string];
const storage = ['--storage-driver', 'vfs', '--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
const buildah = async (...words: string[]): Promise<string> =>
  (await run('buildah', [...storage, ...words], { maxBuffer: 16_777_216 })).stdout.trim();

type Image = {
  readonly config: {
    readonly User: string;
    readonly Entrypoint: readonly string[];
    readonly Cmd: readonly string[];
    readonly Env: readonly string[];
    readonly ExposedPorts: object;
    readonly Volumes: object;
    readonly Healthcheck: { readonly Test: readonly string[] };
  };
};
let [place, image]: [string, Image | null] = ['', null];
const config = (): Image['config'] => (image ?? assert.fail('not built')).config;
const SIZE_MAX = 300_000_000;
/** Of the 5 seconds in which an image has to be ready. Processor time, so that other work on the machine does not count. */
const READY_CPU_SECONDS_MAX = 4;

/** The Node and npm on the path, for the build stage. */
function addNpm(): void {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((it) => !it.includes('node_modules'));
  const placeOf = (name: string) => realpathSync(folders.map((it) => join(it, name)).find(existsSync) ?? assert.fail(name));
  cpSync(placeOf('node'), join(base, 'usr/bin/node'));
  cpSync(dirname(dirname(placeOf('npm'))), join(base, 'usr/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr/bin/npm'));
}

before(async () => {
  if (isMissing) return;
  await packRelease(dist);
  // The build takes packages from npm's cache, and this fills it.
  await installRelease(dist, home, ['--ignore-scripts']);
  await run('debootstrap', ['--variant=minbase', '--include=libatomic1', 'bookworm', base], { maxBuffer: 16_777_216 });
  addNpm();
  const container = await buildah('from', 'scratch');
  await buildah('add', '-q', container, base, '/');
  await buildah('commit', '-q', container, 'localhost/base');
  const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
  const given = [
    '--build-arg',
    'BUILD_IMAGE=localhost/base',
    '--build-arg',
    'NPM_FLAGS=--offline',
    '--volume',
    `${cache}:/root/.npm`,
  ];
  const file = join(root, 'deploy/Containerfile');
  await buildah('bud', '--isolation', 'chroot', '--format', 'docker', ...given, '-f', file, '-t', 'turnpike', dist);
  image = (JSON.parse(await buildah('inspect', '--type', 'image', 'turnpike')) as { readonly Docker: Image }).Docker;
  place = await buildah('mount', await buildah('from', 'turnpike'));
});

after(() => {
  if (!isMissing) spawnSync('buildah', [...storage, 'umount', '--all']);
  // More than a gigabyte in many files: another process removes it.
  spawn('rm', ['-rf', folder], { detached: true, stdio: 'ignore' }).unref();
});

/** Words that run a program of the image: its user, its files without the right to write, `/data` and `/tmp` beside them. */
function inImage(dataDir: string, settings: Readonly<Record<string, string>>): readonly string[] {
  const own = Object.fromEntries(
    config().Env.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const [uid = '', gid = ''] = config().User.split(':');
  return [
    ...[
      '--ro-bind',
      place,
      '/',
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      '--tmpfs',
      '/tmp',
      '--bind',
      dataDir,
      '/data',
      '--chdir',
      '/data',
    ],
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--uid', uid, '--gid', gid, '--die-with-parent', '--clearenv'],
    ...Object.entries({ ...own, ...settings }).flatMap(([name, text]) => ['--setenv', name, text]),
  ];
}

test('it is small, and has no shell and no package manager', options, async () => {
  const [{ size } = { size: '' }] = JSON.parse(await buildah('images', '--json', 'localhost/turnpike')) as {
    readonly size: string;
  }[];
  assert.match(size, /^[\d.]+ MB$/);
  assert.ok(Number.parseFloat(size) * 1_000_000 <= SIZE_MAX, size);
  const bare = ['bin/sh', 'usr/bin/sh', 'bin/bash', 'usr/bin/npm', 'usr/bin/apt', 'etc/shadow'];
  assert.deepEqual(
    bare.filter((path) => existsSync(join(place, path))),
    [],
  );
});

test('it says what it is', options, () => {
  const { User, Entrypoint, Cmd, ExposedPorts, Volumes, Healthcheck } = config();
  assert.equal(User, '10001:10001');
  assert.deepEqual(Cmd, ['start']);
  assert.deepEqual(Object.keys(ExposedPorts), ['8080/tcp', '8081/tcp']);
  assert.deepEqual(Object.keys(Volumes), ['/data']);
  for (const path of [...Entrypoint, ...Healthcheck.Test.slice(1)]) assert.ok(existsSync(join(place, path)), path);
  assert.match(readFileSync(join(place, 'etc/passwd'), 'utf8'), /^turnpike:x:10001:10001:/);
});

/** Seconds of processor time of a process and its children, from the fields of /proc. */
function cpuSecondsOf({ pid }: ChildProcess): number {
  const children = execFileSync('ps', ['-o', 'cputimes=', '--pid', `${pid}`, '--ppid', `${pid}`], { encoding: 'utf8' });
  return children.split('\n').reduce((sum, line) => sum + Number(line), 0);
}

test('it starts on a root that can only be read, is soon ready, and pays', options, async () => {
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const [port, officePort] = [String(await freePort()), String(await freePort())];
  const words = inImage(dataDir, { HOST: '127.0.0.1', PORT: port, BACKOFFICE_PORT: officePort });
  const began = performance.now();
  const started = await startRelease('bwrap', [...words, ...config().Entrypoint, ...config().Cmd], process.env, folder);
  console.log(`the image was ready after ${Math.round(performance.now() - began)} ms`);
  assert.ok(cpuSecondsOf(started.child) <= READY_CPU_SECONDS_MAX, `${cpuSecondsOf(started.child)} s`);
  await assertPays(started.url);
  await assertBackOffice(started.backOfficeUrl);
  await assertWidget(started.url);
  const [, ...check] = config().Healthcheck.Test;
  assert.match((await run('bwrap', [...words, ...check])).stdout, /"status":"ready"/);
  const write = "try { require('fs').writeFileSync('/opt/turnpike/x', ''); } catch (error) { console.log(error.code); }";
  assert.equal((await run('bwrap', [...words, '/usr/bin/node', '-e', write])).stdout, 'EROFS\n');
  const isOver = once(started.child, 'exit');
  started.child.kill('SIGTERM');
  await isOver;
  const free = inImage(dataDir, { PORT: port });
  await assert.rejects(run('bwrap', [...free, ...check]), { code: 1 }, 'the check fails when nothing answers');
});
