import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { createKeyRing, findKey, fingerprintKey, LEASE_MS, ready, refresh, renew, sealer, USES_MAX } from './keyRing.ts';
import type { KeyMaker } from './masterKey.ts';
import type { KeyName, KeyRow, KeyStore } from './ports.ts';
import { VaultRefused } from './sealedText.ts';

/** A key ring over keys in memory, with a count of what it asks for. */
function ringOf({ given = {} as Partial<KeyRow>, lag = 0 } = {}) {
  const clock = { at: 1_000_000 };
  const rows: KeyRow[] = [];
  const calls = { rows: 0, unwrapped: 0, reserved: [] as number[], made: [] as number[] };
  let reserved = 0;
  const faults = {
    unwrap: null as Error | null,
    of: null as KeyRow['purpose'] | null,
    reserve: undefined as number | null | undefined,
  };
  const keyRow = ({ owner, purpose, version }: KeyName): KeyRow => ({
    ...{ owner, purpose, version, masterId: 'm', wrapped: Uint8Array.of(version), state: 'current', createdAt: 0, reserved: 0 },
    ...given,
  });
  const make: KeyMaker['make'] = async (name) => {
    calls.made.push(name.version);
    for (const [at, row] of rows.entries())
      if (row.owner === name.owner && row.purpose === name.purpose) rows[at] = { ...row, state: 'retiring' };
    rows.push(keyRow(name));
    reserved = 0;
  };
  const maker: KeyMaker = {
    async rows(owner, purposes) {
      calls.rows += 1;
      const readAt = clock.at - lag;
      for (const purpose of purposes)
        if (!rows.some((row) => row.owner === owner && row.purpose === purpose))
          rows.push(keyRow({ owner, purpose, version: 1 }));
      return { rows: rows.filter((row) => row.owner === owner), readAt };
    },
    make,
    async unwrap({ version, purpose }) {
      calls.unwrapped += 1;
      if (faults.unwrap && (faults.of ?? purpose) === purpose) throw faults.unwrap;
      return createSecretKey(Buffer.alloc(32, purpose === 'data' ? version : 99));
    },
    rewrap: async () => assert.fail(),
  };
  const store = {
    reserveKey: async (_name: KeyName, uses: number) => {
      calls.reserved.push(uses);
      if (faults.reserve !== undefined) return faults.reserve;
      reserved += uses;
      return reserved;
    },
  } as unknown as KeyStore;
  const keyRing = createKeyRing({ maker, store, now: () => clock.at });
  return { keyRing, clock, rows, calls, faults, setReserved: (uses: number) => (reserved = uses) };
}

const firstByte = ({ key }: { readonly key: { export(): Buffer } }): number | undefined => key.export()[0];
const uses = (keyRing: ReturnType<typeof ringOf>['keyRing'], count: number) => {
  for (let used = 0; used < count; used += 1) sealer(keyRing, 'a');
};

test('an owner is loaded once, has keys of both purposes, and is ready without a promise then', async () => {
  const { keyRing, calls } = ringOf();
  await Promise.all([ready(keyRing, 'a'), ready(keyRing, 'a')]);
  assert.equal(ready(keyRing, 'a'), null);
  assert.deepEqual(calls, { rows: 1, unwrapped: 2, reserved: [2 ** 12], made: [] });
  assert.equal(sealer(keyRing, 'a').version, 1);
  assert.equal(firstByte(sealer(keyRing, 'a')), 1);
  assert.equal(fingerprintKey(keyRing, 'a').export()[0], 99);
  assert.equal(keyRing.preparing.size, 0);
});

test('nothing is sealed for an owner that is not ready', () => {
  const { keyRing } = ringOf();
  assert.throws(() => sealer(keyRing, 'a'), /ready/);
  assert.throws(() => fingerprintKey(keyRing, 'a'), /ready/);
});

/** How long after the confirmation an owner is ready without another one. */
const ages: readonly (readonly [ms: number, isReady: boolean])[] = [
  [0, true],
  [LEASE_MS / 2, true],
  [LEASE_MS / 2 + 1, false],
  [-1, false],
];
for (const [ms, isReady] of ages) {
  test(`${ms} ms after it was confirmed an owner is ${isReady ? '' : 'not '}ready`, async () => {
    const { keyRing, clock, calls } = ringOf();
    await ready(keyRing, 'a');
    clock.at += ms;
    const wait = ready(keyRing, 'a');
    assert.equal(wait === null, isReady);
    await wait;
    assert.equal(calls.rows, isReady ? 1 : 2);
    assert.equal(calls.unwrapped, 2, 'known keys are not unwrapped again');
    assert.deepEqual(calls.reserved, [2 ** 12], 'uses that are left stay');
  });
}

