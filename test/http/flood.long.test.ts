import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { reportFigure } from '../figures.ts';
import { sized } from '../long.ts';
import { percentile } from '../percentile.ts';
import type { Served } from './floodedGateway.ts';
import { freshShops } from './freshShops.ts';

/**
 * One entity calls twenty times as often as it may: another one is served as quickly as without it (R41). Requests come one after the
 * other, by the gateway's own clock at an even pace, and what each takes of the processor is measured. The time until its reply follows:
 * its own work, and what is left of the work before it when it arrives. So the result does not depend on what else the machine does.
 */

const LIMIT = { requests: 20, perSeconds: 1 };
const NO_LIMIT = { requests: 1_000_000, perSeconds: 1 };
const FLOOD_TIMES = 20;
const SHOP_PER_SECOND = 50;
const FLOOD_EACH = (FLOOD_TIMES * LIMIT.requests) / SHOP_PER_SECOND;
/** Rounds with and without the flood alternate. */
const ROUNDS = sized({ quick: 3, assure: 6, reliability: 20 });
const SHOP_EACH_ROUND = 100;
const RATIO_MAX = 1.2;

type Shop = { readonly entityId: string; readonly token: string };

function makeShops(isThrottled: boolean) {
  const { shops, rows } = freshShops(2);
  const [flooding, other] = shops.map(({ channels }) => channels[0]) as [Shop, Shop];
  const limit = (id: string) => (isThrottled && id === flooding.entityId ? LIMIT : NO_LIMIT);
  const entities = rows.entities.map((row) => ({ ...row, settings: { throttle: { pay: limit(row.id) } } }));
  return { flooding, other, rows: { ...rows, entities } };
}

const CARD = 'paymentBrand=VISA&card.number=4200000000000000&card.holder=Ann+Example&card.expiryMonth=05&card.expiryYear=2034';

/** Sends a payment, and returns its status. */
function pay(url: string, agent: Agent, { entityId, token }: Shop): Promise<number> {
  const body = `entityId=${entityId}&amount=1.00&currency=EUR&paymentType=DB&${CARD}&card.cvv=123`;
  const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/v1/payments`, {
      method: 'POST',
      agent,
      headers: { authorization: `Bearer ${token}`, ...type },
    });
    sent.once('response', (reply) => reply.resume().once('end', () => resolve(reply.statusCode ?? 0)));
    sent.once('error', reject).end(body);
  });
}

async function openGateway(t: TestContext, rows: ReturnType<typeof makeShops>['rows']) {
  const worker = new Worker(new URL('./floodedGateway.ts', import.meta.url), { workerData: { rows } });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(async () => {
    agent.destroy();
    await worker.terminate();
  });
  const [url] = (await once(worker, 'message')) as [string];
  /** What was served since the last time; the clock of the gateway moves by so much with each of the next ones. */
  const take = async (stepMs: number): Promise<readonly Served[]> => {
    const answer = once(worker, 'message');
    worker.postMessage(stepMs);
    return ((await answer) as [readonly Served[]])[0];
  };
  return { send: (shop: Shop) => pay(url, agent, shop), take };
}

/** The milliseconds from arrival to reply of the requests with the token, which come at an even pace to one thread. */
function timesOf(served: readonly Served[], stepMs: number, token: string): readonly number[] {
  let free = 0;
  return served.flatMap(({ token: own, ms }, at) => {
    const arrival = at * stepMs;
    free = Math.max(free, arrival) + ms;
    return own === `Bearer ${token}` ? [free - arrival] : [];
  });
}

/** p99 of the other shop in all rounds with the flood ÷ p99 in all rounds without, and what became of the flood. */
async function measureFlood(t: TestContext, { isThrottled }: { readonly isThrottled: boolean }) {
  const { flooding, other, rows } = makeShops(isThrottled);
  const { send, take } = await openGateway(t, rows);
  const statuses = new Map<number, number>();
  const round = async (floodEach: number): Promise<readonly number[]> => {
    const stepMs = 1_000 / (SHOP_PER_SECOND * (1 + floodEach));
    await take(stepMs);
    for (let at = 0; at < SHOP_EACH_ROUND; at += 1) {
      assert.equal(await send(other), 200);
      for (let sent = 0; sent < floodEach; sent += 1) {
        const status = await send(flooding);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }
    return timesOf(await take(0), stepMs, other.token);
  };
  // What is compiled once is there before.
  for (const each of [0, FLOOD_EACH, FLOOD_EACH, 0, FLOOD_EACH]) await round(each);
  statuses.clear();
  const [calm, beside]: [number[], number[]] = [[], []];
  for (let at = 0; at < ROUNDS; at += 1) {
    calm.push(...(await round(0)));
    beside.push(...(await round(FLOOD_EACH)));
  }
  const ms = [calm, beside].map((times) => [50, 99].map((percent) => percentile(times, percent).toFixed(2)).join(' and '));
  const [refused, taken] = [statuses.get(429) ?? 0, statuses.get(200) ?? 0];
  const ratio = percentile(beside, 99) / percentile(calm, 99);
  t.diagnostic(
    `p50 and p99 in ms without the flood ${ms[0]}, beside it ${ms[1]}: ${ratio.toFixed(2)} times; ${refused} refused, ${taken} taken`,
  );
  return { ratio, refused, taken };
}

test(`beside a flood of ${FLOOD_TIMES} times its limit, p99 of another entity stays within ${RATIO_MAX} times`, async (t) => {
  const { ratio, refused, taken } = await measureFlood(t, { isThrottled: true });
  assert.ok(refused > 5 * taken, `${refused} refused, ${taken} taken`);
  assert.ok(ratio <= RATIO_MAX, `${ratio.toFixed(2)} times`);
  reportFigure('R41', 'refused requests of a flood', refused);
  reportFigure('R41', 'p99 beside the flood in percent of without', Math.round(100 * ratio));
});

test('control: without the limit the same flood slows the other entity down, and that is found', async (t) => {
  const { ratio, refused } = await measureFlood(t, { isThrottled: false });
  assert.equal(refused, 0);
  assert.ok(ratio > RATIO_MAX, `${ratio.toFixed(2)} times`);
});
