import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { onlyLong } from '../long.ts';

/** The provider for Medusa against the types of Medusa itself, from the registry. Skipped where the registry cannot be reached. */

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'turnpike-medusa-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const at = (...names: readonly string[]): string => join(folder, ...names);

/** Only the packages with the types: the whole of Medusa has hundreds. */
const packages = ['@medusajs/framework@2', '@medusajs/utils@2', '@medusajs/types@2', 'bignumber.js@9'];

async function install(): Promise<void> {
  const { stdout } = await run('npm', ['pack', '--json', ...packages], { cwd: folder });
  const packed = JSON.parse(stdout) as { readonly name: string; readonly filename: string }[] | Record<string, never>;
  for (const { name, filename } of Object.values(packed)) {
    mkdirSync(at('node_modules', name), { recursive: true });
    await run('tar', ['xzf', filename, '-C', at('node_modules', name), '--strip-components', '1'], { cwd: folder });
  }
  for (const name of ['@types', 'undici-types']) symlinkSync(join(root, 'node_modules', name), at('node_modules', name));
  cpSync(join(root, 'examples', 'medusa-payment'), folder, { recursive: true });
  const paths = { 'turnpike/client': [join(root, 'src', 'client', 'main.ts')] };
  const compilerOptions = { noEmit: true, declaration: false, rootDir: '/', paths };
  writeFileSync(at('check.json'), JSON.stringify({ extends: './tsconfig.json', compilerOptions, include: ['src'] }));
}

const skip =
  onlyLong ||
  (await install().then(
    () => false as const,
    (error: Error) => `the types of Medusa cannot be had: ${error.message.split('\n')[0]}`,
  ));

/** The faults that the compiler finds, a line each. */
async function check(): Promise<readonly string[]> {
  const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
  return await run(process.execPath, [compiler, '-p', 'check.json'], { cwd: folder }).then(
    () => [],
    ({ stdout }: { readonly stdout: string }) => stdout.trim().split('\n'),
  );
}

test('the provider compiles with the types of Medusa', { skip }, async () => {
  assert.deepEqual(await check(), []);
});

test('control: a provider with a wrong status, and one without a method, do not compile', { skip }, async () => {
  const own = readFileSync(at('src', 'payments.ts'), 'utf8');
  writeFileSync(at('src', 'payments.ts'), own.replace("'requires_more' | 'error'", "'requires_more' | 'refused' | 'error'"));
  assert.match((await check()).join('\n'), /provider\.ts.*'refused'|"refused"/s);
  writeFileSync(at('src', 'payments.ts'), own);
  const provider = readFileSync(at('src', 'provider.ts'), 'utf8');
  writeFileSync(at('src', 'provider.ts'), provider.replace('cancelPayment(input', 'cancelled(input'));
  assert.match((await check()).join('\n'), /cancelPayment/);
});