test('a key counts as confirmed when its row was read, not when the answer came', async () => {
  const { keyRing, clock } = ringOf({ lag: 1_000 });
  await ready(keyRing, 'a');
  clock.at += LEASE_MS / 2 - 1_000;
  assert.equal(ready(keyRing, 'a'), null);
  clock.at += 1;
  assert.notEqual(ready(keyRing, 'a'), null);
});

test('uses are reserved in growing blocks, before they run out', async () => {
  const { keyRing, calls } = ringOf();
  await ready(keyRing, 'a');
  uses(keyRing, 2 ** 12 - 1_024);
  assert.equal(ready(keyRing, 'a'), null);
  assert.deepEqual(calls.reserved, [2 ** 12], 'a part of 64 is left');
  uses(keyRing, 1);
  assert.equal(ready(keyRing, 'a'), null);
  assert.deepEqual(calls.reserved, [2 ** 12, 2 ** 16], 'the next one has been asked for');
  assert.equal(ready(keyRing, 'a'), null);
  assert.equal(calls.reserved.length, 2, 'once');
  await keyRing.rings.get('a')?.reserving;
  assert.equal(keyRing.rings.get('a')?.left, 1_023 + 2 ** 16);
  uses(keyRing, 2 ** 16);
  assert.equal(ready(keyRing, 'a'), null);
  await keyRing.rings.get('a')?.reserving;
  uses(keyRing, 2 ** 20);
  ready(keyRing, 'a');
  await keyRing.rings.get('a')?.reserving;
  assert.deepEqual(calls.reserved, [2 ** 12, 2 ** 16, 2 ** 20, 2 ** 20], 'no block is larger');
});

test('an owner without uses waits for the next block', async () => {
  const { keyRing, calls } = ringOf();
  await ready(keyRing, 'a');
  uses(keyRing, 2 ** 12);
  const wait = ready(keyRing, 'a');
  assert.notEqual(wait, null);
  await wait;
  assert.deepEqual([calls.rows, calls.reserved], [1, [2 ** 12, 2 ** 16]]);
});

test('a key whose uses run out is replaced', async () => {
  const { keyRing, calls, setReserved } = ringOf();
  setReserved(USES_MAX - 2 ** 12);
  await ready(keyRing, 'a');
  assert.deepEqual([sealer(keyRing, 'a').version, calls.made], [1, []], 'its last block is still used');
  uses(keyRing, 2 ** 12);
  await ready(keyRing, 'a');
  assert.deepEqual([sealer(keyRing, 'a').version, calls.made, firstByte(sealer(keyRing, 'a'))], [2, [2], 2]);
});

test('a key that another process has retired is loaded again, and not replaced', async () => {
  const { keyRing, calls, faults } = ringOf();
  faults.reserve = null;
  await assert.rejects(ready(keyRing, 'a') ?? assert.fail(), /faster than they can be used/);
  assert.deepEqual([calls.made, calls.reserved.length, calls.rows], [[], 8, 9]);
});

test('a failure in the background is told to the next caller that finds no uses left', async () => {
  const { keyRing, faults } = ringOf();
  await ready(keyRing, 'a');
  faults.reserve = null;
  uses(keyRing, 2 ** 12 - 10);
  assert.equal(ready(keyRing, 'a'), null);
  await keyRing.rings.get('a')?.reserving?.catch(() => {});
  uses(keyRing, 10);
  await assert.rejects(ready(keyRing, 'a') ?? assert.fail(), /faster/);
});

test('a text is opened with the key of its version, which is looked for in the store once', async () => {
  const { keyRing, calls, clock } = ringOf();
  await ready(keyRing, 'a');
  assert.equal((await findKey(keyRing, 'a', 1)).export()[0], 1);
  assert.equal(calls.rows, 1);
  await assert.rejects(findKey(keyRing, 'a', 2), (error) => error instanceof VaultRefused && error.why === 'unknownKey');
  assert.equal(calls.rows, 2);
  clock.at += LEASE_MS;
  await findKey(keyRing, 'a', 1);
  assert.equal(calls.rows, 2);
  clock.at += 1;
  await findKey(keyRing, 'a', 1);
  assert.equal(calls.rows, 3, 'after the lease the keys are read again');
});

test('to open a text no key is made, and the owner is not ready by it', async () => {
  const { keyRing, rows } = ringOf();
  await assert.rejects(findKey(keyRing, 'a', 1), VaultRefused);
  assert.deepEqual(rows, []);
  assert.throws(() => sealer(keyRing, 'a'), /ready/);
  assert.throws(() => fingerprintKey(keyRing, 'a'), /ready/);
});

