// Does with a clone what a newcomer does, in the order of the README: `npm start` and the payment that it prints, the same again, the package in an
// empty folder, and `npm test`, whose output comes last and whose exit code counts. `.ci/run` is this. Plain JavaScript for any Node from 20
// on: at its beginning nothing is installed. The words given go to `npm test`.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** A first start downloads the packages and builds; npm run pack downloads all of them. */
const STEP_MS_MAX = Number(process.env.NEWCOMER_MS_MAX ?? 600_000);
/** A gateway that was asked to end is gone within this time. */
const END_MS_MAX = Math.min(STEP_MS_MAX, 60_000);
const KILL_MS = Math.min(STEP_MS_MAX, 10_000);
const POLL_MS = 50;
/** Folders that a clone does not have. */
const NOT_CLONED = ['.git', '.cache', 'node_modules', 'dist', 'data'];
const TAIL_LINES = 40;

const box = mkdtempSync(join(tmpdir(), 'turnpike-newcomer-'));
/** The groups of processes that live, by the process that leads each. */
const groups = new Set();
let asked = null;
for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'])
  process.on(signal, () => {
    asked ??= signal;
    for (const pid of groups) send(pid, signal);
  });

class StepFailed extends Error {}

function send(pid, signal) {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** Starts a program as the leader of a group, so that everything that it started can be found and ended. */
function launch([program, ...words], { cwd, env = {}, stdio = ['ignore', 'pipe', 'pipe'] }) {
  if (asked !== null) throw new StepFailed(`ended by ${asked}`);
  const child = spawn(program, words, { cwd, env: { ...process.env, ...env }, stdio, detached: true });
  if (child.pid) groups.add(child.pid);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  const ran = { pid: child.pid, said: () => said, end: null };
  child.once('error', (error) => {
    said += error.message;
    ran.end ??= { code: 1, signal: null };
  });
  // `close`: its last words have been read.
  child.once(stdio === 'inherit' ? 'exit' : 'close', (code, signal) => {
    ran.end ??= { code, signal };
  });
  return ran;
}

async function until(isSo, ms, what) {
  for (const began = performance.now(); !isSo(); await pause(POLL_MS)) {
    if (asked !== null) throw new StepFailed(`ended by ${asked}`);
    if (performance.now() - began > ms) throw new StepFailed(`${what} took longer than ${Math.round(ms / 1_000)} s`);
  }
}

/** Runs one step, says how long it took, and on a failure what it printed. */
async function step(name, words, options, work) {
  const began = performance.now();
  const ran = launch(words, options);
  try {
    await work(ran);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    throw new StepFailed([`${name}: ${error.message}`, ...ran.said().trimEnd().split('\n').slice(-TAIL_LINES)].join('\n  '));
  }
  console.log(`${name}: ${Math.round((performance.now() - began) / 1_000)} s`);
}

/** A command that ends by itself. */
const finish = (name, words, options) =>
  step(name, words, options, async (ran) => {
    await until(() => ran.end !== null, STEP_MS_MAX, 'it');
    if (ran.end.code !== 0) throw new StepFailed(`exit ${ran.end.code ?? ran.end.signal}`);
    groups.delete(ran.pid);
  });

/** A gateway: waits until it is ready, makes the payment that it prints, and ends it. Nothing of it may be left. */
const serve = (name, words, { cwd, unless }) =>
  step(name, words, { cwd, env: { PORT: '0', BACKOFFICE_PORT: '0', DATA_DIR: join(box, 'data') } }, async (ran) => {
    await until(() => ran.end !== null || /^Ctrl-C/m.test(ran.said()), STEP_MS_MAX, 'the start');
    if (ran.end !== null) throw new StepFailed(`it ended before it was ready: exit ${ran.end.code ?? ran.end.signal}`);
    if (unless?.test(ran.said())) throw new StepFailed(`it installs or builds again: ${unless.exec(ran.said())[0]}`);
    const code = await pay(ran.said());
    if (!code.startsWith('000.1')) throw new StepFailed(`the payment that it prints was not made: ${code}`);
    process.kill(ran.pid, 'SIGTERM');
    await until(() => !send(ran.pid, 0), END_MS_MAX, 'its end');
    groups.delete(ran.pid);
  });

/** Sends the command that the start prints. Returns the result code, or the answer that came instead. */
async function pay(printed) {
  const [, url, name, value, body] = /^ *curl (\S+) -H '([^:']+): ([^']+)' -d '([^']+)'/m.exec(printed) ?? [];
  if (!url) throw new StepFailed('the start printed no payment');
  const headers = { [name]: value, 'content-type': 'application/x-www-form-urlencoded' };
  try {
    const text = await (await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(END_MS_MAX) })).text();
    return /"code":\s*"([\d.]+)"/.exec(text)?.[1] ?? text.slice(0, 300);
  } catch (error) {
    return error.message;
  }
}

async function endEverything() {
  for (const pid of groups) send(pid, 'SIGTERM');
  for (let waited = 0; [...groups].some((pid) => send(pid, 0)); waited += POLL_MS) {
    if (waited > KILL_MS) for (const pid of groups) send(pid, 'SIGKILL');
    await pause(POLL_MS);
  }
}

async function run() {
  await serve('npm start, and a payment', ['npm', 'start'], { cwd: root });
  await serve('npm start again, and a payment', ['npm', 'start'], { cwd: root, unless: /Installing|Building/ });

  // In a clone of its own, where nothing is installed.
  const clone = join(box, 'turnpike fräsch');
  const isCloned = (path) => !NOT_CLONED.includes(relative(root, path));
  cpSync(root, clone, { recursive: true, filter: isCloned });
  await finish('npm run pack', ['npm', 'run', 'pack'], { cwd: clone });
  const shop = join(box, 'shop');
  mkdirSync(shop);
  const [tarball] = readdirSync(join(clone, 'dist')).filter((file) => file.endsWith('.tgz'));
  await finish('npm init', ['npm', 'init', '-y'], { cwd: shop });
  await finish('npm install of the tarball', ['npm', 'install', join(clone, 'dist', tarball)], { cwd: shop });
  await serve('npx turnpike, and a payment', ['npx', 'turnpike'], { cwd: shop });
  rmSync(clone, { recursive: true, force: true });

  const words = process.argv.slice(2);
  const tests = launch(['npm', 'test', ...(words.length > 0 ? ['--', ...words] : [])], { cwd: root, stdio: 'inherit' });
  while (tests.end === null) await pause(POLL_MS);
  return tests.end.code ?? 128 + constants.signals[tests.end.signal];
}

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(error.message);
  process.exitCode = asked === null ? 1 : 128 + constants.signals[asked];
} finally {
  await endEverything();
  rmSync(box, { recursive: true, force: true, maxRetries: 5 });
}
