// The way in for every `npm` command. Plain JavaScript for any Node from 20 on: it installs what is missing, shows that it does, and
// then hands over to the runtime that the package `node` brought along.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const runtime = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

const commands = {
  start: { needs: 'production', run: ['src/main.ts'] },
  test: { needs: 'all', run: ['scripts/test.ts'] },
  assure: { needs: 'all', run: ['scripts/test.ts', '--all'] },
  check: { needs: 'all', run: ['scripts/check.ts'] },
  bench: { needs: 'all', run: ['bench/run.ts'] },
  simulate: { needs: 'all', run: ['test/simulation/run.ts'] },
  docs: { needs: 'all', run: ['scripts/docs.ts'] },
  turnpike: { needs: 'production', run: ['src/cli/main.ts'] },
};

const [name, ...words] = process.argv.slice(2);
const command = commands[name];
if (!command) {
  console.error(`usage: node scripts/run.mjs ${Object.keys(commands).join('|')}`);
  process.exit(2);
}
await install(command.needs);
process.exitCode = await hand(runtime, [...command.run, ...words]);

/** Installs exactly the lock file when something of it is missing. What is there stays: a checkout with tools keeps its tools. */
async function install(needs) {
  if (isInstalled(needs)) return;
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1000);
  console.error('Installing what Turnpike needs (once, well under a minute) …');
  const progress = setInterval(() => console.error(`  still installing, ${seconds()} s`), 5000);
  const isLean = needs === 'production' && !existsSync(join(root, 'node_modules'));
  const words = ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...(isLean ? ['--omit=dev'] : [])];
  const npm = process.env.npm_execpath;
  const code = npm?.endsWith('.js') ? await hand(process.execPath, [npm, ...words]) : await hand('npm', words);
  clearInterval(progress);
  if (code !== 0 || !existsSync(runtime)) {
    console.error(
      'The packages could not be installed: see the lines above. Check the connection to the npm registry and try again.',
    );
    process.exit(1);
  }
  console.error(`Installed in ${seconds()} s.`);
}

/** Whether every package of the lock file that is needed here stands in node_modules in its version. */
function isInstalled(needs) {
  const packagesOf = (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages;
  if (!existsSync(runtime) || !existsSync(join(root, 'node_modules', '.package-lock.json'))) return false;
  const there = packagesOf('node_modules/.package-lock.json');
  return Object.entries(packagesOf('package-lock.json')).every(([path, { version, dev, optional, devOptional }]) => {
    const isNeeded = path !== '' && !optional && !devOptional && (needs === 'all' || !dev);
    return !isNeeded || there[path]?.version === version;
  });
}

/**
 * Runs a program in the foreground. Ctrl-C reaches it by itself; a signal that only we got is passed on, and so is the end of the shell
 * that npm put between itself and us, which dies without a word.
 */
function hand(program, words) {
  return new Promise((resolve) => {
    // Two arenas are plenty for a few threads, and save some 15 MB.
    // Files that are named on the command line are meant from where it was typed.
    const from = process.env.INIT_CWD ?? process.cwd();
    const env = { MALLOC_ARENA_MAX: '2', TURNPIKE_CALLED_FROM: from, ...process.env };
    const child = spawn(program, words, { cwd: root, stdio: 'inherit', env });
    const parent = process.ppid;
    let isTold = false;
    const tell = (signal) => {
      if (!isTold) isTold = child.kill(signal);
    };
    const orphaned = setInterval(() => {
      if (process.ppid !== parent) tell('SIGTERM');
    }, 500);
    for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => tell(signal));
    process.on('SIGINT', () => {});
    const end = (code) => {
      clearInterval(orphaned);
      resolve(code);
    };
    child.on('error', (error) => {
      console.error(`${program}: ${error.message}`);
      end(1);
    });
    child.on('exit', (code, signal) => end(code ?? (signal ? 1 : 0)));
  });
}
