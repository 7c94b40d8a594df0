import assert from 'node:assert/strict';
import type { Payment } from '../../src/payments/payment.ts';
import type { Store } from '../../src/store/store.ts';
import { CARD, createClient, DEMO } from '../http/client.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { type Mortal, mortal } from '../mortal.ts';
import { createChance } from './randomExpressions.ts';

/** R20: so many due instants, four nodes, kills, clocks that are ten minutes apart, and one that jumps by an hour. */

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
const PATH = '/scheduling/v1/schedules';
const SKEWS_MS = [-10, 10, -3, 6].map((minutes) => minutes * MINUTE_MS);

export type R20 = {
  /** One for each node; the same one several times where a store is of one process only. */
  readonly stores: readonly Store[];
  readonly plans: number;
  readonly instantsEach: number;
  readonly kills: number;
  readonly seed: number;
};

export type Done = { readonly charged: number; readonly skipped: number; readonly kills: number };

type Node = { readonly gateway: TestGateway; readonly life: Mortal };

/** A node whose clock is so far ahead, and which can be killed. */
async function startNode(store: Store, aheadMs: number): Promise<Node> {
  const life = mortal(store);
  const gateway = await startGateway({ store: life.store });
  gateway.pass(aheadMs);
  return { gateway, life };
}

/** All the plans of one seed, charged until nothing is due any more; throws unless every instant has exactly one record. */
export async function runR20(asked: R20): Promise<Done> {
  const nodes = await Promise.all(asked.stores.map((store, at) => startNode(store, SKEWS_MS[at] ?? 0)));
  const ended: TestGateway[] = [];
  try {
    return await run(asked, nodes, ended);
  } finally {
    await Promise.all([...ended, ...nodes.map(({ gateway }) => gateway)].map((gateway) => gateway.close()));
  }
}

/** Those who are killed are replaced, and put with those who have ended. */
async function run({ stores, plans: count, instantsEach, kills, seed }: R20, nodes: Node[], ended: TestGateway[]): Promise<Done> {
  const chance = createChance(seed);
  const [first, reader] = [nodes[0]?.gateway, stores[0]];
  assert.ok(first && reader);
  // Every instant lies ahead of every clock, also of the one that will jump.
  const startsAt = Math.ceil((first.world.clock.now() + 2 * HOUR_MS) / MINUTE_MS) * MINUTE_MS;
  const ids = await makePlans(first, { count, startsAt, instantsEach });
  let passedMs = 0;
  const pass = (ms: number): void => {
    passedMs += ms;
    for (const { gateway } of nodes) gateway.pass(ms);
  };
  pass(2 * HOUR_MS - 15 * MINUTE_MS);
  const ticks = instantsEach + 120;
  const [killEvery, jumpAt] = [Math.floor(ticks / (kills + 1)), Math.floor(instantsEach / 3)];
  for (let tick = 1; tick <= ticks; tick += 1) {
    pass(MINUTE_MS);
    if (tick === jumpAt) nodes[3]?.gateway.pass(chance.pick([-HOUR_MS, HOUR_MS]));
    if (tick % killEvery === 0 && ended.length < kills) {
      // The one ahead has the most to do.
      const at = chance.below(2) === 0 ? 1 : chance.below(nodes.length);
      nodes[at]?.life.dieAfter(1 + chance.below(30), chance.below(2) === 0);
    }
    await Promise.all(nodes.map(({ gateway, life }) => Promise.race([gateway.work('run due schedules'), life.death])));
    for (const [at, node] of nodes.entries()) {
      if (!node.life.isDead()) continue;
      ended.push(node.gateway);
      nodes[at] = await startNode(stores[at] as Store, passedMs + (SKEWS_MS[at] ?? 0));
    }
  }
  return { ...(await account(reader, { ids, startsAt, instantsEach })), kills: ended.length };
}

const textOf = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

type Made = { readonly startsAt: number; readonly instantsEach: number };

async function makePlans({ url }: TestGateway, asked: Made & { readonly count: number }): Promise<readonly string[]> {
  const shop = createClient(url);
  const series = { 'standingInstruction.mode': 'INITIAL', 'standingInstruction.type': 'RECURRING' };
  const stored = await shop.send('POST', '/v1/registrations', { ...CARD, ...series, 'standingInstruction.source': 'CIT' });
  const { startsAt, instantsEach, count } = asked;
  const job = {
    'job.expression': '0 * * * * ?',
    'job.startDate': textOf(startsAt),
    'job.endDate': textOf(startsAt + (instantsEach - 1) * MINUTE_MS),
  };
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const fields = { registrationId: stored.id, paymentType: 'DB', amount: '17.00', currency: 'EUR', ...job };
    const { status, id, body } = await shop.send('POST', PATH, fields);
    assert.equal(status, 200, JSON.stringify(body));
    ids.push(id);
  }
  return ids;
}

type Account = Made & { readonly ids: readonly string[] };

/** Every plan has a record for each of its instants and no other, and every charge is one of them. */
async function account(store: Store, { ids, startsAt, instantsEach }: Account): Promise<Omit<Done, 'kills'>> {
  const charges = await chargesIn(store);
  const expected = Array.from({ length: instantsEach }, (_, at) => startsAt + at * MINUTE_MS);
  let [charged, skipped] = [0, 0];
  for (const id of ids) {
    const runs = (await store.runs(DEMO.merchantId, id, instantsEach + 100)).toReversed();
    assert.deepEqual(
      runs.map(({ dueAt }) => dueAt),
      expected,
      `plan ${id}`,
    );
    for (const { paymentId, skipped: why } of runs) {
      assert.equal(paymentId === null, why !== null);
      const payment = paymentId === null ? null : charges.get(paymentId);
      if (paymentId === null) skipped += 1;
      else charged += 1;
      if (paymentId !== null) assert.equal(payment?.scheduleId, id, `the charge ${paymentId} of plan ${id}`);
      if (payment) assert.equal(payment.fields['standingInstruction.source'], 'MIT');
    }
    assert.equal((await store.schedule(DEMO.merchantId, id))?.state, 'over');
  }
  assert.equal(charges.size, charged, 'nothing was charged beside the records');
  return { charged, skipped };
}

async function chargesIn(store: Store): Promise<ReadonlyMap<string, Payment>> {
  const found = new Map<string, Payment>();
  let after: Payment | null = null;
  for (;;) {
    const asked = { after, before: Number.MAX_SAFE_INTEGER - DAY_MS, merchantId: DEMO.merchantId, limit: 1_000 };
    const page: readonly Payment[] = await store.history(asked);
    for (const payment of page) if (payment.scheduleId !== undefined) found.set(payment.id, payment);
    after = page.at(-1) ?? null;
    if (page.length < asked.limit) return found;
  }
}
