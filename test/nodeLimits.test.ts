import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { RateStore } from '../src/merchants/ports.ts';
import type { Limit } from '../src/merchants/settings.ts';
import { createNodeThrottler, createThrottler } from '../src/merchants/throttle.ts';
import { createRateBuckets } from '../src/store/oneProcess.ts';
import { openPostgresStore } from '../src/store/postgres/postgresStore.ts';
import { dropUnused, freshDatabase } from './contract/freshDatabases.ts';

/** Rate limits of four nodes on one store. */

const NODES = 4;
const T0 = 1_790_000_000_000;
const STEP_MS = 40;
const SECONDS = 20;

type Opened = { readonly stores: readonly RateStore[]; end(): Promise<void> };

async function onPostgres(): Promise<Opened> {
  const database = await freshDatabase();
  const stores: Awaited<ReturnType<typeof openPostgresStore>>[] = [];
  for (let at = 0; at < NODES; at += 1) stores.push(await openPostgresStore({ url: database.url }));
  return {
    stores,
    end: async () => {
      for (const store of stores) await store.close();
      await database.giveBack(true);
    },
  };
}

async function inMemory(): Promise<Opened> {
  const store = createRateBuckets();
  return { stores: Array.from({ length: NODES }, () => store), end: async () => {} };
}

after(dropUnused);

function startNodes(stores: readonly RateStore[], clock: { now(): number }, nodes: number) {
  return stores.map((store) => createNodeThrottler({ local: createThrottler(clock), store, clock, nodes: () => nodes }));
}

/** How many requests pass when every node named gets one request each step. */
async function passed(
  stores: readonly RateStore[],
  limit: Limit,
  { nodes, busy, entity }: { nodes: number; busy: number; entity: string },
) {
  let now = T0;
  const throttlers = startNodes(stores, { now: () => now }, nodes);
  let count = 0;
  for (; now < T0 + SECONDS * 1000; now += STEP_MS) {
    const waits = throttlers.slice(0, busy).map((one) => one.waitMs(entity, 'pay', limit));
    for (const ms of await Promise.all(waits)) if (ms === 0) count += 1;
    if ((now - T0) % 1000 === 0) for (const one of throttlers) await one.giveBack();
  }
  return count;
}

const limits: readonly Limit[] = [
  { requests: 5, perSeconds: 5 },
  { requests: 100, perSeconds: 10 },
  { requests: 200, perSeconds: 5 },
];
const expectedOf = ({ requests, perSeconds }: Limit, busy: number): number =>
  Math.min(requests + (requests / perSeconds) * SECONDS, (busy * SECONDS * 1000) / STEP_MS);

for (const [name, open] of Object.entries({ memory: inMemory, postgres: onPostgres })) {
  test(`${name}: a limit holds for ${NODES} nodes together within a tenth, wherever the requests arrive`, async () => {
    const { stores, end } = await open();
    try {
      for (const [at, limit] of limits.entries())
        for (const busy of [1, NODES]) {
          const count = await passed(stores, limit, { nodes: NODES, busy, entity: `${at} ${busy} ` });
          const expected = expectedOf(limit, busy);
          assert.ok(
            Math.abs(count - expected) <= expected / 10,
            `${JSON.stringify(limit)}, ${busy} busy: ${count} of ${expected}`,
          );
        }
      // Without the exchange each node has the limit for itself.
      const apart = await passed(stores, { requests: 5, perSeconds: 5 }, { nodes: 1, busy: NODES, entity: 'apart' });
      assert.ok(apart > 3 * expectedOf({ requests: 5, perSeconds: 5 }, NODES), String(apart));
    } finally {
      await end();
    }
  });

  test(`${name}: of a burst at all nodes as many pass as the limit says`, async () => {
    const { stores, end } = await open();
    try {
      const throttlers = startNodes(stores, { now: () => T0 }, NODES);
      const waits = await Promise.all(
        Array.from({ length: 40 }, (_, at) => throttlers[at % NODES]?.waitMs('burst', 'pay', { requests: 5, perSeconds: 5 })),
      );
      assert.equal(waits.filter((ms) => ms === 0).length, 5);
      assert.ok(
        waits.every((ms) => ms === 0 || ms === 1000),
        waits.join(),
      );
    } finally {
      await end();
    }
  });

  test(`${name}: nodes come and go, and old buckets are deleted`, async () => {
    const { stores, end } = await open();
    const [store] = stores as readonly [RateStore];
    try {
      assert.equal(await store.noteNode('a', T0, T0 - 10), 1);
      assert.equal(await store.noteNode('b', T0 + 5, T0 - 5), 2);
      assert.equal(await store.noteNode('b', T0 + 20, T0 + 10), 1);
      const draw = { key: 'k', requests: 3, msPerRequest: 100, now: T0 };
      assert.deepEqual(await store.drawRequests({ ...draw, wanted: 5 }), { granted: 3, level: 0 });
      assert.deepEqual(await store.drawRequests({ ...draw, wanted: 1, now: T0 + 150 }), { granted: 1, level: 0.5 });
      assert.deepEqual(await store.drawRequests({ ...draw, wanted: 1, now: T0 }), { granted: 0, level: 0.5 });
      assert.equal((await store.drawRequests({ ...draw, wanted: -9, now: T0 + 150 })).level, 3);
      assert.deepEqual([await store.deleteRates(T0), await store.deleteRates(T0 + 151)], [0, 1]);
    } finally {
      await end();
    }
  });
}

test('a node alone asks the store for nothing, and one without a store has its own limits', async () => {
  const limit = { requests: 2, perSeconds: 1 };
  const broken: Pick<RateStore, 'drawRequests'> = { drawRequests: () => Promise.reject(new Error('out of order')) };
  for (const nodes of [1, 2]) {
    const throttler = createNodeThrottler({
      local: createThrottler({ now: () => T0 }),
      store: broken,
      clock: { now: () => T0 },
      nodes: () => nodes,
    });
    const waits = [];
    for (let at = 0; at < 3; at += 1) waits.push(await throttler.waitMs('e', 'pay', limit));
    assert.deepEqual(waits, [0, 0, 500]);
  }
});
