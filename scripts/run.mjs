// The entry point of every `npm` command. Plain JavaScript for any Node from 20 on: it installs what is missing, shows progress, and
// then starts the program with the runtime of the package `node`.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binary, findRuntime } from './runtime.mjs';
import { startEnv, startFlags, supervise } from './supervise.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
// A package has no lock file: npm installed what it needs, perhaps in a folder further up, and its programs are JavaScript.
const isPackage = !existsSync(join(root, 'package-lock.json'));

/** A gateway that was asked to end and has not after this long is killed. Beside DRAIN_SECONDS it needs less than half of it. */
const END_MS_MAX = 30_000 + (Number(process.env.DRAIN_SECONDS) || 0) * 1_000;
/** The end of the parent is noticed within this time. */
const PARENT_EVERY_MS = 500;

/** The signals of a terminal reach a tool directly, and it decides what Ctrl-C means. */
const FORWARDED = ['SIGTERM', 'SIGHUP'];
const ALL = [...FORWARDED, 'SIGINT'];

// One for all that this process starts: a signal during the installation or the build also ends the gateway that would follow.
const signals = createSignals();
const runtime = isPackage ? packageRuntime() : join(modules, 'node', binary);

const commands = {
  start: { needs: 'start', run: ['src/main.ts'] },
  test: { needs: 'all', run: ['scripts/test.ts'] },
  assure: { needs: 'all', run: ['scripts/assure.ts'] },
  check: { needs: 'all', run: ['scripts/check.ts'] },
  bench: { needs: 'all', run: ['bench/run.ts'] },
  simulate: { needs: 'all', run: ['test/simulation/run.ts'] },
  mutate: { needs: 'all', run: ['scripts/mutate.ts'] },
  docs: { needs: 'all', run: ['scripts/docs.ts'] },
  badges: { needs: 'all', run: ['test/browser/badgePicture.ts'] },
  pictures: { needs: 'all', run: ['test/browser/pictures.ts'] },
  'new:connector': { needs: 'all', run: ['scripts/newConnector.ts'] },
  turnpike: { needs: 'start', run: ['src/cli/main.ts'] },
  pack: { needs: 'all', run: ['scripts/pack.ts'] },
};

const [called, ...words] = process.argv.slice(2);
// `turnpike` alone starts the gateway, and like `turnpike start` under supervision.
const isStart = called === 'turnpike' && (words.length === 0 || (words.length === 1 && words[0] === 'start'));
if (isStart) words.length = 0;
const name = isStart ? 'start' : called;
const command = commands[name];
if (!command) {
  console.error(`usage: node scripts/run.mjs ${Object.keys(commands).join('|')}`);
  process.exit(2);
}
if (!isPackage) {
  const { install } = await import('./install.mjs');
  const code = await install({ root, needs: command.needs, run: runStep, asked: signals.asked });
  endIfAsked();
  if (code !== 0) process.exit(code);
}
// The tools need the sources that are made from others. The compiler says more about a mistake in a table than the end of its generator.
if (!isPackage && command.needs === 'all') {
  const code = await runStep(runtime, [join(root, 'scripts', 'generated.ts')], root);
  endIfAsked();
  if (code !== 0 && name !== 'check') process.exit(code);
}
const [program, ...given] = command.run;
const source = join(root, isPackage ? program.replace(/\.ts$/, '.js') : program);
const path = name === 'start' ? await findServer(source) : source;
endIfAsked();
process.exitCode = await (name === 'start' ? keepRunning : runProgram)(
  runtime,
  [...(name === 'start' ? startFlags : []), path, ...given, ...words],
  isPackage ? process.cwd() : root,
);

/** A step before the program itself was ended by a signal: nothing more is started, and there is nothing to explain. */
function endIfAsked() {
  const signal = signals.asked();
  if (signal !== null) process.exit(128 + constants.signals[signal]);
}

/**
 * The gateway in a few files instead of a thousand, which is half the start and a third less memory. A package brings it. A checkout builds it
 * when a source has changed; where that fails, the sources run.
 */
async function findServer(source) {
  if (isPackage) return join(root, 'server', 'main.mjs');
  const builds = join(modules, '.cache', 'turnpike', 'server');
  const folder = join(builds, keyOfSources());
  const server = join(folder, 'main.mjs');
  if (existsSync(server)) return server;
  console.error('Building the gateway (after a change, some seconds) …');
  const code = await runStep(runtime, [join(root, 'scripts', 'buildServer.ts'), folder], root);
  if (code === 0 && existsSync(server)) return server;
  if (signals.asked() === null) console.error('The gateway could not be built: it starts from its sources.');
  return source;
}

