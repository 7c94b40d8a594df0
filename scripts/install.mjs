// Installs the packages of a checkout. Plain JavaScript for any Node from 20 on, like run.mjs.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { leanOf } from './lean.mjs';

const PROGRESS_MS = 5_000;
const POLL_MS = 200;
/** The holder of the lock touches it with every line of progress. One that has not for so long is gone or suspended. */
const LOCK_MS_MAX = 30_000;

/**
 * Installs the lock file when a package is missing: all of it for the tools or where they are installed, else the part that `start` needs.
 * npm works in a folder aside, and a rename puts the result in place: a gateway that runs from node_modules, the runtime that runs this
 * program and a second installer never see half of it. `run(program, words, cwd)` returns an exit code, `asked()` the signal that ends
 * everything. Returns the exit code.
 */
export async function install({ root, needs, run, asked }) {
  const [modules, cache] = [join(root, 'node_modules'), join(root, '.cache')];
  const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const whole = { manifest: read('package.json'), lock: read('package-lock.json') };
  const lean = leanOf(whole.manifest, whole.lock);
  const isThere = () => isInstalled(modules, (needs === 'start' ? lean : whole).lock);
  removeLeftovers(cache);
  if (isThere()) return 0;
  mkdirSync(cache, { recursive: true });
  const lock = await takeLock(join(cache, 'install.lock'), () => asked() !== null || isThere());
  if (lock === null) return 0;
  const aside = join(cache, `install-${process.pid}`);
  try {
    // Another command may have installed everything while this one waited.
    if (isThere()) return 0;
    const isLean = needs === 'start' && !existsSync(join(modules, 'typescript'));
    const seconds = stopwatch();
    console.error('Installing what Turnpike needs (once, well under a minute) …');
    const progress = setInterval(() => {
      lock.touch();
      console.error(`  still installing, ${seconds()} s`);
    }, PROGRESS_MS);
    const code = await npmCi({ ...(isLean ? lean : whole), root, aside, run }).finally(() => clearInterval(progress));
    if (asked() !== null) return 1;
    if (code !== 0) {
      console.error(
        'The packages could not be installed: see the lines above. Check the connection to the npm registry and try again.',
      );
      return 1;
    }
    replace(modules, join(aside, 'node_modules'), join(cache, `replaced-${process.pid}`), isThere);
    console.error(`Installed in ${seconds()} s.`);
    return 0;
  } catch (error) {
    console.error(`The packages could not be put in place: ${error.message}`);
    return 1;
  } finally {
    rmSync(aside, { recursive: true, force: true, maxRetries: 3 });
    lock.release();
  }
}

function stopwatch() {
  const began = performance.now();
  return () => Math.round((performance.now() - began) / 1_000);
}

/** Whether every package of the lock file is in node_modules in its version. */
function isInstalled(modules, lock) {
  const runtime = ['node', 'node.exe'].some((name) => existsSync(join(modules, 'node', 'bin', name)));
  const there = installedIn(modules);
  return (
    runtime &&
    Object.entries(lock.packages).every(
      ([place, { version, optional, devOptional }]) =>
        place === '' || optional || devOptional || there[place]?.version === version,
    )
  );
}

function installedIn(modules) {
  try {
    return JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')).packages;
  } catch {
    return {};
  }
}

/** Installs a lock file, or a part of one, in the folder aside. Only packages named in `allowScripts` may run install scripts. */
async function npmCi({ manifest, lock, root, aside, run }) {
  mkdirSync(aside, { recursive: true });
  writeFileSync(join(aside, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(aside, 'package-lock.json'), JSON.stringify(lock));
  copyFileSync(join(root, '.npmrc'), join(aside, '.npmrc'));
  const path = process.env.npm_execpath;
  const npm = (words) => (path?.endsWith('.js') ? run(process.execPath, [path, ...words], aside) : run('npm', words, aside));
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const code = await npm(['ci', '--ignore-scripts', ...quiet]);
  if (code !== 0) return code;
  const allowed = Object.keys(manifest.allowScripts).filter((name) => existsSync(join(aside, 'node_modules', name)));
  return npm(['rebuild', '--ignore-scripts=false', '--foreground-scripts', ...quiet, ...allowed]);
}

/** Puts the new packages in place of the old ones. Builds and compiled code stay, because their names change with the packages. */
function replace(modules, fresh, old, isThere) {
  if (existsSync(modules)) renameSync(modules, old);
  try {
    renameSync(fresh, modules);
  } catch (error) {
    // Another installer, that took this one for dead, was quicker.
    if (!isThere()) throw error;
  }
  if (existsSync(join(old, '.cache')) && !existsSync(join(modules, '.cache')))
    renameSync(join(old, '.cache'), join(modules, '.cache'));
  rmSync(old, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * The lock is a file with the number of its holder's process. It only saves work: where two take it, because one was suspended, the rename
 * decides. Returns null when `isOver` says so first.
 */
async function takeLock(path, isOver) {
  const own = String(process.pid);
  for (let hasSaid = false; !isOver(); await pause(POLL_MS)) {
    try {
      writeFileSync(path, own, { flag: 'wx' });
      return {
        touch: () => touch(path),
        release: () => {
          if (textOf(path) === own) rmSync(path, { force: true });
        },
      };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned(path)) rmSync(path, { force: true });
    else if (!hasSaid) {
      console.error('Another command is installing the packages; this one waits for it …');
      hasSaid = true;
    }
  }
  return null;
}

/** Between its creation and its first byte the file is empty: then its age decides. */
function isAbandoned(path) {
  try {
    const holder = Number(textOf(path));
    const isOld = Date.now() - statSync(path).mtimeMs > LOCK_MS_MAX;
    return isOld || (holder > 0 && !isAlive(holder));
  } catch {
    return false;
  }
}

function touch(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // It was taken over: the rename at the end decides.
  }
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Folders of installers that were killed. A folder to which npm still writes is left for the next command. */
function removeLeftovers(cache) {
  for (const name of existsSync(cache) ? readdirSync(cache) : []) {
    const [, pid] = /^(?:install|replaced)-(\d+)$/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      rmSync(join(cache, name), { recursive: true, force: true });
    } catch (error) {
      if (error.code !== 'ENOTEMPTY') throw error;
    }
  }
}