test('a damaged key is refused where it is used, and a failure that is none passes', async () => {
  const { keyRing, faults, rows } = ringOf();
  await ready(keyRing, 'a');
  rows.push({ ...(rows[0] as KeyRow), version: 5, state: 'retiring' });
  rows.push({ ...(rows[0] as KeyRow), version: 6, state: 'retired', wrapped: null });
  faults.unwrap = new VaultRefused('damagedKey');
  await assert.rejects(findKey(keyRing, 'a', 5), (error) => error instanceof VaultRefused && error.why === 'damagedKey');
  await assert.rejects(findKey(keyRing, 'a', 6), (error) => error instanceof VaultRefused && error.why === 'retired');
  assert.equal((await findKey(keyRing, 'a', 1)).export()[0], 1);
  faults.unwrap = new Error('no connection');
  rows.push({ ...(rows[0] as KeyRow), version: 7, state: 'retiring' });
  await assert.rejects(findKey(keyRing, 'a', 7), /no connection/);
  await assert.rejects(ready(keyRing, 'b') ?? assert.fail(), /no connection/);
  faults.unwrap = new VaultRefused('damagedKey');
  await assert.rejects(
    ready(keyRing, 'c') ?? assert.fail(),
    (error) => error instanceof VaultRefused && error.why === 'damagedKey',
  );
});

test('a refresh reads the keys of owners that were used since the last one, and drops idle ones', async () => {
  const { keyRing, calls, clock } = ringOf();
  await ready(keyRing, 'a');
  await refresh(keyRing);
  assert.equal(calls.rows, 2);
  clock.at += 1;
  await refresh(keyRing);
  assert.equal(calls.rows, 3, 'used at the very instant of the refresh before');
  await refresh(keyRing);
  assert.equal(calls.rows, 3, 'not used since');
  clock.at += 10_000;
  ready(keyRing, 'a');
  await refresh(keyRing);
  assert.equal(calls.rows, 4);
  clock.at += 600_000;
  await refresh(keyRing);
  assert.equal(keyRing.rings.has('a'), true, 'ten minutes are not too long');
  clock.at += 1;
  await refresh(keyRing);
  assert.equal(keyRing.rings.has('a'), false);
  assert.equal(calls.rows, 5);
});

test('a damaged key of one owner does not keep the others from a refresh, and is told at its end', async () => {
  const { keyRing, calls, faults, rows } = ringOf();
  await ready(keyRing, 'a');
  await ready(keyRing, 'b');
  const before = calls.rows;
  const { rows: read } = keyRing.maker;
  const maker = {
    ...keyRing.maker,
    rows: (owner: string, purposes: Parameters<typeof read>[1]) =>
      owner === 'a' ? Promise.reject(new VaultRefused('damagedKey')) : read(owner, purposes),
  };
  await assert.rejects(
    refresh(Object.assign(keyRing, { maker })),
    (error) => error instanceof VaultRefused && error.why === 'damagedKey',
  );
  assert.equal(calls.rows, before + 1);
  faults.unwrap = new Error('no connection');
  rows.push({ ...(rows[0] as KeyRow), owner: 'b', version: 9, state: 'retiring' });
  Object.assign(keyRing, { maker: { ...maker, rows: read } });
  ready(keyRing, 'b');
  await assert.rejects(refresh(keyRing), /no connection/);
});

test('a renewal makes the next version, once, whoever else asks for it', async () => {
  const { keyRing, calls } = ringOf();
  await ready(keyRing, 'a');
  assert.equal(await renew(keyRing, 'a', 1), 2);
  assert.equal(await renew(keyRing, 'a', 1), 2);
  assert.deepEqual(calls.made, [2]);
  await ready(keyRing, 'a');
  assert.equal(sealer(keyRing, 'a').version, 2);
  assert.equal(keyRing.rings.get('a')?.left, 2 ** 16 - 1, 'the uses of the old key are none of the new one');
});

test('a new key that does not become the current one is an error', async () => {
  const { keyRing, calls } = ringOf({ given: { state: 'retiring' } });
  await assert.rejects(renew(keyRing, 'a', 1), /does not become the current one/);
  assert.deepEqual(calls.made, [2, 2]);
});

test('a key is used 2^30 times at most', () => assert.equal(USES_MAX, 1_073_741_824));

test('who asks while the keys are loaded waits for the same load', async () => {
  const { keyRing } = ringOf();
  const first = ready(keyRing, 'a');
  assert.ok(first instanceof Promise);
  assert.equal(ready(keyRing, 'a'), first);
  await first;
});

