import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exampleFacts } from '../examples.ts';
import type { ListEntry, RiskStore } from '../ports.ts';
import { createStoredLists } from './lists.ts';

const T0 = 1_790_000_000_000;
const merchantId = exampleFacts().merchantId;
const clock = { now: () => T0 };

type TestStore = RiskStore & { reads: number; isDown: boolean };

/** Entries in a map, answered a tick later as a database would. */
function createStore(): TestStore {
  const entries = new Map<string, ListEntry>();
  let version = 0;
  const keyOf = ({ merchantId: of, list, kind, value }: Omit<ListEntry, 'expiresAt'>) => JSON.stringify([of, list, kind, value]);
  const turn = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    if (store.isDown) throw new Error('the store is down');
  };
  const store: TestStore = {
    reads: 0,
    isDown: false,
    async listVersion() {
      await turn();
      return version;
    },
    async listEntries(now, of) {
      store.reads += 1;
      const found = [...entries.values()].filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
      await turn();
      return found.filter((entry) => of === null || entry.merchantId === of);
    },
    async putListEntry(entry) {
      await turn();
      entries.set(keyOf(entry), entry);
      version += 1;
    },
    async removeListEntry(entry) {
      await turn();
      const isGone = entries.delete(keyOf(entry));
      if (isGone) version += 1;
      return isGone;
    },
    deleteListEntries: async () => 0,
  };
  return store;
}

const card = (value: string, expiresAt: number | null = null): ListEntry => ({
  merchantId,
  list: 'block',
  kind: 'card',
  value,
  expiresAt,
});
const isBlocked = async (lists: Awaited<ReturnType<typeof createStoredLists>>, fingerprint: string) =>
  (await lists.listed([{ list: 'block', subject: 'card' }], exampleFacts({}, { fingerprint })))[0];

test('entries are there after a start', async () => {
  const store = createStore();
  await (await createStoredLists({ store, clock })).put(card('a'));
  assert.equal(await isBlocked(await createStoredLists({ store, clock }), 'a'), true);
});

test('another node learns of changes when it refreshes, and reads only when there are any', async () => {
  const store = createStore();
  const [one, two] = [await createStoredLists({ store, clock }), await createStoredLists({ store, clock })];
  assert.equal(await one.put(card('a')), true);
  assert.equal(await isBlocked(one, 'a'), true);
  assert.equal(await isBlocked(two, 'a'), false);
  await two.refresh();
  assert.equal(await isBlocked(two, 'a'), true);
  const reads = store.reads;
  await two.refresh();
  assert.equal(store.reads, reads);
  assert.equal(await two.remove(card('a')), true);
  assert.equal(await one.remove(card('a')), false);
  await one.refresh();
  assert.equal(await isBlocked(one, 'a'), false);
});

test('entries are kept in their one form', async () => {
  const store = createStore();
  const lists = await createStoredLists({ store, clock });
  await lists.put({ merchantId, list: 'block', kind: 'ip', value: '::ffff:203.0.113.7', expiresAt: null });
  assert.deepEqual(
    (await store.listEntries(T0, null)).map(({ value }) => value),
    ['203.0.113.7'],
  );
  assert.equal(await lists.remove({ merchantId, list: 'block', kind: 'ip', value: '203.0.113.7/32' }), true);
  await assert.rejects(lists.put({ merchantId, list: 'block', kind: 'bin', value: 'x', expiresAt: null }), /without entryOf/);
});

test('what the store did not take is not in memory either, and what cannot be read leaves what was known', async () => {
  const store = createStore();
  const lists = await createStoredLists({ store, clock });
  await lists.put(card('a'));
  store.isDown = true;
  await assert.rejects(lists.put(card('b')), /down/);
  await assert.rejects(lists.remove(card('a')), /down/);
  await assert.rejects(lists.refresh(), /down/);
  assert.deepEqual([await isBlocked(lists, 'a'), await isBlocked(lists, 'b')], [true, false]);
  store.isDown = false;
  assert.equal(await lists.put(card('b')), true);
});

test('full lists take no more on any node, until one makes room', async () => {
  const store = createStore();
  const [one, two] = [
    await createStoredLists({ store, clock, entriesMax: 2 }),
    await createStoredLists({ store, clock, entriesMax: 2 }),
  ];
  assert.equal(await one.put(card('a')), true);
  assert.equal(await one.put(card('b')), true);
  assert.equal(await one.put(card('c')), false);
  assert.equal(await one.put(card('b', T0 + 1)), true, 'an entry that is there may change');
  await two.refresh();
  assert.equal(await two.put(card('c')), false);
  assert.equal(await one.remove(card('a')), true);
  assert.equal(await two.put(card('c')), true);
  assert.equal((await store.listEntries(T0, null)).length, 2);
});

test('while lists are read again a blocked card stays blocked', async () => {
  const store = createStore();
  const [one, two] = [await createStoredLists({ store, clock }), await createStoredLists({ store, clock })];
  await one.put(card('a'));
  await two.refresh();
  for (let round = 0; round < 20; round += 1) {
    await one.put(card(`other-${round}`));
    let isDone = false;
    const refreshing = two.refresh().then(() => {
      isDone = true;
    });
    for (let looks = 0; !isDone; looks += 1) {
      assert.equal(await isBlocked(two, 'a'), true, `round ${round}, look ${looks}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await refreshing;
  }
});

test('whatever happens at the same time, memory and store agree on the node that changed, and on the other after a refresh', async () => {
  const step = fc.record({
    node: fc.nat(1),
    does: fc.constantFrom('put' as const, 'remove' as const, 'refresh' as const),
    value: fc.constantFrom('a', 'b', 'c'),
    isAwaited: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const store = createStore();
      const nodes = [await createStoredLists({ store, clock }), await createStoredLists({ store, clock })] as const;
      const running: Promise<unknown>[] = [];
      for (const { node, does, value, isAwaited } of steps) {
        const lists = nodes[node] as (typeof nodes)[0];
        const done = does === 'refresh' ? lists.refresh() : does === 'put' ? lists.put(card(value)) : lists.remove(card(value));
        running.push(done);
        if (isAwaited) await done;
      }
      await Promise.all(running);
      const kept = new Set((await store.listEntries(T0, null)).map(({ value }) => value));
      for (const lists of nodes) {
        await lists.refresh();
        for (const value of ['a', 'b', 'c']) assert.equal(await isBlocked(lists, value), kept.has(value), value);
      }
    }),
    { numRuns: 100 },
  );
});
