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
import { keyOfText } from '../../src/vault/sealedText.ts';
import { type OpenedVault, openVault } from '../../src/vault/vault.ts';
import { reportFigure } from '../figures.ts';
import { isReliability, sized } from '../long.ts';
import { testDatabase } from '../postgres.ts';
import type { RotationOrder } from './rotationProcess.ts';
import { fill, type Kept, readOne, rotateApart, startTraffic } from './rotationRun.ts';

/** R23: keys are rotated while payments are read and written, and the rotating process is killed on the way. */
const RECORDS = sized({ quick: 1_200, assure: 3_000, reliability: 100_000 });
const OWNERS = sized({ quick: 120, assure: 300, reliability: 10_000 });
const AT_ONCE = 200;
/** The nodes of this test refresh ten times a second, so that a lease need not be a minute. */
const [LEASE_MS, SETTLE_MS] = sized({ quick: [1_000, 200], assure: [2_000, 300], reliability: [5_000, 1_000] });
const NUMBER = '4200000000000000';

const databases: readonly (readonly [
  name: string,
  make: () => Promise<{ readonly url: string | null; drop(): Promise<void> }>,
])[] = [
  ['SQLite', async () => ({ url: null, drop: async () => {} })],
  ['PostgreSQL', testDatabase],
];

type RotationSetup = {
  readonly store: Store;
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** Logs a measurement. */
  log(line: string): void;
};

for (const [name, make] of databases) {
  test(`${name}: R23, data keys and master key are rotated under load, with kills in between`, {
    timeout: 580_000,
  }, async (t) => {
    const setup = await openSetup(t, make);
    const [master, later] = [randomBytes(32), randomBytes(32)];
    const vault = await vaultWith(setup, master);
    const kept = await fill({ store: setup.store, vault }, RECORDS, master);
    await rotateData(setup, { vault, kept, master });
    await rotateMaster(setup, { vault, kept, master, later });
    reportFigure('R23', 'records', RECORDS);
    reportFigure('R23', 'kills', kills.length);
  });
}

async function openSetup(t: TestContext, make: (typeof databases)[number][1]): Promise<RotationSetup> {
  const { url: databaseUrl, drop } = await make();
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-rotation-'));
  const store = await (databaseUrl === null ? openSqliteStore({ dataDir }) : openPostgresStore({ url: databaseUrl }));
  t.after(async () => {
    await store.close();
    await drop();
    rmSync(dataDir, { recursive: true });
  });
  const log = (line: string) => {
    t.diagnostic(line);
    if (isReliability) process.stderr.write(`${databaseUrl === null ? 'SQLite' : 'PostgreSQL'}: ${line}\n`);
  };
  return { store, databaseUrl, dataDir, log };
}

const vaultWith = ({ store }: RotationSetup, current: Buffer, ...previous: Buffer[]): Promise<OpenedVault> =>
  openVault({ masters: localMasters(current, previous), store, now: Date.now });

const orderOf = ({ databaseUrl, dataDir }: RotationSetup, what: 'data' | 'master', ...masters: Buffer[]) => ({
  what,
  databaseUrl,
  dataDir,
  leaseMs: LEASE_MS,
  settleMs: SETTLE_MS,
  masters: masters.map((key) => key.toString('hex')),
});

const kills: readonly NonNullable<RotationOrder['killAt']>[] = [
  { phase: 'waiting' },
  { phase: 'resealing', above: RECORDS / 2 },
  { phase: 'retiring' },
];

type RotationKeys = { readonly vault: OpenedVault; readonly kept: Kept[]; readonly master: Buffer };

async function rotateData(setup: RotationSetup, { vault, kept, master }: RotationKeys): Promise<void> {
  const { store, log } = setup;
  const node = { store, vault };
  const order = orderOf(setup, 'data', master);
  const sample = kept.find(({ record }) => record.merchantId === 'merchant-2') ?? assert.fail();
  const copy = (await store.sealed(sample.record.merchantId, sample.record.recordId)) ?? assert.fail();

  const traffic = startTraffic(node, kept);
  for (const killAt of kills) {
    const { signal } = await rotateApart(order, killAt);
    assert.equal(signal, 'SIGKILL', 'the rotation was killed on the way');
  }
  const finished = await rotateApart(order);
  assert.deepEqual(finished.result?.broken, []);
  const { reads, seals, failures } = await traffic.stop();
  assert.deepEqual(failures, [], 'no read or write failed');
  assert.ok(reads > 100 && seals > 20, `${reads} reads and ${seals} seals`);
  log(`${reads} reads and ${seals} seals meanwhile, none failed`);

  await everythingIsUnderTheCurrentKey(node, kept);
  await assert.rejects(vault.open(sample.record, copy), { name: 'VaultRefused', why: 'retired' });
  const whole = await rotateApart(order);
  assert.deepEqual([whole.result?.resealed, whole.result?.retired], [kept.length, 3]);
  log(`${kept.length} records sealed anew in ${whole.ms - LEASE_MS - SETTLE_MS} ms beside the waiting`);
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

/** Gives every node both master keys, then wraps every key with the new one. */
async function rotateMaster(
  setup: RotationSetup,
  { vault, kept, master, later }: RotationKeys & { readonly later: Buffer },
): Promise<void> {
  const { store, log } = setup;
  for (let from = 0; from < OWNERS; from += AT_ONCE) {
    const names = Array.from({ length: Math.min(AT_ONCE, OWNERS - from) }, (_, at) => `owner-${from + at}`);
    await Promise.all(names.map((owner) => vault.ready(owner)));
  }
  const known = [vault.fingerprint('owner-7', NUMBER), vault.digest('entity', 'body')];
  const traffic = startTraffic({ store, vault: await vaultWith(setup, later, master) }, kept);
  const order = orderOf(setup, 'master', later, master);
  const killed = await rotateApart(order, { phase: 'rewrapping' });
  assert.equal(killed.signal, 'SIGKILL');
  const { result, ms } = await rotateApart(order);
  assert.equal(result?.left, 0);
  assert.ok((result?.rewrapped ?? 0) > OWNERS, 'the kill left something to do');
  assert.deepEqual((await traffic.stop()).failures, []);
  assert.ok(ms <= 60_000, `${ms} ms`);
  log(`${result?.rewrapped} keys wrapped anew in ${ms} ms`);

  const alone = await vaultWith(setup, later);
  for (const one of kept.slice(0, 1_000)) assert.equal(await readOne({ store, vault: alone }, one), one.clear);
  await alone.ready('owner-7');
  assert.deepEqual([alone.fingerprint('owner-7', NUMBER), alone.digest('entity', 'body')], known);
  await assert.rejects(vaultWith(setup, master), { name: 'WrongMasterKey' });
}
