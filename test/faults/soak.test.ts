import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { reportFigure } from '../figures.ts';
import { isLongRun, isReliability, sized } from '../long.ts';
import { hangUp } from './client.ts';
import { createGateway, type GatewayProcess } from './gatewayProcess.ts';
import { assertNothingWentWrong } from './killRun.ts';
import { startLoad } from './load.ts';
import { overload } from './overload.ts';
import { reconcile } from './reconcile.ts';
import { verify } from './verifyBooks.ts';

/** R21: load with faults for a long time leaves memory, descriptors and connections as they were after warming up. */

const SECONDS = sized({ quick: 8, assure: 120, reliability: 3_600 });
/** Bounded caches are full after some minutes of load. */
const WARM_SECONDS = sized({ quick: 4, assure: 40, reliability: 600 });
/** All answers of an hour are kept, and each payment is read back at the end. */
const PER_SECOND = sized({ quick: 20, assure: 60, reliability: 100 });
const ROUND_MS = sized({ quick: 1_000, assure: 10_000, reliability: 60_000 });
/** Under load: at rest it depends on when the engine last collected. What a short run has allocated is not collected yet. */
const GROWTH_MAX = sized({ quick: 1.6, assure: 1.2, reliability: 1.05 });
const DESCRIPTORS_MORE_MAX = 4;
const SETTLE_MS_MAX = 90_000;
/** For comparing every acknowledged payment with the stored one. */
const READ_BACK_SECONDS = Math.ceil((SECONDS * PER_SECOND) / 200);
/** The engine collects what is left a while after the load. */
const REST_MS = sized({ quick: 0, assure: 5_000, reliability: 30_000 });

type Held = {
  readonly sockets: number;
  /** Those of no thread and no database. */
  readonly descriptors: number;
  /** Threads with an event loop. */
  readonly threads: number;
  /** Connections to the database. */
  readonly connections: number;
  readonly megabytes: number;
};

const REQUEST_THREADS = 2;
/** Of an event loop: two of the kernel's queues, one that wakes it, and a pipe with two ends. */
const DESCRIPTORS_OF_THREAD = 5;

function heldBy(pid: number): Held {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  const open = readdirSync(`/proc/${pid}/fd`).map((name) => targetOf(`/proc/${pid}/fd/${name}`));
  const count = (pattern: RegExp) => open.filter((target) => pattern.test(target)).length;
  const threads = count(/^anon_inode:\[eventpoll\]$/);
  const databaseFiles = count(/\.db(?:-wal|-shm)?$/);
  return {
    sockets: count(/^socket:/),
    descriptors: open.length - databaseFiles - threads * DESCRIPTORS_OF_THREAD,
    threads,
    connections: count(/\.db$/),
    megabytes: Number(kilobytes) / 1_024,
  };
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return 'closed meanwhile';
  }
}

/** The largest value of a metric, over its labels. */
async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text();
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value));
  return Math.max(0, ...values);
}

const HEAD = 'POST /v1/payments HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/x-www-form-urlencoded\r\n';
/** What clients leave behind: each text is sent, and nothing after it. */
const leftovers: readonly (readonly [what: string, text: string])[] = [
  ['nothing', ''],
  ['half a head', HEAD.slice(0, 40)],
  ['a head without its body', `${HEAD}Content-Length: 500\r\n\r\n`],
  ['half a body', `${HEAD}Content-Length: 500\r\n\r\namount=92.00&`],
  ['no HTTP', '\u0016\u0003\u0001\u0002\u0000'],
];

/** Connections that are cut, and others that stay and say nothing more. */
async function disturb(gateway: GatewayProcess, staying: Set<Socket>): Promise<void> {
  const port = Number(new URL(gateway.url).port);
  for (const [, text] of leftovers) {
    for (const isCut of [true, false]) {
      const socket = connect(port, '127.0.0.1');
      staying.add(socket);
      socket.on('error', () => {}).on('close', () => staying.delete(socket));
      socket.resume().write(text, 'latin1');
      if (isCut) setTimeout(() => socket.resetAndDestroy(), 50);
    }
  }
  await pause(100);
}

async function loadFor(gateway: GatewayProcess, seconds: number, seed: number) {
  const load = startLoad({ urls: [gateway.url], perSecond: PER_SECOND, seed, strangeMs: seconds * 500 });
  const staying = new Set<Socket>();
  const megabytes: number[] = [];
  const until = performance.now() + seconds * 1_000;
  const answersMin = (seconds * PER_SECOND) / 4;
  try {
    // On a busy machine so many answers take longer.
    while (performance.now() < until || load.journal.answered < answersMin) {
      await disturb(gateway, staying);
      megabytes.push(heldBy(gateway.pid()).megabytes);
      if (isReliability) process.stderr.write(`soak: ${load.journal.answered} answers, ${megabytes.at(-1)?.toFixed(0)} MB\n`);
      await pause(Math.min(ROUND_MS, Math.max(0, until - performance.now())));
    }
    await load.stop();
  } finally {
    load.abandon();
    for (const socket of staying) socket.destroy();
    // A long run waits until the gateway itself ends them.
    if (!isLongRun()) hangUp();
  }
  return { journal: load.journal, megabytes };
}

