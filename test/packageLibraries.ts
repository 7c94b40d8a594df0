import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import vm from 'node:vm';

/** The parts of the package that other programs import, as they are installed. */

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);

/** Puts an example beside the package that it imports. */
export function placeExample(home: string, name: string): string {
  const folder = join(home, 'examples', name);
  cpSync(join(root, 'examples', name), folder, { recursive: true });
  return folder;
}

/** Runs a program of an example against a gateway, and returns what it prints. */
export async function runExample(program: string, url: string): Promise<readonly string[]> {
  const { stdout } = await run(process.execPath, [program], { env: { PATH: process.env.PATH, TURNPIKE_URL: url } });
  return stdout.trim().split('\n');
}

/** Checks the types of programs with those of the installed package, strictly; as CommonJS where the name says so. */
export async function checkTypes(home: string, files: readonly string[]): Promise<void> {
  const types = join(home, 'node_modules', '@types');
  mkdirSync(types, { recursive: true });
  for (const [name, place] of [
    ['node', '@types/node'],
    ['../undici-types', 'undici-types'],
  ] as const)
    symlinkSync(join(root, 'node_modules', place), join(types, name));
  writeFileSync(join(home, 'package.json'), '{"type":"module"}');
  const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
  const options =
    '--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --module nodenext --target es2023'.split(' ');
  const words = [compiler, ...options, '--lib', 'es2023,dom', '--types', 'node', '--ignoreConfig', ...files];
  await run(process.execPath, words, { cwd: home }).catch((error: { readonly stdout: string }) => assert.fail(error.stdout));
}

/**
 * Loads a file as an edge runtime has it: the globals of the web platform and nothing of Node. Returns what it exports.
 */
export function loadOnTheEdge(file: string): Record<string, unknown> {
  const web = {
    fetch,
    Headers,
    Request,
    Response,
    URL,
    URLSearchParams,
    TextEncoder,
    TextDecoder,
    ReadableStream,
    crypto,
    atob,
    btoa,
  };
  const more = { AbortController, AbortSignal, setTimeout, clearTimeout };
  const module = { exports: {} };
  const context = vm.createContext({ ...web, ...more, module, exports: module.exports });
  vm.runInContext(readFileSync(file, 'utf8'), context, { filename: file });
  return module.exports;
}

/** Writes the programs of a page: blocks of JavaScript that begin with the name of their file. */
export function writePagePrograms(page: string, folder: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const programs = [...text.matchAll(/```js\n\/\/ ([\w.-]+)\n([\s\S]*?)```/g)];
  return programs.map(([, name = '', program = '']) => {
    writeFileSync(join(folder, name), program);
    return join(folder, name);
  });
}

/** Runs files of tests as `node --test` does, and returns what it counts. */
export async function runTests(files: readonly string[], env: NodeJS.ProcessEnv): Promise<{ passed: number; failed: number }> {
  const words = ['--test', '--test-reporter=tap', '--test-concurrency=1', ...files];
  const { stdout } = await run(process.execPath, words, { env }).catch((error: { readonly stdout: string }) => error);
  const count = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(stdout)?.[1] ?? -1);
  assert.equal(count('fail'), 0, stdout);
  return { passed: count('pass'), failed: count('fail') };
}

/** What `startTurnpike()` takes of the processors until it returns, in the program that calls it and in the gateway. */
export async function processorMsOfStart(installed: string, env: NodeJS.ProcessEnv): Promise<number> {
  const program = `
    import { readFileSync } from 'node:fs';
    const { startTurnpike } = await import(${JSON.stringify(join(installed, 'testing/esm/index.js'))});
    const gateway = await startTurnpike();
    const { user, system } = process.cpuUsage();
    const [pid] = readFileSync('/proc/thread-self/children', 'utf8').split(' ');
    const [, , , , , , , , , , , userTicks, systemTicks] = readFileSync(\`/proc/\${pid}/stat\`, 'utf8').replace(/^.*\\) /, '').split(' ');
    console.log((user + system) / 1_000 + 10 * (Number(userTicks) + Number(systemTicks)));
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { env });
  return Number(stdout);
}
