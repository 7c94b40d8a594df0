// The way in for every `npm` command. Plain JavaScript for any Node from 20 on: it installs what is missing, shows that it does, and
// then hands over to the runtime that the package `node` brought along.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const runtime = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const stamp = join(root, 'node_modules', '.turnpike-installed');

const commands = {
  start: { needs: 'production', run: ['src/main.ts'] },
  test: { needs: 'all', run: ['scripts/test.ts'] },
  check: { needs: 'all', run: ['scripts/check.ts'] },
  bench: { needs: 'all', run: ['bench/run.ts'] },
  simulate: { needs: 'all', run: ['test/simulation/run.ts'] },
  docs: { needs: 'all', run: ['scripts/docs.ts'] },
};

const [name, ...words] = process.argv.slice(2);
const command = commands[name];
if (!command) {
  console.error(`usage: node scripts/run.mjs ${Object.keys(commands).join('|')}`);
  process.exit(2);
}
await install(command.needs);
process.exitCode = await hand(runtime, [...command.run, ...words]);

/** Installs exactly the lock file, once; a changed lock file or a wider need installs again. */
async function install(needs) {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  if (existsSync(runtime) && (installed === `${lock} all` || installed === `${lock} ${needs}`)) return;
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1000);
  console.error('Installing what Turnpike needs (once, well under a minute) …');
  const progress = setInterval(() => console.error(`  still installing, ${seconds()} s`), 5000);
  const words = ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...(needs === 'production' ? ['--omit=dev'] : [])];
  const npm = process.env.npm_execpath;
  const code = npm?.endsWith('.js') ? await hand(process.execPath, [npm, ...words]) : await hand('npm', words);
  clearInterval(progress);
  if (code !== 0 || !existsSync(runtime)) {
    console.error(
      'The packages could not be installed: see the lines above. Check the connection to the npm registry and try again.',
    );
    process.exit(1);
  }
  writeFileSync(stamp, `${lock} ${needs}`);
  console.error(`Installed in ${seconds()} s.`);
}

/** Runs a program in the foreground. Ctrl-C reaches it by itself; a signal that only we got is passed on. */
function hand(program, words) {
  return new Promise((resolve) => {
    const child = spawn(program, words, { cwd: root, stdio: 'inherit' });
    for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    process.on('SIGINT', () => {});
    child.on('error', (error) => {
      console.error(`${program}: ${error.message}`);
      resolve(1);
    });
    child.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
}