/** Waits until the connections of the load are closed: an idle one lives for some seconds. */
async function atRest(pid: number, { sockets }: Held): Promise<Held> {
  const began = performance.now();
  let held = heldBy(pid);
  while (held.sockets > sockets && performance.now() - began < SETTLE_MS_MAX * overload()) {
    await pause(250);
    held = heldBy(pid);
  }
  await pause(REST_MS);
  return heldBy(pid);
}

/** The mean of the last third, and of ten minutes at most. */
function lastOf(megabytes: readonly number[]): number {
  const last = megabytes.slice(-Math.min(Math.ceil(megabytes.length / 3), Math.ceil(600_000 / ROUND_MS)));
  return last.reduce((sum, each) => sum + each, 0) / last.length;
}

async function soak(gateway: GatewayProcess) {
  const idle = heldBy(gateway.pid());
  const warming = await loadFor(gateway, WARM_SECONDS, 20);
  const warm = await atRest(gateway.pid(), idle);
  const { journal, megabytes } = await loadFor(gateway, SECONDS, 21);
  const lag = await metric(gateway.url, 'nodejs_eventloop_lag_p99_seconds');
  const after = await atRest(gateway.pid(), idle);
  return { idle, warm, after, journal, lag, before: lastOf(warming.megabytes), held: lastOf(megabytes) };
}

test('load with faults leaves memory, descriptors and connections as they were', {
  timeout: (SECONDS + WARM_SECONDS + READ_BACK_SECONDS + 400) * 1_000,
}, async (context) => {
  const gateway = await createGateway({ threads: [REQUEST_THREADS], isOperated: true });
  try {
    await gateway.start();
    const { idle, warm, after, journal, lag, before, held } = await soak(gateway);
    context.diagnostic(
      `${journal.answered} answers; descriptors ${idle.descriptors}, ${warm.descriptors}, ${after.descriptors}; ` +
        `MB ${[idle, warm, after].map(({ megabytes }) => megabytes.toFixed(0)).join(', ')} at rest, ${before.toFixed(0)} and ${held.toFixed(0)} under load; lag ${(lag * 1_000).toFixed(1)} ms`,
    );
    // A request thread starts another one for the calls that it records with the first of them, and both threads connect when they first
    // read. When that is depends on the machine, how often it is does not.
    assert.ok(after.threads <= idle.threads + REQUEST_THREADS, `${after.threads} threads after ${idle.threads}`);
    assert.ok(
      after.connections <= idle.connections + 2 * REQUEST_THREADS,
      `${after.connections} connections to the database after ${idle.connections}`,
    );
    assert.ok(
      after.descriptors <= warm.descriptors + DESCRIPTORS_MORE_MAX,
      `${after.descriptors} descriptors after ${warm.descriptors}`,
    );
    assert.ok(after.sockets <= idle.sockets, `${after.sockets} sockets after ${idle.sockets}`);
    assert.ok(held <= before * GROWTH_MAX, `${held.toFixed(0)} MB under load, ${before.toFixed(0)} before`);
    // A time, and so of a machine that does nothing else.
    if (isLongRun()) assert.ok(lag <= 0.05, `the event loop is late by ${lag} s at its 99th percentile`);
    assertNothingWentWrong(journal, await reconcile(gateway.url, journal, { settleMsMax: SETTLE_MS_MAX }));
    const proof = await verify(null, gateway.dataDir);
    assert.ok(proof.ok, proof.text);
    reportFigure('R21', 'minutes', SECONDS / 60);
    reportFigure('R21', 'answers', journal.answered);
    reportFigure('R21', 'MB after warming up', Math.round(before));
    reportFigure('R21', 'MB at the end', Math.round(held));
  } finally {
    await gateway.kill();
  }
});

test('control: a process that keeps its connections is found', async () => {
  const gateway = await createGateway({ threads: [1] });
  const held: Socket[] = [];
  try {
    await gateway.start();
    const { descriptors } = heldBy(gateway.pid());
    // Connections that are open count, whoever keeps them open.
    for (let count = 0; count < DESCRIPTORS_MORE_MAX * 2; count += 1)
      held.push(
        await new Promise<Socket>((resolve) => {
          const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => resolve(socket));
        }),
      );
    while (heldBy(gateway.pid()).descriptors <= descriptors + DESCRIPTORS_MORE_MAX) await pause(20);
  } finally {
    for (const socket of held) socket.destroy();
    await gateway.kill();
  }
});
