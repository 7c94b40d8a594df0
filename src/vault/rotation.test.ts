import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sealedBefore } from '../../test/faults/formatOne.ts';
import { CHECKOUT_MS } from '../checkouts/checkout.ts';
import { SEALED_MS } from '../checkouts/secrets.ts';
import { exampleCommit, examplePayment } from '../payments/examples.ts';
import type { Payment } from '../payments/payment.ts';
import { DAY_MS } from '../spec/time.ts';
import { createMemoryStore, type MemoryStore } from '../store/memory/memoryStore.ts';
import { localMasters } from './masterKey.ts';
import type { SealedRecord } from './ports.ts';
import { type Progress, RotationStopped, rotateData, rotateMaster, SHORT_LIVED_MS } from './rotation.ts';
import { keyOfText } from './sealedText.ts';
import { type OpenedVault, openVault } from './vault.ts';

const MASTER = new Uint8Array(32).fill(7);
const NEW_MASTER = new Uint8Array(32).fill(8);
const clock = { at: 1_000_000 };
const now = () => clock.at;
const recordOf = (owner: string, name: string): SealedRecord => ({
  merchantId: owner,
  entityId: owner,
  recordId: owner,
  field: name,
});

/** Three owners with ten secrets each, every fifth in the old format. */
async function createRotationWorld() {
  const store = createMemoryStore();
  const vault = await openVault({ masters: localMasters(MASTER, []), store, now });
  for (const owner of ['a', 'b', 'c']) {
    await vault.ready(owner);
    for (let at = 0; at < 10; at += 1) {
      const record = recordOf(owner, `s${at}`);
      const clear = `${owner} ${at}`;
      await store.storeSecret(owner, `s${at}`, at % 5 === 0 ? sealedBefore(MASTER, record, clear) : vault.seal(record, clear));
    }
  }
  return { store, vault };
}

type World = { readonly store: MemoryStore; readonly vault: OpenedVault };

function needsOf({ store, vault }: World, more: { signal?: AbortSignal } = {}) {
  const steps: Progress[] = [];
  const slept: number[] = [];
  const sleep = async (ms: number) => {
    slept.push(ms);
    clock.at += ms;
  };
  return { store, vault, now, sleep, progress: (at: Progress) => steps.push(at), steps, slept, ...more };
}

async function versionsOf({ store }: World): Promise<Record<string, (number | string | null)[]>> {
  const found: Record<string, Set<number | string | null>> = {};
  for (const { merchantId, sealed } of await store.sealedAfter(null, 1_000)) {
    found[merchantId] ??= new Set();
    found[merchantId]?.add(keyOfText(sealed));
  }
  return Object.fromEntries(Object.entries(found).map(([owner, versions]) => [owner, [...versions]]));
}

async function opensEverything({ store, vault }: World): Promise<void> {
  const rows = await store.sealedAfter(null, 1_000);
  assert.equal(rows.length, 30);
  for (const row of rows) assert.equal(await vault.open(row, row.sealed), `${row.merchantId} ${row.field.slice(1)}`);
}

const statesOf = async ({ store }: World, owner: string) =>
  (await store.keys(owner)).flatMap(({ purpose, version, state }) => (purpose === 'data' ? [`${version} ${state}`] : []));

test('every text is sealed under a new key and the old ones are destroyed, after the lease', async () => {
  const world = await createRotationWorld();
  const needs = needsOf(world);
  const result = await rotateData(needs, null);
  assert.deepEqual(result, { renewed: 3, continued: 0, resealed: 30, retired: 3, broken: [] });
  assert.deepEqual(await versionsOf(world), { a: [2], b: [2], c: [2] });
  assert.deepEqual(await statesOf(world, 'b'), ['1 retired', '2 current']);
  await opensEverything(world);
  const waited = needs.steps.findIndex(({ phase }) => phase === 'resealing');
  assert.ok(needs.steps.slice(0, waited).filter(({ phase }) => phase === 'waiting').length >= 60);
  assert.ok(needs.slept.reduce((sum, ms) => sum + ms, 0) >= 90_000, 'the lease and the time of a commit');
  assert.deepEqual(needs.steps.at(-1), { phase: 'retiring', done: 3, total: 3 });
});

