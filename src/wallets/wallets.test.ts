import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hierarchy } from '../merchants/directory.ts';
import type { EntityRow } from '../merchants/ports.ts';
import { sandbox, sandboxRows } from '../merchants/sandbox.ts';
import { createMemoryStore } from '../store/memory/memoryStore.ts';
import { localMaster } from '../vault/masterKey.ts';
import { openVault } from '../vault/vault.ts';
import { NOW, order, random } from './examples.ts';
import { createSandboxIssuer, createWalletIssuer } from './issuer/issuer.ts';
import { isFault, type WalletCard, type WalletFault, type WalletName } from './wallet.ts';
import { createWallets, walletSecretName, walletSecretRecord } from './wallets.ts';

const { demoShop, otherShop } = sandbox;
const walletNames: readonly WalletName[] = ['walletA', 'walletB', 'walletC'];

/** A wallet of the outside world, which no sandbox knows. */
const provider = createWalletIssuer({ seed: 'provider', merchant: 'outside', random });

/** A gateway's wallets over a memory store and a real vault. The first key of each provider's setup is called 2026, the next 2025. */
async function standing({ environment = 'test' }: { environment?: 'test' | 'live' } = {}) {
  const store = createMemoryStore();
  let now = NOW;
  const clock = { now: () => now };
  const vault = await openVault({ masters: [localMaster(Buffer.alloc(32, 7))], store, now: clock.now });
  const sandboxIssuer = createSandboxIssuer({ seed: 'gateway', ids: { random: () => random(16).toString('hex') } });
  const alarms: string[] = [];
  let rows: readonly EntityRow[] = sandboxRows(0).entities;
  let entities = hierarchy(rows);
  let reads = 0;
  const wallets = createWallets({
    entity: (id) => entities.get(id) ?? null,
    secrets: {
      secret: (entityId, name) => {
        reads += 1;
        return store.secret(entityId, name);
      },
    },
    vault,
    environment,
    clock,
    issuer: environment === 'live' ? null : sandboxIssuer,
    alarm: (message, { entityId, name }) => alarms.push(`${message}: ${entityId} ${name}`),
  });
  return {
    wallets,
    alarms,
    reads: () => reads,
    sandboxIssuer,
    at(moment: number) {
      now = moment;
    },
    /** Reads the directory again; every row is a new object, as it is after a reload. */
    reload(changed: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {}) {
      rows = structuredClone(rows.map((row) => ({ ...row, settings: changed[row.id] ?? row.settings })));
      entities = hierarchy(rows);
    },
    async keep(ownerId: string, name: string, privateKey: string) {
      await vault.ready(ownerId);
      await store.storeSecret(ownerId, name, vault.seal(walletSecretRecord(ownerId, name), privateKey));
    },
    store,
  };
}

/** The setting of an entity that takes the provider's tokens, and the private keys it names. */
function outside(wallet: WalletName, ids: readonly string[] = ['2026', '2025']) {
  const setup = provider.setupFor(wallet)[wallet] as { readonly keys: readonly { readonly privateKey: string }[] };
  return {
    setting: { ...setup, keys: ids },
    secrets: ids.map((id, at) => [walletSecretName(wallet, id), setup.keys[at]?.privateKey ?? ''] as const),
  };
}

const numberIn = (opened: WalletCard | WalletFault): string =>
  isFault(opened) ? `${opened.why}: ${opened.says}` : opened.number;

test('without a setting every wallet of the sandbox opens in the test environment', async () => {
  const { wallets, sandboxIssuer } = await standing();
  for (const wallet of walletNames) {
    const token = sandboxIssuer.of(demoShop.merchantId).issue(wallet, order);
    assert.equal(numberIn(await wallets.open(demoShop.channelId, wallet, token)), order.number, wallet);
    assert.equal(numberIn(await wallets.open(demoShop.lenientChannelId, wallet, token)), order.number, 'his other channel');
  }
});

