import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/store/store.ts';
import { localMasters } from '../../src/vault/masterKey.ts';
import type { Progress } from '../../src/vault/reseal.ts';
import { keyOfText } from '../../src/vault/sealedText.ts';
import { type OpenedVault, openVault } from '../../src/vault/vault.ts';
import { testDatabase } from '../postgres.ts';
import { isLong } from './killRun.ts';
import { fill, type Kept, readOne, rotateApart, startTraffic } from './rotationRun.ts';

/** R23: keys are exchanged while payments are read and written, and the process that does it is killed on the way. */
const RECORDS = isLong ? 100_000 : 3_000;
const OWNERS = isLong ? 10_000 : 300;
const AT_ONCE = 200;
/** The nodes of this test look ten times a second, so that a lease need not be a minute. */
const [LEASE_MS, SETTLE_MS] = isLong ? [5_000, 1_000] : [2_000, 300];
const NUMBER = '4200000000000000';

const databases: readonly (readonly [
  name: string,
  make: () => Promise<{ readonly url: string | null; drop(): Promise<void> }>,
])[] = [
  ['SQLite', async () => ({ url: null, drop: async () => {} })],
  ['PostgreSQL', testDatabase],
];

type Place = {
  readonly store: Store;
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** What was measured, for the report. */
  tell(line: string): void;
};

for (const [name, make] of databases) {
  test(`${name}: R23, data keys and master key are rotated under load, with kills in between`, {
    timeout: 580_000,
  }, async (t) => {
    const place = await openPlace(t, make);
    const [master, later] = [randomBytes(32), randomBytes(32)];
    const vault = await vaultWith(place, master);
    const kept = await fill({ store: place.store, vault }, RECORDS, master);
    await rotatesData(place, { vault, kept, master });
    await rotatesMaster(place, { vault, kept, master, later });
  });
}

async function openPlace(t: TestContext, make: (typeof databases)[number][1]): Promise<Place> {
  const { url: databaseUrl, drop } = await make();
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-rotation-'));
  const store = await (databaseUrl === null ? openSqliteStore({ dataDir }) : openPostgresStore({ url: databaseUrl }));
  t.after(async () => {
    await store.close();
    await drop();
    rmSync(dataDir, { recursive: true });
  });
  const tell = (line: string) => {
    t.diagnostic(line);
    if (isLong) process.stderr.write(`${databaseUrl === null ? 'SQLite' : 'PostgreSQL'}: ${line}\n`);
  };
  return { store, databaseUrl, dataDir, tell };
}

const vaultWith = ({ store }: Place, current: Buffer, ...previous: Buffer[]): Promise<OpenedVault> =>
  openVault({ masters: localMasters(current, previous), store, now: Date.now });

const orderOf = ({ databaseUrl, dataDir }: Place, what: 'data' | 'master', ...masters: Buffer[]) => ({
  what,
  databaseUrl,
  dataDir,
  leaseMs: LEASE_MS,
  settleMs: SETTLE_MS,
  masters: masters.map((key) => key.toString('hex')),
});

const kills: readonly ((at: Partial<Progress>) => boolean)[] = [
  ({ phase }) => phase === 'waiting',
  ({ phase, done = 0 }) => phase === 'resealing' && done > RECORDS / 2,
  ({ phase }) => phase === 'retiring',
];

type Held = { readonly vault: OpenedVault; readonly kept: Kept[]; readonly master: Buffer };

async function rotatesData(place: Place, { vault, kept, master }: Held): Promise<void> {
  const { store, tell } = place;
  const node = { store, vault };
  const order = orderOf(place, 'data', master);
  const sample = kept.find(({ record }) => record.merchantId === 'merchant-2') ?? assert.fail();
  const copy = (await store.sealed(sample.record.merchantId, sample.record.recordId)) ?? assert.fail();

  const traffic = startTraffic(node, kept);
  for (const isReached of kills) {
    const { signal } = await rotateApart(order, isReached);
    assert.equal(signal, 'SIGKILL', 'the rotation was killed on the way');
  }
  const finished = await rotateApart(order);
  assert.deepEqual(finished.result?.broken, []);
  const { reads, seals, failures } = await traffic.stop();
  assert.deepEqual(failures, [], 'nobody noticed');
  assert.ok(reads > 100 && seals > 20, `${reads} reads and ${seals} seals`);
  tell(`${reads} reads and ${seals} seals meanwhile, none failed`);

  await everythingIsUnderTheCurrentKey(node, kept);
  await assert.rejects(vault.open(sample.record, copy), { name: 'VaultRefused', why: 'retired' });
  const whole = await rotateApart(order);
  assert.deepEqual([whole.result?.resealed, whole.result?.retired], [kept.length, 3]);
  tell(`${kept.length} records sealed anew in ${whole.ms - LEASE_MS - SETTLE_MS} ms beside the waiting`);
}

async function everythingIsUnderTheCurrentKey(
  node: { readonly store: Store; readonly vault: OpenedVault },
  kept: readonly Kept[],
) {
  const rows = (await node.store.keys(null)).filter(({ purpose }) => purpose === 'data');
  assert.ok(rows.every(({ state, wrapped }) => state === 'current' || (state === 'retired' && wrapped === null)));
  const current = new Map(rows.filter(({ state }) => state === 'current').map(({ owner, version }) => [owner, version]));
  await node.vault.refresh();
  const look = async ({ record, clear }: Kept) => {
    const sealed = (await node.store.sealed(record.merchantId, record.recordId)) ?? assert.fail();
    assert.equal(keyOfText(sealed), current.get(record.merchantId));
    assert.equal(await node.vault.open(record, sealed), clear);
  };
  for (let from = 0; from < kept.length; from += AT_ONCE) await Promise.all(kept.slice(from, from + AT_ONCE).map(look));
}

/** Every node knows both master keys, then every key is wrapped by the new one. */
async function rotatesMaster(place: Place, { vault, kept, master, later }: Held & { readonly later: Buffer }): Promise<void> {
  const { store, tell } = place;
  for (let from = 0; from < OWNERS; from += AT_ONCE) {
    const names = Array.from({ length: Math.min(AT_ONCE, OWNERS - from) }, (_, at) => `owner-${from + at}`);
    await Promise.all(names.map((owner) => vault.ready(owner)));
  }
  const known = [vault.fingerprint('owner-7', NUMBER), vault.digest('entity', 'body')];
  const traffic = startTraffic({ store, vault: await vaultWith(place, later, master) }, kept);
  const order = orderOf(place, 'master', later, master);
  const killed = await rotateApart(order, ({ phase }) => phase === 'rewrapping');
  assert.equal(killed.signal, 'SIGKILL');
  const { result, ms } = await rotateApart(order);
  assert.equal(result?.left, 0);
  assert.ok((result?.rewrapped ?? 0) > OWNERS, 'the kill left something to do');
  assert.deepEqual((await traffic.stop()).failures, []);
  assert.ok(ms <= 60_000, `${ms} ms`);
  tell(`${result?.rewrapped} keys wrapped anew in ${ms} ms`);

  const alone = await vaultWith(place, later);
  for (const one of kept.slice(0, 1_000)) assert.equal(await readOne({ store, vault: alone }, one), one.clear);
  await alone.ready('owner-7');
  assert.deepEqual([alone.fingerprint('owner-7', NUMBER), alone.digest('entity', 'body')], known);
  await assert.rejects(vaultWith(place, master), { name: 'WrongMasterKey' });
}
