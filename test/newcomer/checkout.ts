import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A checkout as a newcomer has it, with the real scripts behind the npm commands, a few packages of no content, a gateway that only lives, and
 * an npm that installs as the real one does: it empties node_modules first and takes its time. The whole of a newcomer's way, with npm and the
 * registry, is `scripts/newcomer.mjs`.
 */

const root = join(import.meta.dirname, '..', '..');
const SCRIPTS = ['run', 'install', 'lean', 'runtime', 'supervise'];
const BUILT = ['buildServer.ts', 'release/bundle.ts'];

const entry = (version: string, more: object = {}) => ({ version, ...more });
const packages = {
  'node_modules/node': entry('1.0.0'),
  'node_modules/first': entry('1.0.0'),
  'node_modules/second': entry('1.0.0'),
  'node_modules/typescript': entry('1.0.0', { dev: true }),
};
const manifest = {
  name: 'newcomer',
  version: '1.0.0',
  type: 'module',
  scripts: { start: 'node scripts/run.mjs start', test: 'node scripts/run.mjs test' },
  dependencies: { node: '1.0.0', first: '1.0.0', second: '1.0.0' },
  devDependencies: { typescript: '1.0.0' },
  allowScripts: { node: true },
};

/** Like npm, it deletes node_modules before it installs, and the runtime comes with an install script. */
const NPM = `
const { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { execFileSync } = require('node:child_process');
const { join } = require('node:path');
const [, , command] = process.argv;
const place = (name) => join('node_modules', name);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
(async () => {
  appendFileSync(process.env.NPM_LOG, 'npm ' + command + ' ' + process.pid + '\\n');
  await pause(Number(process.env.NPM_MS));
  if (process.env.NPM_FAILS) process.exit(1);
  if (command === 'rebuild') return void execFileSync(process.execPath, [process.env.NPM_PUT_RUNTIME, join('node_modules', 'node', 'bin')]);
  rmSync('node_modules', { recursive: true, force: true });
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  for (const name of Object.keys(packages).filter(Boolean)) {
    mkdirSync(name, { recursive: true });
    writeFileSync(join(name, 'package.json'), '{}');
    await pause(Number(process.env.NPM_MS) / 4);
  }
  writeFileSync(place('.package-lock.json'), JSON.stringify({ packages }));
})();
`;

/** A hard link: a runtime that is deleted while it runs is gone, as with npm. */
const PUT_RUNTIME = `
const { chmodSync, copyFileSync, linkSync, mkdirSync } = require('node:fs');
const { join } = require('node:path');
const [, , folder] = process.argv;
mkdirSync(folder, { recursive: true });
const from = ${JSON.stringify(process.execPath)};
try { linkSync(from, join(folder, 'node')); } catch { copyFileSync(from, join(folder, 'node')); }
`;

