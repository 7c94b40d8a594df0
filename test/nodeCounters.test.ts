import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { exampleCommit, examplePayment } from '../src/payments/examples.ts';
import type { Payment } from '../src/payments/payment.ts';
import type { World } from '../src/payments/ports.ts';
import { createCountedEvents } from '../src/payments/riskMemory/countedEvents.ts';
import { createRiskMemory } from '../src/payments/riskMemory/riskMemory.ts';
import { factsAbout } from '../src/payments/screen.ts';
import { createRiskEngine } from '../src/risk/engine.ts';
import { createLists } from '../src/risk/lists/lists.ts';
import type { Velocity, WindowEvent } from '../src/risk/ports.ts';
import { keysOf } from '../src/risk/velocity/keys.ts';
import { createVelocity } from '../src/risk/velocity/windows.ts';
import { openPostgresStore } from '../src/store/postgres/postgresStore.ts';
import type { Store } from '../src/store/store.ts';
import { dropUnused, freshDatabase } from './contract/freshDatabases.ts';

/** Velocity counters of four nodes on one PostgreSQL database. */

const NODES = 4;
const PAYMENTS = 40;
const T0 = 1_790_000_000_000;
/** A payment each 50 ms, at the next node; each node reads twice a second, at another instant. */
const STEP_MS = 50;
const TICK_MS = 500;
const channel = { timeZone: 'Europe/Vienna', risk: {} } as NonNullable<ReturnType<World['channel']>>;

const database = await freshDatabase();
const stores: readonly Store[] = await Promise.all(Array.from({ length: NODES }, () => openPostgresStore({ url: database.url })));
after(async () => {
  for (const store of stores) await store.close();
  await database.giveBack(true);
  await dropUnused();
});

type Time = { at: number; now(): number };

function startNode(store: Store, clock: Time, isAlone: boolean) {
  const velocity = createVelocity();
  /** When this node counted the attempt of a payment. */
  const countedAt = new Map<string, number>();
  const count = ({ keys }: Pick<WindowEvent, 'keys'>) =>
    countedAt.set(String(keys.transaction).split(' ').at(-1) ?? '', clock.at);
  const watched: Velocity = {
    keysOf,
    query: velocity.query,
    record: async (event) => {
      if (event.is === 'attempt') count(event);
      await velocity.record(event);
    },
    attempt: (event, judge) => {
      count(event);
      return velocity.attempt(event, judge);
    },
  };
  const risk = createRiskEngine({
    velocity: watched,
    lists: createLists(clock),
    lookups: { issuer: () => null, country: () => null },
    timers: { within: <T>(_: number, promise: Promise<T>) => promise },
    screening: () => null,
  });
  const countedEvents = createCountedEvents(clock);
  const world = { clock, risk, channel: () => channel, store };
  const memory = createRiskMemory({ world, history: store, countedEvents, isAlone, rest: async () => {} });
  return { store, risk, countedEvents, countedAt, memory };
}

/** Takes payments at all nodes in turn; returns the nodes, and when each payment was committed. */
async function takeAt(merchantId: string, isAlone: boolean) {
  const clock: Time = { at: T0, now: () => clock.at };
  const nodes = stores.map((store) => startNode(store, clock, isAlone));
  for (const { memory } of nodes) await memory.run();
  const taken = new Map<string, number>();
  const steps = PAYMENTS + (2 * TICK_MS) / STEP_MS;
  for (let step = 0; step < steps; step += 1) {
    clock.at += STEP_MS;
    for (const [at, { memory }] of nodes.entries()) if ((clock.at - T0 + at * 100) % TICK_MS === 0) await memory.run();
    const node = nodes[step % NODES];
    if (step >= PAYMENTS || !node) continue;
    const id = `${isAlone ? 'a' : 'b'}${step}`.padStart(32, '0');
    const drafted = examplePayment({ id, merchantId, fingerprint: 'one card', merchantTransactionId: id, createdAt: clock.at });
    const assessed = await node.risk.evaluate(
      factsAbout({ risk: node.risk }, drafted, channel.timeZone),
      channel.risk,
      'attempt',
    );
    node.countedEvents.attempt(id);
    const payment: Payment = { ...drafted, risk: assessed, phase: { at: 'acquirer', dueAt: clock.at + 9_999 } };
    const event = { id: `${id} 1`, type: 'PAYMENT', action: null, code: '000.100.110' } as const;
    assert.equal((await node.store.commit(exampleCommit(payment, { version: 0, event }))).is, 'kept');
    taken.set(id, clock.at);
  }
  return { nodes, taken };
}

test('postgres: a payment at one of four nodes is counted by all of them within a second', async () => {
  const { nodes, taken } = await takeAt('together', false);
  assert.equal(taken.size, PAYMENTS);
  for (const { countedAt } of nodes)
    for (const [id, at] of taken) {
      const late = (countedAt.get(id) ?? Number.POSITIVE_INFINITY) - at;
      assert.ok(late <= 1_000, `${id} was counted after ${late} ms`);
    }
});

test('postgres: nodes that believe to be alone count a quarter each', async () => {
  const { nodes, taken } = await takeAt('apart', true);
  for (const { countedAt } of nodes) assert.equal([...taken.keys()].filter((id) => countedAt.has(id)).length, PAYMENTS / NODES);
});

test('postgres: an attempt that booked nothing at one node is no duplicate at another one a second after it has ended', async () => {
  for (const takesMs of [300, 2_300, 6_800, 25_000]) {
    const clock: Time = { at: T0, now: () => clock.at };
    const [one, other] = stores.slice(0, 2).map((store) => startNode(store, clock, false));
    assert.ok(one && other);
    const tick = async (ms: number): Promise<void> => {
      for (const until = clock.at + ms; clock.at < until; clock.at += 100)
        if ((clock.at - T0) % TICK_MS === 0) for (const { memory } of [one, other]) await memory.run();
    };
    const judgedAt = async ({ risk, countedEvents }: typeof one, id: string) => {
      const drafted = examplePayment({ id, merchantId: `again${takesMs}`, fingerprint: 'one card', createdAt: clock.at });
      const facts = factsAbout({ risk }, drafted, channel.timeZone);
      const assessed = await risk.evaluate(facts, channel.risk, 'attempt', id);
      countedEvents.attempt(id);
      return { ...drafted, risk: assessed, phase: { at: 'acquirer', dueAt: clock.at + 60_000 } } as const satisfies Payment;
    };
    await tick(500);
    const first = await judgedAt(one, `${takesMs}1`.padStart(32, '0'));
    const event = { id: `${first.id} 1`, type: 'PAYMENT', action: null, code: '000.200.000' } as const;
    assert.equal((await one.store.commit(exampleCommit(first, { version: 0, event }))).is, 'kept');
    await tick(takesMs);
    const ended: Payment = { ...first, phase: { at: 'final', code: '900.100.600' }, movedAt: clock.at, revision: 2 };
    const told = { ...event, id: `${first.id} 2`, code: '900.100.600' } as const;
    assert.equal((await one.store.commit(exampleCommit(ended, { version: 1, event: told }))).is, 'kept');
    // A look is as late as a fifth of the age of the payment, and the nodes read twice a second.
    await tick(1_000 + takesMs / 5);
    const second = await judgedAt(other, `${takesMs}2`.padStart(32, '0'));
    assert.equal(second.risk?.verdict.is, 'accept', `after ${takesMs} ms`);
    // The second attempt is open now, so a third one at the same node is a duplicate.
    assert.equal((await judgedAt(other, `${takesMs}3`.padStart(32, '0'))).risk?.verdict.is, 'decline');
  }
});
