// The entry point of every `npm` command. Plain JavaScript for any Node from 20 on: it installs what is missing, shows progress, and
// then starts the program with the runtime of the package `node`.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { leanOf } from './lean.mjs';
import { binary, findRuntime } from './runtime.mjs';
import { startEnv, startFlags, supervise } from './supervise.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
// A package has no lock file: npm installed what it needs, perhaps in a folder further up, and its programs are JavaScript.
const isPackage = !existsSync(join(root, 'package-lock.json'));

/** A gateway that was asked to end and has not after this long is killed. Beside DRAIN_SECONDS it needs less than half of it. */
const END_MS_MAX = 30_000 + (Number(process.env.DRAIN_SECONDS) || 0) * 1_000;

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
  pictures: { needs: 'all', run: ['test/browser/pictures.ts'] },
  'new:connector': { needs: 'all', run: ['scripts/newConnector.ts'] },
  turnpike: { needs: 'start', run: ['src/cli/main.ts'] },
  pack: { needs: 'start', run: ['scripts/pack.ts'] },
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
if (!isPackage) await install(command.needs);
const [program, ...given] = command.run;
const source = join(root, isPackage ? program.replace(/\.ts$/, '.js') : program);
const path = name === 'start' ? await findServer(source) : source;
process.exitCode = await (name === 'start' ? keepRunning : runProgram)(
  runtime,
  [...(name === 'start' ? startFlags : []), path, ...given, ...words],
  isPackage ? process.cwd() : root,
);

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
  if ((await runProgram(runtime, [join(root, 'scripts', 'buildServer.ts'), folder], root)) === 0 && existsSync(server))
    return server;
  console.error('The gateway could not be built: it starts from its sources.');
  return source;
}

/** Changes with every source, by its size and time, and with the packages. */
function keyOfSources() {
  const src = join(root, 'src');
  const names = readdirSync(src, { recursive: true }).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const files = [...names.map((file) => join('src', file)), 'package-lock.json', join('scripts', 'release', 'bundle.ts')].sort();
  const digest = createHash('sha256').update(`${root} ${process.version}\n`);
  for (const file of files) {
    const { size, mtimeMs } = statSync(join(root, file));
    digest.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return digest.digest('hex').slice(0, 16);
}

function packageRuntime() {
  const { path, missing } = findRuntime(root);
  if (path) return path;
  console.error(missing);
  process.exit(1);
}

/** Installs the lock file when a package is missing: all of it for the tools or where they are installed, else what `start` needs. */
async function install(needs) {
  const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const whole = { manifest: read('package.json'), lock: read('package-lock.json') };
  const wanted = needs === 'start' ? leanOf(whole.manifest, whole.lock) : whole;
  if (isInstalled(wanted.lock)) return;
  const isLean = needs === 'start' && !existsSync(join(modules, 'typescript'));
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1000);
  console.error('Installing what Turnpike needs (once, well under a minute) …');
  const progress = setInterval(() => console.error(`  still installing, ${seconds()} s`), 5000);
  const code = isLean ? await installLean(wanted) : await npmCi(root);
  clearInterval(progress);
  if (code !== 0 || !existsSync(runtime)) {
    console.error(
      'The packages could not be installed: see the lines above. Check the connection to the npm registry and try again.',
    );
    process.exit(1);
  }
  console.error(`Installed in ${seconds()} s.`);
}

/** Installs the lock file in a folder. Only packages named in `allowScripts` may run install scripts. */
async function npmCi(cwd) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const code = await npm(['ci', '--ignore-scripts', ...quiet], cwd);
  const { allowScripts } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
  const allowed = Object.keys(allowScripts).filter((name) => existsSync(join(cwd, 'node_modules', name)));
  return code === 0 ? npm(['rebuild', '--ignore-scripts=false', '--foreground-scripts', ...quiet, ...allowed], cwd) : code;
}

function npm(words, cwd) {
  const path = process.env.npm_execpath;
  return path?.endsWith('.js') ? runProgram(process.execPath, [path, ...words], cwd) : runProgram('npm', words, cwd);
}

/** npm cannot install a part of a lock file: the part is written to another folder, installed there, and moved in. */
async function installLean({ manifest, lock }) {
  const aside = join(root, '.cache', `install-${process.pid}`);
  mkdirSync(aside, { recursive: true });
  writeFileSync(join(aside, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(aside, 'package-lock.json'), JSON.stringify(lock));
  copyFileSync(join(root, '.npmrc'), join(aside, '.npmrc'));
  const code = await npmCi(aside);
  if (code === 0) {
    rmSync(modules, { recursive: true, force: true });
    renameSync(join(aside, 'node_modules'), modules);
  }
  rmSync(aside, { recursive: true, force: true });
  return code;
}

/** Whether every package of the lock file is in node_modules in its version. */
function isInstalled(lock) {
  const path = join(modules, '.package-lock.json');
  if (!existsSync(runtime) || !existsSync(path)) return false;
  const there = JSON.parse(readFileSync(path, 'utf8')).packages;
  return Object.entries(lock.packages).every(
    ([place, { version, optional, devOptional }]) => place === '' || optional || devOptional || there[place]?.version === version,
  );
}

/** Runs a program in the foreground and returns its exit code. */
async function runProgram(program, words, cwd) {
  const { code } = await launch(program, words, { cwd, signals: createSignals(['SIGTERM', 'SIGHUP']) });
  return code ?? 1;
}

/** The gateway runs until it is asked to end, also through its crashes. */
function keepRunning(program, words, cwd) {
  const signals = createSignals(['SIGTERM', 'SIGHUP', 'SIGINT']);
  return supervise({
    run: async () => {
      const end = await launch(program, words, { cwd, signals, endMs: END_MS_MAX });
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
 * Signals to this process. Ctrl-C reaches a child directly, and a gateway ignores a second one within a second. npm puts a shell between
 * itself and this process, which ends without forwarding anything: its end counts as SIGTERM.
 */
function createSignals(names) {
  let [asked, notify] = [null, () => {}];
  const ask = (signal) => {
    if (asked !== null) return;
    asked = signal;
    notify(signal);
  };
  const parent = process.ppid;
  const orphaned = () => {
    if (process.ppid !== parent) ask('SIGTERM');
  };
  setInterval(orphaned, 500).unref();
  for (const signal of names) process.on(signal, () => ask(signal));
  process.on('SIGINT', () => {});
  return {
    asked: () => asked,
    /** One listener at a time. */
    listen: (listener) => {
      notify = listener;
      if (asked !== null) listener(asked);
    },
  };
}

/** Runs a program in the foreground to its end, and forwards signals to it. */
function launch(program, words, { cwd, signals, endMs }) {
  return new Promise((resolve) => {
    // Two arenas are plenty for a few threads, and save some 15 MB.
    // File names on the command line are relative to where it was typed.
    const from = process.env.INIT_CWD ?? process.cwd();
    const env = { ...startEnv, TURNPIKE_CALLED_FROM: from, ...process.env };
    const child = spawn(program, words, { cwd, stdio: 'inherit', env });
    let late;
    signals.listen((signal) => {
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
