import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compileCache, programWords } from '../programs.ts';

/** The program as an operator meets it: what it prints, how it ends. */
const folder = mkdtempSync(join(tmpdir(), 'turnpike-process-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const root = join(import.meta.dirname, '../..');

type Run = { readonly child: ChildProcess; said(): string; ended: Promise<number | null> };

function run(env: Record<string, string>): Run {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [...programWords('src/main.ts')], {
    cwd: root,
    env: { PATH, HOME, NODE_COMPILE_CACHE: compileCache, DATA_DIR: folder, ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  }
  return { child, said: () => said, ended: new Promise((resolve) => child.on('exit', resolve)) };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries += 1) {
    assert.ok(tries < 3_000, 'it takes too long');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A port in use, until it is released. */
function taken(): Promise<{ readonly port: number; free(): Promise<void> }> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      resolve({ port, free: () => new Promise((done) => server.close(() => done())) });
    });
  });
}

test('every wrong setting is named, and nothing starts', async () => {
  const { said, ended } = run({ PORT: 'abc', ENVIRONMENT: 'prod' });
  assert.equal(await ended, 1);
  assert.equal(said(), 'ENVIRONMENT: "prod" is not one of test, live\nPORT: "abc" is not a port between 0 and 65535\n');
});

test('a port that is in use is reported in one line', async () => {
  const { port, free } = await taken();
  const { said, ended } = run({ PORT: String(port), BACKOFFICE_PORT: 'off' });
  assert.equal(await ended, 1);
  assert.match(said(), /^PORT: \d+ on 127\.0\.0\.1 is in use by another program; choose another one\n$/);
  await free();
});

test('so is the port of the back office', async () => {
  const [one, other] = await Promise.all([taken(), taken()]);
  await one.free();
  const { said, ended } = run({ PORT: String(one.port), BACKOFFICE_PORT: String(other.port) });
  assert.equal(await ended, 1);
  assert.match(said(), /^BACKOFFICE_PORT: \d+ on 127\.0\.0\.1 is in use by another program; choose another one\n$/);
  await other.free();
});

const places: readonly (readonly [what: string, prepare: (at: string) => void, says: RegExp])[] = [
  ['a file', (at) => writeFileSync(at, ''), /^DATA_DIR: \S+ is a file, or stands below one: choose a folder\.\n$/],
  [
    'below a file',
    (at) => writeFileSync(join(at, '..'), ''),
    /^DATA_DIR: \S+ is a file, or stands below one: choose a folder\.\n$/,
  ],
  [
    'a damaged database',
    (at) => {
      mkdirSync(at);
      writeFileSync(join(at, 'turnpike.db'), 'SQLite format 3\0 and then something else '.repeat(300));
    },
    /^DATA_DIR: \S+turnpike\.db is damaged: [^\n]+ restore it from a backup[^\n]+\n$/,
  ],
];
for (const [at, [what, prepare, says]] of places.entries()) {
  test(`a DATA_DIR that is ${what} is reported in one line, without a trace, and nothing starts`, async () => {
    const dataDir = join(folder, `place-${at}`, ...(what.startsWith('below') ? ['data'] : []));
    prepare(dataDir);
    const { port, free } = await taken();
    await free();
    const { said, ended } = run({ PORT: String(port), BACKOFFICE_PORT: 'off', DATA_DIR: dataDir });
    assert.equal(await ended, 1);
    assert.match(said(), says);
  });
}

test('a folder below one that cannot be created is reported too, and does not keep the process busy for ever', async () => {
  const { port, free } = await taken();
  await free();
  const { said, ended } = run({ PORT: String(port), BACKOFFICE_PORT: 'off', DATA_DIR: '/proc/turnpike/data' });
  assert.equal(await ended, 1);
  assert.match(said(), /^DATA_DIR: \/proc\/turnpike\/data cannot be made: there is nothing to make it in\.\n$/);
});

test('what it says at the start makes a first payment; Ctrl-C ends it in order', async () => {
  const [{ port, free }, office] = await Promise.all([taken(), taken()]);
  await Promise.all([free(), office.free()]);
  const { child, said, ended } = run({ PORT: String(port), BACKOFFICE_PORT: String(office.port) });
  await until(() => said().includes('Ctrl-C'));
  const line = /curl (\S+) -H '([^:]+): ([^']+)' -d '([^']+)'/.exec(said());
  const [, url = '', name = '', value = '', body = ''] = line ?? [];
  const headers = { [name]: value, 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await fetch(url, { method: 'POST', headers, body });
  assert.equal(answer.status, 200);
  const paid = (await answer.json()) as { result: { code: string } };
  assert.equal(paid.result.code, '000.100.110');
  assert.equal((await fetch(`http://127.0.0.1:${port}/health/ready`)).status, 200);
  assert.equal((await fetch(`http://127.0.0.1:${office.port}/v1/resultcodes`)).headers.get('x-frame-options'), 'DENY');
  child.kill('SIGINT');
  assert.equal(await ended, 0);
});
