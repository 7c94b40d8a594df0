import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { startGateway } from './http/gateway.ts';

/** The commands of the README, run by a shell as they stand there, against a gateway on another port. */
const root = join(import.meta.dirname, '..');
const run = promisify(execFile);
const gateway = await startGateway();
const folder = mkdtempSync(join(tmpdir(), 'turnpike-readme-'));
after(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
});

/** As much of curl as the README uses, so that the test needs none. */
const CURL = `#!${process.execPath}
const [headers, form, words] = [{}, [], process.argv.slice(2)];
let [url, method] = ['', undefined];
while (words.length > 0) {
  const word = words.shift();
  if (word === '-H') { const [name, ...rest] = words.shift().split(':'); headers[name] = rest.join(':').trim(); }
  else if (word === '-d') form.push(words.shift());
  else if (word === '-X') method = words.shift();
  else url = word;
}
const body = new URLSearchParams(form.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]));
const response = await fetch(url, { method: method ?? 'POST', headers, ...(method === undefined && { body }) });
process.stdout.write(await response.text());
`;
const NPX = `#!/bin/sh\nshift\nexec '${process.execPath}' '${join(root, 'src', 'cli', 'main.ts')}' "$@"\n`;
for (const [name, text] of [
  ['curl', CURL],
  ['npx', NPX],
] as const) {
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), 0o755);
}
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');

const env = { PATH: `${folder}:${process.env.PATH ?? ''}`, PORT: String(gateway.port), DATA_DIR: join(folder, 'data') };
const shell = async (text: string): Promise<string> => (await run('/bin/sh', ['-c', text], { cwd: folder, env })).stdout;

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const commands = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block = '']) => block.replaceAll(/\\\n\s*/g, ' ').split('\n'))
  .map((line) => line.replace(/\s+#.*$/, '').trim())
  .filter(Boolean);
const isAssignment = (line: string): boolean => /^[A-Z]=/.test(line);
const assignments = commands.filter(isAssignment).join('; ');

test('the requests of the README succeed, one after the other', async () => {
  const requests = commands.filter((line) => line.startsWith('curl '));
  assert.ok(requests.length >= 5);
  let stored = '';
  let id = '';
  for (const line of requests) {
    const named = line.includes('/v1/registrations/<id>') ? stored : id;
    const text = line.replaceAll('http://127.0.0.1:8080', gateway.url).replaceAll('<id>', named);
    const reply = JSON.parse(await shell(`${assignments}; ${text}`));
    assert.match(reply.result.code, /^000\./, `${line}: ${JSON.stringify(reply.result)}`);
    id = reply.id;
    if (line.includes('/v1/registrations ')) stored = id;
  }
});

test('its turnpike commands exist; those that only read or move the clock do what they say', async () => {
  const lines = commands.filter((line) => line.startsWith('npx turnpike '));
  assert.ok(lines.length >= 4);
  for (const name of new Set(lines.map((line) => line.split(' ')[2] ?? ''))) {
    assert.match(await shell(`npx turnpike ${name} --help`), new RegExp(`usage: turnpike ${name}`));
  }
  assert.match(await shell('npx turnpike scenarios'), /booked-but-silent/);
  assert.ok(lines.includes('npx turnpike clock by 30d'));
  assert.match(await shell('npx turnpike clock by 30d'), /\d{4}-\d\d-\d\d/);
});

test('its npm commands are scripts of the package', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Record<string, string>;
  };
  for (const line of commands.filter((one) => one.startsWith('npm '))) {
    const name = line.split(' ').at(line.startsWith('npm run ') ? 2 : 1) ?? '';
    assert.ok(scripts[name] !== undefined || ['install', 'ci', 'pack'].includes(name), line);
  }
});
