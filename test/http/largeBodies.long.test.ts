import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { startFlags } from '../../scripts/supervise.mjs';
import { reportFigure } from '../figures.ts';
import { DEMO } from './client.ts';
import { fullCart } from './longestTurn.ts';

/**
 * Twenty of the largest legal bodies at once: ten shops beside them are served in between, each several times, no turn of the event loop is
 * as long as the work on several of them, and the memory is bounded (R36).
 */

const LARGE = 20;
const SHOPS = 10;
const EACH_MIN = 5;
/**
 * The most processor time of a turn, in milliseconds: 20 for the part of one body that it goes on with, and as much again for the shops and
 * the collection of garbage. Where two threads share a core each takes up to twice the time.
 */
const TURN_MS_MAX = 60;
const MIB = 1024 * 1024;
const GROWTH_MIB_MAX = 250;

const payment = new URLSearchParams({
  entityId: DEMO.entityId,
  amount: '1.00',
  currency: 'EUR',
  paymentType: 'DB',
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.holder': 'Ann Example',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
}).toString();
const headers = { authorization: `Bearer ${DEMO.token}`, 'content-type': 'application/x-www-form-urlencoded' };
const body = fullCart();

async function send(url: string, form: string): Promise<number> {
  const reply = await fetch(`${url}/v1/payments`, { method: 'POST', headers, body: form });
  await reply.arrayBuffer();
  return reply.status;
}

/** How often each shop was answered until the reply to the last large body, and what that took of the thread. */
async function measureBeside(worker: Worker, url: string) {
  const say = async (word: 'begin' | 'end' | 'memory'): Promise<number> => {
    const answer = once(worker, 'message');
    worker.postMessage(word);
    return ((await answer) as [number])[0];
  };
  // What is compiled and cached once is there before.
  for (const form of [body, payment, payment]) assert.equal(await send(url, form), 200);
  await say('begin');
  let isOver = false;
  const large = Array.from({ length: LARGE }, () => send(url, body));
  const shops = Array.from({ length: SHOPS }, async () => {
    for (let served = 0; ; served += 1) {
      assert.equal(await send(url, payment), 200);
      if (isOver) return served;
    }
  });
  assert.deepEqual(new Set(await Promise.all(large)), new Set([200]));
  isOver = true;
  const [growth, longest] = [(await say('memory')) / MIB, await say('end')];
  return { served: await Promise.all(shops), longest: Math.ceil(longest), growth: Math.ceil(growth) };
}

// Those of npm start: left to itself, the engine keeps garbage for as long as it likes.
for (const flag of startFlags) setFlagsFromString(flag);

async function startThread(workerData: { readonly isInOneGo?: boolean; readonly dataDir?: string }) {
  const worker = new Worker(new URL('./longestTurnThread.ts', import.meta.url), { workerData });
  const [url] = (await once(worker, 'message')) as [string];
  return { worker, url };
}

test(`beside ${LARGE} of the largest bodies at once ${SHOPS} shops are served at least ${EACH_MIN} times each, and no turn is long`, async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-large-'));
  const { worker, url } = await startThread({ dataDir });
  t.after(async () => {
    await worker.terminate();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const { served, longest, growth } = await measureBeside(worker, url);
  const sum = served.reduce((all, one) => all + one, 0);
  t.diagnostic(
    `${sum} payments beside ${LARGE} bodies of ${body.length} bytes; longest turn ${longest} ms, memory +${growth} MiB`,
  );
  assert.ok(Math.min(...served) >= EACH_MIN, served.join());
  assert.ok(longest <= TURN_MS_MAX, `a turn of ${longest} ms`);
  assert.ok(growth <= GROWTH_MIB_MAX, `${growth} MiB more`);
  reportFigure('R36', 'heavy requests', LARGE);
  reportFigure('R36', 'longest turn beside them, ms', longest);
  reportFigure('R36', 'growth of memory, MiB', growth);
});

test('control: a server that reads each body in one go has long turns, and that is found', async (t) => {
  const { worker, url } = await startThread({ isInOneGo: true });
  t.after(() => worker.terminate());
  const { longest } = await measureBeside(worker, url);
  assert.ok(longest > TURN_MS_MAX, `a turn of ${longest} ms`);
});
