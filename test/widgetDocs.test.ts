import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startGateway } from './http/gateway.ts';

const run = promisify(execFile);

/** The page about the widget says what the sources say: no option, hook or variable too many or too few. */

const root = join(import.meta.dirname, '..');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = textOf('docs/widget.md');
const options = textOf('src/widget/options.ts');

const part = (name: string): string => page.split(`<!-- ${name} -->`)[1]?.split(`<!-- /${name} -->`)[0] ?? '';
const namesIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] as string).sort();
/** Members at the first level of a type. */
const members = (type: string): readonly string[] =>
  namesIn(new RegExp(`export type ${type} = \\{([\\s\\S]*?)\\n\\}`).exec(options)?.[1] ?? '', /^ {2}readonly (\w+)\?:/gm);

test('the sources were read', () => {
  assert.ok(members('Options').length >= 40 && members('Hooks').length >= 25);
});

test('every option is in the table, and nothing else', () => {
  assert.deepEqual(namesIn(part('options'), /^\| `(\w+)`/gm), members('Options'));
});

test('every hook is in the table, and nothing else', () => {
  const rows = part('hooks')
    .split('\n')
    .map((line) => line.split('|')[1] ?? '');
  assert.deepEqual(namesIn(rows.join('\n'), /`(\w+)`/g), members('Hooks'));
});

test('every variable of the theme is named, and nothing else', () => {
  const declared = new Set(namesIn(textOf('src/widget/styles/shared/tokens.css'), /^\s+--([\w-]+):/gm));
  assert.deepEqual(namesIn(part('variables'), /`--([\w-]+)`/g), [...declared].sort());
});

test('every address in the page is one of the gateway', () => {
  const endpoints = textOf('src/spec/endpoints.ts');
  const paths = new Set(namesIn(page, /(\/v1\/(?:static\/)?[A-Za-z]+(?:\.[a-z.]+)?)/g));
  assert.ok(paths.size >= 3);
  for (const path of paths) assert.ok(endpoints.includes(`'${path}'`), path);
});

test('the commands of the page run as they stand there, in one shell, with nothing set', async () => {
  const gateway = await startGateway();
  try {
    const [prepare = '', result = '', go = '', ...more] = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block);
    assert.deepEqual(more, [], 'a command that this test does not run');
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-widget-docs-'));
    const script = `set -e
{ ${prepare}} > made.json
ID=$(grep -o '"id":"[^"]*"' made.json | head -n 1 | cut -d '"' -f 4)
RESOURCE_PATH=/v1/checkouts/$ID/payment
${result}
${go}`.replaceAll('http://127.0.0.1:8080', gateway.url);
    const { stdout } = await run('/bin/sh', ['-c', script], { cwd: folder, env: { PATH: process.env.PATH } });
    rmSync(folder, { recursive: true });
    const codes = [...stdout.matchAll(/"code":"([\d.]+)"/g)].map(([, code]) => code);
    assert.deepEqual(codes, ['000.200.000', '200.300.404'], stdout);
  } finally {
    await gateway.close();
  }
});