test('the sandbox of one merchant is not that of another', async () => {
  const { wallets, sandboxIssuer } = await standing();
  for (const wallet of ['walletA', 'walletB'] as const) {
    const token = sandboxIssuer.of(demoShop.merchantId).issue(wallet, order);
    assert.match(numberIn(await wallets.open(otherShop.channelId, wallet, token)), /unknownKey|otherMerchant/, wallet);
  }
});

test('copies of a token are recognised by its id until it is refused as too old', async () => {
  const { wallets, sandboxIssuer, at } = await standing();
  const issuer = sandboxIssuer.of(demoShop.merchantId);
  for (const wallet of ['walletA', 'walletB'] as const) {
    const token = issuer.issue(wallet, order);
    const open = (text = token) => wallets.open(demoShop.channelId, wallet, text);
    const [first, copy, other] = [await open(), await open(), await open(issuer.issue(wallet, order))];
    assert.ok(!isFault(first) && !isFault(copy) && !isFault(other));
    assert.equal(copy.tokenId, first.tokenId);
    assert.notEqual(other.tokenId, first.tokenId);
    at(first.validUntil - 1);
    assert.ok(!isFault(await open()), 'still good');
    at(first.validUntil);
    assert.match(numberIn(await open()), /^expired/);
    at(NOW);
  }
});

test('live knows no sandbox', async () => {
  const { wallets, sandboxIssuer } = await standing({ environment: 'live' });
  const token = sandboxIssuer.of(demoShop.merchantId).issue('walletA', order);
  assert.match(numberIn(await wallets.open(demoShop.channelId, 'walletA', token)), /unsupported: .*not set up/);
});

test('an unknown entity, one above merchants and one without a wallet are refused', async () => {
  const { wallets, reload } = await standing();
  reload({ [demoShop.merchantId]: { wallets: { walletA: null } } });
  for (const entityId of ['f'.repeat(32), sandbox.psp, demoShop.channelId])
    assert.match(numberIn(await wallets.open(entityId, 'walletA', 'x')), /unsupported: .*not set up/, entityId);
  assert.match(numberIn(await wallets.open(demoShop.channelId, 'walletB', 'x')), /malformed/, 'the others are taken as before');
});

for (const wallet of walletNames) {
  test(`${wallet}: a setup of its own opens the provider's tokens, in live too, with both keys`, async () => {
    const { wallets, reload, keep, alarms } = await standing({ environment: 'live' });
    const { setting, secrets } = outside(wallet);
    for (const [name, privateKey] of secrets) await keep(demoShop.merchantId, name, privateKey);
    reload({ [demoShop.merchantId]: { wallets: { [wallet]: setting } } });
    for (const key of ['current', 'previous'] as const) {
      const opened = await wallets.open(demoShop.channelId, wallet, provider.issue(wallet, { ...order, key }));
      assert.equal(numberIn(opened), order.number, key);
    }
    assert.match(numberIn(await wallets.open(otherShop.channelId, wallet, provider.issue(wallet, order))), /not set up/);
    assert.deepEqual(alarms, []);
  });
}

test('the keys are read once, and again only as far as something changed', async () => {
  const { wallets, reload, keep, reads, alarms } = await standing();
  const { setting, secrets } = outside('walletA');
  const [first, second] = secrets as readonly (readonly [string, string])[];
  await keep(sandbox.division, first![0], first![1]);
  reload({ [sandbox.division]: { wallets: { walletA: { ...setting, keys: ['2026'] } } } });
  const good = () => provider.issue('walletA', order);
  await Promise.all([good(), good(), good()].map((token) => wallets.open(demoShop.channelId, 'walletA', token)));
  assert.equal(numberIn(await wallets.open(otherShop.channelId, 'walletA', good())), order.number, 'inherited by all below');
  assert.equal(reads(), 1, 'one secret, read once for everybody');
  const former = () => provider.issue('walletA', { ...order, key: 'previous' });
  assert.match(numberIn(await wallets.open(demoShop.channelId, 'walletA', former())), /unknownKey/);

  await keep(sandbox.division, second![0], second![1]);
  reload({ [sandbox.division]: { wallets: { walletA: setting } } });
  assert.equal(numberIn(await wallets.open(demoShop.channelId, 'walletA', former())), order.number, 'the second key is there');
  assert.equal(numberIn(await wallets.open(demoShop.channelId, 'walletA', good())), order.number, 'and so is the first');

  await keep(sandbox.division, first![0], second![1]);
  reload();
  assert.match(numberIn(await wallets.open(demoShop.channelId, 'walletA', good())), /unknownKey/, 'a replaced key is replaced');
  assert.deepEqual(alarms, []);
});