test('a key is destroyed only when the last checkout under it is over, and what was begun long ago is not waited for again', async () => {
  assert.ok(SHORT_LIVED_MS > CHECKOUT_MS, 'a checkout must be over by then');
  assert.ok(CHECKOUT_MS >= SEALED_MS, 'and with it what browsers hold');
  const world = await createRotationWorld();
  const record = { ...recordOf('a', 'checkout'), recordId: 'A.node1' };
  const sealed: Uint8Array[] = [];
  const needs = needsOf(world);
  let sealedAt = 0;
  const sleep = async (ms: number) => {
    // The last that a node seals with the old key, before the lease is over.
    if (needs.slept.length === 50) [sealed[0], sealedAt] = [old, clock.at];
    await needs.sleep(ms);
    const [text] = sealed;
    if (text && clock.at <= sealedAt + CHECKOUT_MS) assert.equal(await world.vault.open(record, text), 'passport');
  };
  const old = world.vault.seal(record, 'passport');
  const { retired } = await rotateData({ ...needs, sleep }, null);
  assert.equal(retired, 3);
  assert.ok(clock.at > sealedAt + CHECKOUT_MS);
  await world.vault.refresh();
  await assert.rejects(world.vault.open(record, old), { name: 'VaultRefused', why: 'retired' });

  await world.vault.renew('a', 2);
  clock.at += SHORT_LIVED_MS;
  const again = needsOf(world);
  assert.equal((await rotateData(again, 'a')).retired, 1);
  assert.ok(again.slept.reduce((sum, ms) => sum + ms, 0) < 200_000);
});

test('the proof of an authentication is resealed inside of its payment', async () => {
  const world = await createRotationWorld();
  const { id, merchantId, entityId } = examplePayment();
  const record = { merchantId, entityId, recordId: id, field: 'proof' };
  await world.vault.ready(merchantId);
  const sealedProof = Buffer.from(world.vault.seal(record, 'proof')).toString('base64');
  const threeDS = { sealedProof } as Payment['threeDS'];
  await world.store.commit(exampleCommit(examplePayment({ threeDS })));
  const { resealed, retired, broken } = await rotateData(needsOf(world), null);
  assert.deepEqual([resealed, retired, broken], [31, 4, []]);
  await world.vault.refresh();
  const stored = (await world.store.payment(merchantId, id))?.threeDS?.sealedProof ?? '';
  assert.notEqual(stored, sealedProof);
  assert.equal(await world.vault.open(record, Buffer.from(stored, 'base64')), 'proof');
});

test('one owner alone', async () => {
  const world = await createRotationWorld();
  const result = await rotateData(needsOf(world), 'b');
  assert.deepEqual(result, { renewed: 1, continued: 0, resealed: 10, retired: 1, broken: [] });
  assert.deepEqual(await versionsOf(world), { a: ['derived', 1], b: [2], c: ['derived', 1] });
});

test('a second rotation gives a new key again; one that was begun is finished instead', async () => {
  const world = await createRotationWorld();
  await rotateData(needsOf(world), null);
  assert.equal((await rotateData(needsOf(world), null)).renewed, 3);
  await world.vault.renew('a', 3);
  const finished = await rotateData(needsOf(world), 'a');
  assert.deepEqual([finished.renewed, finished.continued, finished.retired], [0, 1, 1]);
  await world.vault.renew('a', 4);
  clock.at += DAY_MS;
  const late = await rotateData(needsOf(world), 'a');
  assert.deepEqual([late.renewed, late.continued, late.retired], [1, 0, 2]);
  await opensEverything(world);
});

/** A store whose process dies at its n-th call, before or after the call was heard. */
function dyingAt(store: MemoryStore, at: number, isHeard: boolean): MemoryStore {
  let calls = 0;
  return new Proxy(store, {
    get(target, name) {
      const method = target[name as keyof MemoryStore];
      if (typeof method !== 'function') return method;
      return async (...words: never[]) => {
        calls += 1;
        if (calls > at) throw new Error('dead');
        if (calls === at && isHeard) await (method as (...its: never[]) => Promise<unknown>)(...words);
        if (calls === at) throw new Error('dead');
        return (method as (...its: never[]) => Promise<unknown>)(...words);
      };
    },
  });
}

const open = (store: MemoryStore, ...[current, ...previous]: [Uint8Array, ...Uint8Array[]]) =>
  openVault({ masters: localMasters(current, previous), store, now });

/** The long wait is many short ones: a few of them show a crash as well. */
const soon = (world: World) => ({ ...needsOf(world), shortLivedMs: 3_000 });

test('a crash at any call loses nothing, and running it again finishes it', async () => {
  let deaths = 0;
  for (const isHeard of [false, true]) {
    for (let at = 1; ; at += 1) {
      const { store } = await createRotationWorld();
      const dying = dyingAt(store, at, isHeard);
      const died = await open(dying, MASTER)
        .then((vault) => rotateData(soon({ store: dying, vault }), null))
        .then(
          () => false,
          () => true,
        );
      const world = { store, vault: await open(store, MASTER) };
      await opensEverything(world);
      await rotateData(soon(world), null);
      await opensEverything(world);
      const rows = (await store.keys(null)).filter(({ purpose }) => purpose === 'data');
      assert.ok(
        rows.every(({ state }) => state !== 'retiring'),
        `a key is left after a crash at call ${at}`,
      );
      if (!died) break;
      deaths += 1;
    }
  }
  assert.ok(deaths > 40, `${deaths}`);
});