/** Its gateway ends with its supervisor by the real module, and says when it lives. */
const gatewayText = `
import { appendFileSync } from 'node:fs';
import { endWithSupervisor } from ${JSON.stringify(join(root, 'src/app/process/endWithSupervisor.ts'))};
if (process.env.DEAF === undefined) endWithSupervisor();
appendFileSync(process.env.NPM_LOG, 'gateway ' + process.pid + '\\n');
console.log('ready');
setInterval(() => {}, 1e6);
`;
const BUILD = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
const folder: string = process.argv[2] ?? '';
appendFileSync(process.env.NPM_LOG ?? '', 'build ' + process.pid + '\\n');
await new Promise((resolve) => setTimeout(resolve, Number(process.env.BUILD_MS)));
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'main.mjs'), ${JSON.stringify(gatewayText)});
`;

/** The Node on the path, outside this project: the one that a newcomer has. */
export const machineNode = (): string =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .find(existsSync) ?? process.execPath;

/** The processes that have this folder as TURNPIKE_NEWCOMER. Linux shows them. */
export const processesOf = (home: string): readonly number[] =>
  readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(`TURNPIKE_NEWCOMER=${home}`)
        ? [Number(name)]
        : [];
    } catch {
      return [];
    }
  });

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

export type Ran = {
  readonly child: ChildProcess;
  /** What it printed so far, on both streams. */
  said(): string;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
};

export type Checkout = {
  readonly folder: string;
  /** Runs a command of the project as npm does: by a shell, with the programs of node_modules first. */
  run(command: 'start' | 'test', env?: Readonly<Record<string, string>>): Ran;
  /** The same through the real npm, or through another program before it. */
  npm(words: readonly string[], env?: Readonly<Record<string, string>>): Ran;
  /** The lines that npm, the build and the gateway wrote: name and process. */
  log(): readonly string[];
  /** What an installation left behind. */
  leftovers(): readonly string[];
  /** Processes of this checkout that live. */
  alive(): readonly number[];
  waitFor(pattern: RegExp, ran?: Ran): Promise<void>;
  gone(): Promise<void>;
  remove(): Promise<void>;
};

const WAIT_MS_MAX = 60_000;

export function makeCheckout(): Checkout {
  const home = mkdtempSync(join(tmpdir(), 'turnpike-newcomer-'));
  const folder = join(home, 'turnpike fräsch');
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const [log, npm, putRuntime] = ['log', 'npm-cli.js', 'putRuntime.cjs'].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ];
  appendFileSync(log, '');
  writeFileSync(npm, NPM);
  writeFileSync(putRuntime, PUT_RUNTIME);
  write('package.json', JSON.stringify(manifest));
  write('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages: { '': manifest, ...packages } }));
  write('.npmrc', '');
  write('src/main.ts', gatewayText);
  write('scripts/test.ts', `import ${JSON.stringify('node:fs')};\nconsole.log('1 passed, 0 failed');\n`);
  write('scripts/generated.ts', '// This checkout has no sources that are made from others.\n');
  for (const name of SCRIPTS) copyFileSync(join(root, `scripts/${name}.mjs`), join(folder, `scripts/${name}.mjs`));
  for (const name of BUILT) write(`scripts/${name}`, BUILD);

  const base = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    NPM_LOG: log,
    NPM_MS: '40',
    NPM_PUT_RUNTIME: putRuntime,
    BUILD_MS: '0',
    // Every process of this checkout can be found by it.
    TURNPIKE_NEWCOMER: home,
  };
  const watch = (child: ChildProcess): Ran => {
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    const ended = new Promise<Awaited<Ran['ended']>>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    return { child, said: () => said, ended };
  };
  const alive = () => processesOf(home);
  const until = async (what: () => string, isSo: () => boolean) => {
    for (const began = performance.now(); !isSo(); await pause(20))
      assert.ok(performance.now() - began < WAIT_MS_MAX, `not within ${WAIT_MS_MAX / 1_000} s: ${what()}`);
  };
  const lines = () => readFileSync(log, 'utf8').split('\n').filter(Boolean);
  return {
    folder,
    run(command, env = {}) {
      const programs = [join(folder, 'node_modules/node/bin'), dirname(machineNode())].join(delimiter);
      const words = ['-c', `exec node scripts/run.mjs ${command}`];
      const own = { ...base, PATH: `${programs}${delimiter}${base.PATH}`, npm_execpath: npm, ...env };
      return watch(spawn('/bin/sh', words, { cwd: folder, env: own, stdio: ['ignore', 'pipe', 'pipe'] }));
    },
    npm([program = 'npm', ...words], env = {}) {
      const path = base.PATH.split(delimiter).filter((it) => !it.includes('node_modules'));
      const own = { ...base, PATH: path.join(delimiter), npm_config_update_notifier: 'false', ...env };
      return watch(spawn(program, words, { cwd: folder, env: own, stdio: ['ignore', 'pipe', 'pipe'], detached: true }));
    },
    log: lines,
    leftovers: () => (existsSync(join(folder, '.cache')) ? readdirSync(join(folder, '.cache')) : []),
    alive,
    waitFor: (pattern, ran) =>
      until(
        () => `${pattern}\n${lines().join('\n')}\n${ran?.said() ?? ''}`,
        () => pattern.test(`${lines().join('\n')}\n${ran?.said() ?? ''}`),
      ),
    gone: () =>
      until(
        () => `processes ${alive().join()} live: ${lines().join('; ')}`,
        () => alive().length === 0,
      ),
    async remove() {
      // A process that is just being started is found by the next look.
      for (let found = alive(); found.length > 0; found = alive()) {
        for (const pid of found) kill(pid);
        await pause(20);
      }
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Puts the packages in place without an installation: the runtime, and what a start builds. */
export function installed(checkout: Checkout): Checkout {
  const modules = join(checkout.folder, 'node_modules');
  for (const place of Object.keys(packages)) mkdirSync(join(checkout.folder, place), { recursive: true });
  writeFileSync(join(modules, '.package-lock.json'), JSON.stringify({ packages }));
  mkdirSync(join(modules, 'node/bin'));
  try {
    linkSync(process.execPath, join(modules, 'node/bin/node'));
  } catch {
    copyFileSync(process.execPath, join(modules, 'node/bin/node'));
  }
  return checkout;
}