test('a secret that is damaged, misplaced or missing is an alarm, and the other key still opens', async () => {
  const { wallets, reload, keep, store, alarms } = await standing();
  const { setting, secrets } = outside('walletB');
  for (const [name, privateKey] of secrets) await keep(demoShop.channelId, name, privateKey);
  const sealed = Uint8Array.from((await store.secret(demoShop.channelId, 'walletB/2026')) ?? []);
  const damages: readonly [what: string, bytes: Uint8Array | null, alarm: RegExp][] = [
    ['damaged', sealed.with(sealed.length - 1, (sealed.at(-1) as number) ^ 1), /does not open/],
    ['of another key', await store.secret(demoShop.channelId, 'walletB/2025'), /does not open/],
    ['cut', sealed.subarray(0, 5), /does not open/],
    ['missing', null, /is not there/],
  ];
  for (const [what, bytes, alarm] of damages) {
    await store.storeSecret(demoShop.channelId, 'walletB/2026', bytes);
    reload({ [demoShop.channelId]: { wallets: { walletB: setting } } });
    assert.match(
      numberIn(await wallets.open(demoShop.channelId, 'walletB', provider.issue('walletB', order))),
      /unknownKey/,
      what,
    );
    const former = provider.issue('walletB', { ...order, key: 'previous' });
    assert.equal(numberIn(await wallets.open(demoShop.channelId, 'walletB', former)), order.number, what);
    assert.equal(alarms.length, 1, `${what}: one alarm for each reading, not for each payment`);
    assert.match(alarms.splice(0)[0] ?? '', alarm);
  }
  await store.storeSecret(demoShop.channelId, 'walletB/2026', sealed);
  reload();
  assert.equal(
    numberIn(await wallets.open(demoShop.channelId, 'walletB', provider.issue('walletB', order))),
    order.number,
    'mended',
  );

  await store.storeSecret(demoShop.channelId, 'walletB/2026', null);
  await store.storeSecret(demoShop.channelId, 'walletB/2025', null);
  reload();
  assert.match(
    numberIn(await wallets.open(demoShop.channelId, 'walletB', provider.issue('walletB', order))),
    /unsupported: no private key/,
  );
});

test('a store that is out of order is no verdict about the token, and is asked again', async () => {
  const { reload, keep, store } = await standing();
  const { setting, secrets } = outside('walletA', ['2026']);
  for (const [name, privateKey] of secrets) await keep(demoShop.channelId, name, privateKey);
  reload();
  const vault = await openVault({ masters: [localMaster(Buffer.alloc(32, 7))], store, now: () => NOW });
  const rows = sandboxRows(0).entities.map((row) =>
    row.id === demoShop.channelId ? { ...row, settings: { wallets: { walletA: setting } } } : row,
  );
  const entities = hierarchy(rows);
  let isDown = true;
  const wallets = createWallets({
    entity: (id) => entities.get(id) ?? null,
    secrets: { secret: (entityId, name) => (isDown ? Promise.reject(new Error('down')) : store.secret(entityId, name)) },
    vault,
    environment: 'live',
    clock: { now: () => NOW },
    issuer: null,
    alarm: () => assert.fail('no alarm'),
  });
  const token = provider.issue('walletA', order);
  await assert.rejects(wallets.open(demoShop.channelId, 'walletA', token), /down/);
  isDown = false;
  assert.equal(numberIn(await wallets.open(demoShop.channelId, 'walletA', token)), order.number);
});
