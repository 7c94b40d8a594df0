import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { card, isApproved, pay } from '../test/faults/client.ts';
import { isReady } from '../test/faults/gatewayProcess.ts';
import { freePort } from '../test/freePort.ts';
import { sourceCompileCache } from '../test/programs.ts';
import { supervise } from './supervise.mjs';

type End = { readonly code: number | null; readonly signal?: string | null; readonly isAsked?: boolean; readonly ranMs?: number };

/** Supervises processes that end as given; one after the last ends with code 0. */
async function watched(ends: readonly End[], askedDuringRest = false) {
  const [rests, lines]: [number[], string[]] = [[], []];
  let [nowMs, lives] = [0, 0];
  const code = await supervise({
    run: async () => {
      const { ranMs = 100, signal = null, isAsked = false, ...end } = ends[lives] ?? { code: 0 };
      lives += 1;
      nowMs += ranMs;
      return { ...end, signal, isAsked };
    },
    sleep: async (ms) => {
      rests.push(ms);
      nowMs += ms;
      return askedDuringRest;
    },
    now: () => nowMs,
    log: (line) => lines.push(line),
  });
  return { code, lives, rests, lines };
}

const times = (count: number, end: End): End[] => Array.from({ length: count }, () => end);
const crash: End = { code: 70 };

test('what ends on purpose is not started again', async () => {
  for (const end of [{ code: 0 }, { code: 1 }, { code: 2 }, { code: 70, isAsked: true }, { code: null, isAsked: true }]) {
    const { code, lives, lines } = await watched([end]);
    assert.deepEqual([code, lives, lines], [end.code ?? 1, 1, []]);
  }
});

test('after a crash it is started again, each time later, with a line each', async () => {
  const { code, lives, rests, lines } = await watched([...times(6, crash), { code: 0 }]);
  assert.deepEqual([code, lives, rests], [0, 7, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000]]);
  assert.equal(lines.length, 6);
  assert.equal(
    lines[1],
    'The gateway ended with code 70 after 0 s; it is started again in 2 s (failure 2 of at most 10 in a row).',
  );
});

test('a death by a signal that the supervisor did not send is a crash', async () => {
  const { lives, lines } = await watched([{ code: null, signal: 'SIGKILL' }, { code: 0 }]);
  assert.equal(lives, 2);
  assert.match(lines[0] ?? '', /ended with SIGKILL/);
});

test('too many failures in a row end it, and a long life between them is a new beginning', async () => {
  const { code, lives, lines } = await watched(times(20, crash));
  assert.deepEqual([code, lives], [70, 11]);
  assert.match(lines.at(-1) ?? '', /failed 11 times in a row and is not started again/);
  const long = await watched([...times(10, crash), { code: 70, ranMs: 60_000 }, ...times(3, crash), { code: 0 }]);
  assert.equal(long.lives, 15);
  assert.deepEqual(long.rests.slice(10), [1_000, 2_000, 4_000, 8_000]);
});

test('a start that fails behind a crash is tried again: the database may be away', async () => {
  assert.deepEqual((await watched([crash, { code: 1 }, { code: 1 }, { code: 0 }])).rests, [1_000, 2_000, 4_000]);
});

test('a signal during the pause ends it', async () => {
  const { code, lives } = await watched([crash, crash], true);
  assert.deepEqual([code, lives], [0, 1]);
});

const root = join(import.meta.dirname, '..');
const runtime = join(root, 'node_modules/node/bin/node');

/** `npm start`, which runs the built gateway, with one that throws from a timer when it is sent SIGUSR2. */
async function startSupervised(folder: string) {
  const fault = join(folder, 'fault.mjs');
  writeFileSync(
    fault,
    `if (process.argv[1]?.endsWith('main.mjs')) {
      process.stderr.write('gateway ' + process.pid + '\\n');
      process.on('SIGUSR2', () => setTimeout(() => { throw Object.assign(new Error('from a timer 4200000000000000'), { sql: 'x' }); }, 0));
    }`,
  );
  const port = await freePort();
  const { PATH, HOME, TMPDIR } = process.env;
  const env = {
    PATH,
    HOME,
    TMPDIR,
    NODE_COMPILE_CACHE: sourceCompileCache,
    PORT: String(port),
    BACKOFFICE_PORT: 'off',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
  };
  const options = { DATA_DIR: join(folder, 'data'), NODE_OPTIONS: `--import ${fault}` };
  const child: ChildProcess = spawn(runtime, [join(root, 'scripts/run.mjs'), 'start'], {
    cwd: root,
    env: { ...env, ...options },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  return { child, url: `http://127.0.0.1:${port}`, said: () => said };
}

async function until(what: string, isSo: () => boolean | Promise<boolean>, said: () => string): Promise<void> {
  for (const began = performance.now(); !(await isSo()); ) {
    assert.ok(performance.now() - began < 90_000, `${what}: not within 90 s\n${said()}`);
    await pause(50);
  }
}

const pidsIn = (text: string): number[] => [...text.matchAll(/^gateway (\d+)$/gm)].map(([, pid]) => Number(pid));
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('npm start: a gateway that throws from a timer is started again, and SIGTERM ends everything', {
  timeout: 240_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-supervise-'));
  const { child, url, said } = await startSupervised(folder);
  t.after(() => {
    for (const pid of pidsIn(said())) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  await until('the first start', () => isReady(url), said);
  const order = { fields: { paymentType: 'DB', amount: '1.00', currency: 'EUR', ...card } };
  assert.ok(isApproved(await pay(url, order)));
  const [first] = pidsIn(said());
  assert.ok(first !== undefined, said());
  process.kill(first, 'SIGUSR2');
  await until('the second start', async () => pidsIn(said()).length === 2 && (await isReady(url)), said);
  const [, second = 0] = pidsIn(said());
  assert.ok(!isAlive(first) && second !== first);
  assert.ok(isApproved(await pay(url, order)));
  const fatal = said()
    .split('\n')
    .filter((line) => line.includes('"level":60'));
  assert.equal(fatal.length, 1, said());
  assert.match(fatal[0] ?? '', /from a timer/);
  assert.doesNotMatch(fatal[0] ?? '', /4200000000000000|"sql"/);
  assert.match(said(), /The gateway ended with code 70 after \d+ s; it is started again in 1 s/);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  assert.equal(await ended, 0, said());
  assert.ok(!isAlive(second), 'the gateway outlived the one that started it');
  assert.equal(pidsIn(said()).length, 2);
});

test('npm start: a gateway whose supervisor is killed ends in order, by itself', { timeout: 240_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-supervise-'));
  const { child, url, said } = await startSupervised(folder);
  t.after(() => {
    for (const pid of pidsIn(said())) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  await until('the start', () => isReady(url), said);
  const [gateway = 0] = pidsIn(said());
  child.kill('SIGKILL');
  await until('the end of the gateway', () => !isAlive(gateway), said);
  // A database that was closed has no log of changes beside it.
  assert.deepEqual(
    readdirSync(join(folder, 'data')).filter((name) => name.endsWith('-wal')),
    [],
  );
});

test('npm start: a wrong setting is reported once', { timeout: 120_000 }, async () => {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, NODE_COMPILE_CACHE: sourceCompileCache, PORT: 'nowhere' };
  const child = spawn(runtime, [join(root, 'scripts/run.mjs'), 'start'], { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  assert.equal(await new Promise((resolve) => child.once('close', resolve)), 1);
  assert.equal(said.match(/PORT/g)?.length, 1, said);
  assert.doesNotMatch(said, /started again/);
});