test('a crash at any call of the master rotation is made good by another run', async () => {
  let deaths = 0;
  for (let at = 1; ; at += 1) {
    const { store } = await createRotationWorld();
    const dying = dyingAt(store, at, at % 2 === 0);
    const died = await open(dying, NEW_MASTER, MASTER)
      .then((vault) => rotateMaster(needsOf({ store: dying, vault })))
      .then(
        () => false,
        () => true,
      );
    const world = { store, vault: await open(store, NEW_MASTER, MASTER) };
    await opensEverything(world);
    const { left, broken } = await rotateMaster(needsOf(world));
    assert.deepEqual([left, broken], [0, []]);
    await opensEverything({ store, vault: await open(store, NEW_MASTER) });
    await assert.rejects(open(store, MASTER), { name: 'WrongMasterKey' });
    if (!died) break;
    deaths += 1;
  }
  assert.ok(deaths > 10, `${deaths}`);
});

test('what does not open is named and left, and its key is kept', async () => {
  const world = await createRotationWorld();
  const [good, moved] = [await world.store.secret('a', 's1'), await world.store.secret('a', 's2')];
  await world.store.storeSecret('b', 's3', moved);
  await world.store.storeSecret('b', 's4', Uint8Array.of(9, 9));
  const result = await rotateData(needsOf(world), null);
  assert.deepEqual(result.broken, [
    { table: 'secret', id: 'b', owner: 'b' },
    { table: 'secret', id: 'b', owner: 'b' },
  ]);
  assert.deepEqual([result.resealed, result.retired], [28, 2]);
  assert.deepEqual(await statesOf(world, 'b'), ['1 retiring', '2 current']);
  assert.deepEqual(await world.store.secret('b', 's3'), moved);
  assert.notDeepEqual(await world.store.secret('a', 's1'), good);
});

test('a damaged key is named by the master rotation, and its master key stays needed', async () => {
  const world = await createRotationWorld();
  const [row] = (await world.store.keys('c')).filter(({ purpose }) => purpose === 'data');
  assert.ok(row?.wrapped);
  await world.store.rewrapKey(row, row.masterId, { masterId: row.masterId, wrapped: row.wrapped.map((byte) => byte ^ 1) });
  const again = { store: world.store, vault: await open(world.store, NEW_MASTER, MASTER) };
  const result = await rotateMaster(needsOf(again));
  assert.equal(result.left, 1);
  assert.deepEqual(
    result.broken.filter(({ table }) => table === 'data_key'),
    [{ table: 'data_key', id: 'c data 1', owner: 'c' }],
  );
});

test('a text that is written under the old key while it is rotated is found by a further walk', async () => {
  const world = await createRotationWorld();
  const node = await open(world.store, MASTER);
  await node.ready('a');
  let walks = 0;
  const store = new Proxy(world.store, {
    get(target, name) {
      if (name === 'countSealed') walks += 1;
      // Behind the first walk's back, as a node may that has not heard of the new key yet.
      if (name !== 'reseal' || walks > 1) return target[name as keyof MemoryStore];
      return async (...words: Parameters<MemoryStore['reseal']>) => {
        const count = await target.reseal(...words);
        await target.storeSecret('a', 's1', node.seal(recordOf('a', 's1'), 'a 1'));
        return count;
      };
    },
  });
  await rotateData(needsOf({ ...world, store }), null);
  assert.ok(walks >= 3);
  await opensEverything(world);
});

test('control: a node that seals with an old key after its lease writes unreadable text', async () => {
  const world = await createRotationWorld();
  const node = await open(world.store, MASTER);
  await node.ready('a');
  await rotateData({ ...needsOf(world), leaseMs: 0, shortLivedMs: 0 }, null);
  const sealed = node.seal(recordOf('a', 's1'), 'a 1');
  await world.vault.refresh();
  await assert.rejects(world.vault.open(recordOf('a', 's1'), sealed), { name: 'VaultRefused', why: 'retired' });
});

test('it ends when it is asked to, and goes on when it is run again', async () => {
  const world = await createRotationWorld();
  const ending = new AbortController();
  const needs = needsOf(world, { signal: ending.signal });
  const sleep = async (ms: number) => {
    if (needs.slept.length === 5) ending.abort();
    return needs.sleep(ms);
  };
  await assert.rejects(rotateData({ ...needs, sleep }, null), RotationStopped);
  assert.deepEqual(await statesOf(world, 'a'), ['1 retiring', '2 current']);
  assert.equal((await rotateData(needsOf(world), null)).continued, 3);
  await opensEverything(world);
});
