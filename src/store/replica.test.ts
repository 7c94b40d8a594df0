import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreOutOfOrder } from '../payments/storeErrors.ts';
import { createReplica, type ReplicaReads, type ReplicaSource, replicaReads } from './replica.ts';

const LAG_MS_MAX = 10_000;

/** A primary and a replica that say who they are, and positions that the test moves. */
function setUp(changed: Partial<ReplicaSource> = {}) {
  const state = { at: 0, written: 100n, replayed: 100n as bigint | null, isDown: false, checks: 0, lines: [] as string[] };
  const answering = (name: string, isDown: () => boolean) =>
    Object.fromEntries(
      replicaReads.map((read) => [
        read,
        async () => {
          if (isDown()) throw new StoreOutOfOrder('away');
          return name;
        },
      ]),
    ) as unknown as ReplicaReads;
  const source: ReplicaSource = {
    reads: answering('replica', () => state.isDown),
    written: async () => {
      state.checks += 1;
      return state.written;
    },
    replayed: async () => {
      if (state.isDown) throw new StoreOutOfOrder('away');
      return state.replayed;
    },
    close: async () => {},
    ...changed,
  };
  const replica = createReplica(
    answering('primary', () => false),
    source,
    { now: () => state.at, lagMsMax: LAG_MS_MAX, log: { warn: (_, text) => state.lines.push(text) } },
  );
  const read = async (): Promise<string> => (await replica.reads.foldRevision()) as unknown as string;
  return { state, replica, read };
}

test('a replica that has everything is read, and compared once a second', async () => {
  const { state, read, replica } = setUp();
  for (let times = 0; times < 5; times += 1) assert.equal(await read(), 'replica');
  assert.equal(state.checks, 1);
  state.at = 1_500;
  assert.deepEqual(await replica.measure(read), { result: 'replica', ageMs: 0 });
  state.at = 2_400;
  assert.deepEqual(await replica.measure(read), { result: 'replica', ageMs: 900 });
  assert.equal(state.checks, 2);
});

test('an idle primary does not make its replica old', async () => {
  const { state, read, replica } = setUp();
  state.at = 86_400_000;
  assert.deepEqual(await replica.measure(read), { result: 'replica', ageMs: 0 });
});

/** How old data of the replica were, at most, while it stopped replaying; the primary writes all the time. */
async function oldestRead(changed: Partial<ReplicaSource> = {}): Promise<{ oldestMs: number; last: string }> {
  const { state, read } = setUp(changed);
  assert.equal(await read(), 'replica');
  let [oldestMs, last] = [0, ''];
  for (let seconds = 1; seconds <= 30; seconds += 1) {
    state.at = seconds * 1_000;
    state.written += 10n;
    last = await read();
    if (last === 'replica') oldestMs = state.at;
  }
  return { oldestMs, last };
}

test('a replica that stops replaying is read for as long as its data are recent enough', async () => {
  assert.deepEqual(await oldestRead(), { oldestMs: LAG_MS_MAX, last: 'primary' });
});

test('control: a replica that is believed without a comparison is read with old data', async () => {
  const { oldestMs } = await oldestRead({ replayed: async () => 10n ** 12n });
  assert.ok(oldestMs > LAG_MS_MAX);
});

test('a replica that catches up is read with the age of what it has', async () => {
  const { state, read, replica } = setUp();
  await read();
  for (let seconds = 1; seconds <= 20; seconds += 1) {
    state.at = seconds * 1_000;
    state.written += 10n;
    await read();
  }
  state.replayed = 100n + 150n;
  state.at = 21_000;
  assert.deepEqual(await replica.measure(read), { result: 'replica', ageMs: 6_000 });
});

test('what this node has changed is read from the primary until the replica has it', async () => {
  const { state, read, replica } = setUp();
  assert.equal(await read(), 'replica');
  state.at = 2_000;
  state.written = 200n;
  replica.noteChange();
  assert.equal(await read(), 'primary');
  state.at = 3_100;
  assert.deepEqual(await replica.measure(read), { result: 'primary', ageMs: null });
  state.replayed = 200n;
  state.at = 4_200;
  assert.equal(await read(), 'replica');
});

test('a replica that is away, or is no standby, is left alone and asked again, and nobody sees an error', async () => {
  for (const leave of [
    (state: ReturnType<typeof setUp>['state']) => {
      state.isDown = true;
    },
    (state: ReturnType<typeof setUp>['state']) => {
      state.replayed = null;
    },
  ]) {
    const { state, read } = setUp();
    leave(state);
    for (let times = 0; times < 10; times += 1) {
      assert.equal(await read(), 'primary');
      state.at += 1_000;
    }
    assert.ok(state.checks >= 2 && state.checks <= 4, `${state.checks}`);
    Object.assign(state, { isDown: false, replayed: 100n });
    for (let times = 0; times < 12 && (await read()) === 'primary'; times += 1) {
      state.at += 1_000;
      await new Promise(setImmediate);
    }
    assert.equal(await read(), 'replica');
    assert.deepEqual(state.lines, [
      'the replica cannot be read; lists and statistics come from the primary',
      'the replica is read again',
    ]);
  }
});

test('an error that is no fault of the server is passed on', async () => {
  const failing = { foldRevision: () => Promise.reject(new TypeError('a bug')) } as unknown as ReplicaReads;
  const { read } = setUp({ reads: failing });
  await assert.rejects(read, TypeError);
});
