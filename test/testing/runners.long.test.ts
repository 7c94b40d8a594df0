import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onlyLong } from '../long.ts';
import { packRelease, TARBALL } from '../packageFixture.ts';
import { END_MS_MAX } from './ends.ts';

/**
 * Jest and Vitest from the registry run the programs of docs/testing.md with the packed `turnpike/testing`: with a gateway for each file, with one for all,
 * and without a `close`. The runner has to end by itself. Skipped where the registry cannot be reached.
 */

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'turnpike-runners-'));
const nodeFolder = dirname(process.execPath);
const env = { ...process.env, PATH: `${nodeFolder}:${process.env.PATH ?? ''}`, NO_COLOR: '1', CI: 'true' };

/** Versions of some age: one of yesterday may need a package that a mirror does not have yet. */
const AGE = '--min-release-age=28';

async function install(): Promise<void> {
  await packRelease(join(folder, 'release'));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const words = [
    'install',
    AGE,
    '--prefer-offline',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    'jest@30',
    'vitest@4',
    `./release/${TARBALL}`,
  ];
  await run('npm', words, { cwd: folder, env, maxBuffer: 16_777_216 });
}

const skip =
  onlyLong ||
  (await install().then(
    () => false as const,
    (error: Error) => `Jest and Vitest cannot be had: ${error.message.split('\n').slice(0, 3).join(' ')}`,
  ));

const page = readFileSync(join(root, 'docs', 'testing.md'), 'utf8');
/** A program of the page, by the name in its first line. */
function programOf(name: string): string {
  const found = [...page.matchAll(/```[jt]s\n\/\/ ([\w.-]+)\n([\s\S]*?)```/g)].find(([, its]) => its === name);
  return found?.[2] ?? assert.fail(`docs/testing.md has no ${name}`);
}

type Runner = {
  readonly config: string;
  readonly file: string;
  readonly words: readonly (readonly string[])[];
  readonly summary: RegExp;
};
const RUNNERS: Readonly<Record<string, Runner>> = {
  jest: {
    config: 'jest.config.cjs',
    file: 'payment.jest.test.js',
    // In the process of the runner nothing ends a test that does not end by itself.
    words: [['jest'], ['jest', '--runInBand']],
    summary: /^Tests: +(\d+) passed, (\d+) total/m,
  },
  vitest: {
    config: 'vitest.config.mjs',
    file: 'payment.vitest.test.ts',
    words: [['vitest', 'run']],
    summary: /^ +Tests +(\d+) passed \((\d+)\)/m,
  },
};
const FILES = 3;

function place(name: string, { config, file }: Runner, isShared: boolean, change: (text: string) => string): string {
  const project = join(folder, name);
  mkdirSync(project);
  // Everything is found above, as in a workspace; the configuration names a module of it.
  symlinkSync(join(folder, 'node_modules'), join(project, 'node_modules'));
  writeFileSync(join(project, 'package.json'), '{"private":true}');
  const own = config.endsWith('.cjs') ? 'module.exports = {};' : 'export default {};';
  writeFileSync(join(project, config), isShared ? programOf(config) : own);
  for (let count = 0; count < FILES; count += 1) writeFileSync(join(project, `${count}.${file}`), change(programOf(file)));
  return project;
}

/** Runs a runner. `endMs` is the time from its summary to its end; null: it did not end. */
async function watch(cwd: string, words: readonly string[], summary: RegExp) {
  const child = spawn('npx', ['--no-install', ...words], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(child, 'exit');
  let [printed, summarisedAt] = ['', 0];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (summarisedAt === 0 && summary.test(printed)) summarisedAt = performance.now();
    });
  const began = performance.now();
  const isOver = () => summarisedAt > 0 && performance.now() - summarisedAt > 2 * END_MS_MAX;
  let code: number | null | undefined;
  while (code === undefined && !isOver() && performance.now() - began < 120_000)
    [code] = (await Promise.race([exit, pause(50, [undefined])])) as [number | null | undefined];
  const endMs = code === undefined ? null : performance.now() - summarisedAt;
  if (code === undefined) process.kill(-(child.pid ?? assert.fail()), 'SIGKILL');
  await exit;
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  return { code, endMs, printed };
}

const withoutClose = (text: string): string => {
  const changed = text.replace(/^afterAll\(.*\n/m, '');
  assert.notEqual(changed, text);
  return changed;
};

suite('runners of a registry', () => {
  // Of the suite: the removal of so many files takes longer than a file may take after its last test.
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  for (const [name, runner] of Object.entries(RUNNERS))
    for (const isShared of [false, true])
      for (const closes of [true, false]) {
        const form = `${name}${isShared ? '-shared' : ''}${closes ? '' : '-open'}`;
        test(`${name} ends with ${isShared ? 'one gateway for all files' : 'a gateway for each file'}${closes ? '' : ' that nothing closes'}`, {
          skip,
        }, async () => {
          const project = place(form, runner, isShared, closes ? (text) => text : withoutClose);
          for (const words of runner.words) {
            const { code, endMs, printed } = await watch(project, words, runner.summary);
            assert.equal(code, 0, `${words.join(' ')}\n${printed}`);
            assert.deepEqual(runner.summary.exec(printed)?.slice(1), [`${FILES}`, `${FILES}`], printed);
            assert.ok(
              endMs !== null && endMs <= END_MS_MAX,
              `${words.join(' ')}: ended ${endMs} ms after its summary\n${printed}`,
            );
            assert.doesNotMatch(printed, /did not exit|open handle|failed to exit|hanging/i);
          }
        });
      }

  test('control: a test that something keeps alive is found', { skip }, async () => {
    const runner = RUNNERS.jest ?? assert.fail();
    const project = place('kept', runner, true, (text) => `${text}\nsetInterval(() => {}, 1_000);\n`);
    const { endMs, printed } = await watch(project, ['jest', '--runInBand'], runner.summary);
    assert.ok(endMs === null || endMs > END_MS_MAX, printed);
  });

  test('the types of the programs are those of the package and of the runner', { skip }, async () => {
    const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
    const options = '--noEmit --strict --skipLibCheck --module nodenext --target es2023 --lib es2023,dom --ignoreConfig'.split(
      ' ',
    );
    const { file } = RUNNERS.vitest ?? assert.fail();
    const check = (path: string) => run(process.execPath, [compiler, ...options, path], { cwd: folder });
    const path = join(folder, `typed.${file}`);
    writeFileSync(path, programOf(file));
    await check(path).catch(({ stdout }: { readonly stdout: string }) => assert.fail(stdout));
    writeFileSync(
      path,
      programOf(file).replace('gateway.client.createPayment({', 'gateway.client.createPayment({ paymentTipe: 1,'),
    );
    await assert.rejects(check(path), 'control: a parameter that the API does not have');
  });
});