/** Changes with every source, by its size and time, and with the packages, of which the runtime is one. */
function keyOfSources() {
  const src = join(root, 'src');
  const names = readdirSync(src, { recursive: true }).filter(isSource);
  const files = [...names.map((file) => join('src', file)), 'package-lock.json', join('scripts', 'release', 'bundle.ts')].sort();
  const digest = createHash('sha256').update(`${root}\n`);
  for (const file of files) {
    const { size, mtimeMs } = statSync(join(root, file));
    digest.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return digest.digest('hex').slice(0, 16);
}

/** The tests and the tables of the client, which the tools make, are no part of the gateway. */
function isSource(file) {
  return file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith(join('client', 'generated'));
}

function packageRuntime() {
  const { path, missing } = findRuntime(root);
  if (path) return path;
  console.error(missing);
  process.exit(1);
}

/** Runs a tool in the foreground and returns its exit code. */
async function runProgram(program, words, cwd) {
  // `turnpike listen` runs until it is ended.
  const { code } = await launch(program, words, { cwd, forwards: FORWARDED, isSupervised: name === 'turnpike' });
  return code ?? 1;
}

/** Runs a step before the program itself, which any signal ends. Returns its exit code. */
async function runStep(program, words, cwd) {
  if (signals.asked() !== null) return 1;
  const { code } = await launch(program, words, { cwd, forwards: ALL });
  return code ?? 1;
}

/** The gateway runs until it is asked to end, also through its crashes. */
function keepRunning(program, words, cwd) {
  return supervise({
    run: async () => {
      const end = await launch(program, words, { cwd, forwards: ALL, isSupervised: true, endMs: END_MS_MAX });
      return { ...end, isAsked: signals.asked() !== null };
    },
    sleep: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(signals.asked() !== null), ms);
        signals.listen(() => {
          clearTimeout(timer);
          resolve(true);
        });
      }),
    now: () => performance.now(),
    log: (line) => console.error(line),
  });
}

/**
 * Signals to this process. Ctrl-C reaches a child directly, and a gateway ignores a second one within a second. npm forwards a signal to the
 * shell that it puts between, which ends without forwarding anything, and npm itself may be killed: the end of either counts as SIGTERM.
 */
function createSignals() {
  let [asked, notify] = [null, () => {}];
  const ask = (signal) => {
    if (asked !== null) return;
    asked = signal;
    notify(signal);
  };
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => ask(signal));
  const parents = readParents();
  const watch = () => {
    if (readParents().join() !== parents.join()) ask('SIGTERM');
  };
  setInterval(watch, PARENT_EVERY_MS).unref();
  if (hasLost(parents)) ask('SIGTERM');
  return {
    asked: () => asked,
    /** One listener at a time. */
    listen: (listener) => {
      notify = listener;
      if (asked !== null) listener(asked);
    },
  };
}

/** The parent, and npm above a shell. Linux shows more than the parent; elsewhere the shell makes way for this program. */
function readParents() {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return [parent];
  const [, flag] = readSystem(parent, 'cmdline').split('\0');
  return flag === '-c' ? [parent, statusOf(parent).parent] : [parent];
}

/**
 * npm starts programs in its own session. Where the first process of the system is in its place, in another session, npm ended before this
 * process could look.
 */
function hasLost(parents) {
  const isNpms = process.env.npm_lifecycle_event !== undefined;
  return isNpms && parents.at(-1) === 1 && statusOf(1).session !== statusOf(process.pid).session;
}

function statusOf(pid) {
  const [, parent, , session] = readSystem(pid, 'stat').split(') ').at(-1).split(' ');
  return { parent: Number(parent), session };
}

function readSystem(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Runs a program in the foreground to its end, and forwards signals to it. A program that is supervised has a channel to this process, by
 * which it notices the end of this process, even by SIGKILL (src/app/process/endWithSupervisor.ts).
 */
function launch(program, words, { cwd, forwards, isSupervised = false, endMs }) {
  return new Promise((resolve) => {
    // Two arenas are plenty for a few threads, and save some 15 MB.
    // File names on the command line are relative to where it was typed.
    const from = process.env.INIT_CWD ?? process.cwd();
    const env = { ...startEnv, TURNPIKE_CALLED_FROM: from, ...process.env };
    const stdio = ['inherit', 'inherit', 'inherit', ...(isSupervised ? ['ipc'] : [])];
    const child = spawn(program, words, { cwd, stdio, env });
    let late;
    signals.listen((signal) => {
      if (!forwards.includes(signal)) return;
      child.kill(signal);
      if (endMs) late = setTimeout(() => child.kill('SIGKILL'), endMs);
    });
    const end = (code, signal) => {
      clearTimeout(late);
      signals.listen(() => {});
      resolve({ code, signal });
    };
    child.on('error', (error) => {
      console.error(`${program}: ${error.message}`);
      end(1, null);
    });
    child.on('exit', end);
  });
}