test('a text that is opened keeps its owner active, as a seal does', async () => {
  const { keyRing, calls, clock } = ringOf();
  await ready(keyRing, 'a');
  clock.at += 10_000;
  await refresh(keyRing);
  clock.at += 10_000;
  await findKey(keyRing, 'a', 1);
  const before = calls.rows;
  await refresh(keyRing);
  assert.equal(calls.rows, before + 1, 'opened since the last refresh');
  clock.at += 1;
  await refresh(keyRing);
  clock.at += LEASE_MS;
  await ready(keyRing, 'a');
  const later = calls.rows;
  await refresh(keyRing);
  assert.equal(calls.rows, later + 1, 'prepared since the last refresh');
});

/** The rows that each load reads wait until they are let go. */
function heldRing() {
  const made = ringOf();
  const { rows: read } = made.keyRing.maker;
  const gates: (() => void)[] = [];
  const held: KeyMaker['rows'] = async (...asked) => {
    const found = await read(...asked);
    await new Promise<void>((resolve) => gates.push(resolve));
    return found;
  };
  const hold = (is: boolean) => Object.assign(made.keyRing, { maker: { ...made.keyRing.maker, rows: is ? held : read } });
  return { ...made, gates, hold };
}
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a slow load that read before a rotation does not bring the old key back', async () => {
  const { keyRing, gates, hold, calls } = heldRing();
  await ready(keyRing, 'a');
  hold(true);
  const slow = findKey(keyRing, 'a', 7).catch((error) => error);
  await turn();
  hold(false);
  assert.equal(await renew(keyRing, 'a', 1), 2);
  gates[0]?.();
  assert.ok((await slow) instanceof VaultRefused);
  await ready(keyRing, 'a');
  assert.deepEqual([sealer(keyRing, 'a').version, calls.made], [2, [2]]);
  assert.equal(fingerprintKey(keyRing, 'a').export()[0], 99);
  assert.equal((await findKey(keyRing, 'a', 2)).export()[0], 2);
});

test('a slow first load still gives the keys that a quicker one did not ask for', async () => {
  const { keyRing, gates, hold } = heldRing();
  hold(true);
  const first = ready(keyRing, 'a');
  await turn();
  hold(false);
  await findKey(keyRing, 'a', 1);
  assert.throws(() => fingerprintKey(keyRing, 'a'), /ready/);
  gates[0]?.();
  await first;
  assert.equal(fingerprintKey(keyRing, 'a').export()[0], 99);
  assert.equal(firstByte(sealer(keyRing, 'a')), 1);
});

test('a slow first load that makes the keys gives them although a quicker one found none', async () => {
  const { keyRing } = ringOf();
  const { rows: read } = keyRing.maker;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const late: KeyMaker['rows'] = (...asked) => held.then(() => read(...asked));
  Object.assign(keyRing, { maker: { ...keyRing.maker, rows: late } });
  const first = ready(keyRing, 'a');
  Object.assign(keyRing, { maker: { ...keyRing.maker, rows: read } });
  await assert.rejects(findKey(keyRing, 'a', 1), VaultRefused);
  release();
  await first;
  assert.equal(firstByte(sealer(keyRing, 'a')), 1);
});

test('a slow load that asked for no fingerprint key takes none away', async () => {
  const { keyRing, gates, hold } = heldRing();
  hold(true);
  const slow = findKey(keyRing, 'a', 1).catch((error) => error);
  await turn();
  hold(false);
  await ready(keyRing, 'a');
  gates[0]?.();
  await slow;
  assert.equal(fingerprintKey(keyRing, 'a').export()[0], 99);
});

test('a data key that does not open is refused before anything is sealed', async () => {
  const { keyRing, faults } = ringOf();
  Object.assign(faults, { unwrap: new VaultRefused('damagedKey'), of: 'data' });
  await assert.rejects(Promise.resolve(ready(keyRing, 'a')), { name: 'VaultRefused', why: 'damagedKey' });
});

test('a key is used for a minute after the store has confirmed it', () => assert.equal(LEASE_MS, 60_000));

test('a key that is opened while the first keys are loaded takes no fingerprint key away', async () => {
  const { keyRing } = ringOf();
  const { rows } = keyRing.maker;
  const held = Promise.withResolvers<void>();
  let asked = 0;
  const slowly: KeyMaker['rows'] = async (...given) => {
    asked += 1;
    const isSecond = asked === 2;
    const found = await rows(...given);
    if (isSecond) await held.promise;
    return found;
  };
  Object.assign(keyRing.maker, { rows: slowly });
  const first = ready(keyRing, 'a');
  const opened = findKey(keyRing, 'a', 1);
  await first;
  held.resolve();
  await opened;
  assert.equal(fingerprintKey(keyRing, 'a').export()[0], 99);
});
