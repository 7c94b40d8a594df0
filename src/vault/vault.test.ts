import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { derivedKey, sealedBefore as sealedByFormatOne } from '../../test/faults/formatOne.ts';
import { reportFigure } from '../../test/figures.ts';
import { sized } from '../../test/long.ts';
import { createMemoryStore } from '../store/memory/memoryStore.ts';
import { USES_MAX } from './keyRing.ts';
import { localMaster, localMasters } from './masterKey.ts';
import type { KeyStore, SealedRecord } from './ports.ts';
import { createPieces, systemRandom } from './randomBytes.ts';
import { VaultRefused } from './sealedText.ts';
import { openVault, type VaultNeeds } from './vault.ts';

const MASTER = new Uint8Array(32).fill(7);
const OTHER_MASTER = new Uint8Array(32).fill(8);
const NUMBER = '4200000000000000';
const merchantId = '5eed00000000000000000000000000f1';
const record: SealedRecord = {
  merchantId,
  entityId: '5eed0000000000000000000000000001',
  recordId: 'a'.repeat(32),
  field: 'instrument',
};
const clear = `{"number":"${NUMBER}"}`;

async function opened(given: Partial<VaultNeeds> = {}) {
  const store = given.store ?? createMemoryStore();
  const clock = { at: 1_000_000 };
  const vault = await openVault({ masters: localMasters(MASTER, []), now: () => clock.at, ...given, store });
  await vault.ready(merchantId);
  return { vault, store, clock };
}

const refuses = (work: Promise<unknown>, why?: VaultRefused['why'], about?: string) =>
  assert.rejects(
    work,
    (error) => error instanceof VaultRefused && (why === undefined || error.why === why) && !error.message.includes(NUMBER),
    about,
  );

const sealedBefore = (place: SealedRecord, text: string) => sealedByFormatOne(MASTER, place, text);

test('what is sealed opens again, and says only its format and the version of its key', async () => {
  const { vault } = await opened();
  for (const text of ['', 'x', clear, 'ü€😀'.repeat(1_000)]) {
    const sealed = vault.seal(record, text);
    assert.equal(await vault.open(record, sealed), text);
    assert.deepEqual([...sealed.subarray(0, 5)], [2, 0, 0, 0, 1]);
    assert.equal(sealed.length, 5 + 12 + Buffer.byteLength(text) + 16);
    assert.equal(sealed.buffer.byteLength, sealed.length, 'no bytes of other requests cross to another thread with it');
  }
});

test('R22: a text moved to another row, field, entity or tenant is refused', async () => {
  const { vault } = await opened();
  const other = '5eed00000000000000000000000000f2';
  await vault.ready(other);
  const sealed = vault.seal(record, clear);
  const places: Partial<SealedRecord>[] = [
    { merchantId: other },
    { merchantId: other, entityId: other },
    { entityId: '5eed0000000000000000000000000002' },
    { recordId: 'b'.repeat(32) },
    { field: 'iban' },
    // Parts that together give the same letters.
    { recordId: `${record.recordId}i`, field: 'nstrument' },
    { entityId: `${record.entityId}a`, recordId: 'a'.repeat(31) },
    { merchantId: merchantId.slice(0, -1), entityId: `1${record.entityId}` },
  ];
  for (const place of places) await refuses(vault.open({ ...record, ...place }, sealed), undefined, JSON.stringify(place));
  assert.equal(await vault.open(record, sealed), clear);
});

test('R22: every flipped bit, every cut and every short tag is refused', async () => {
  const { vault } = await opened();
  const texts = [vault.seal(record, clear), vault.seal(record, ''), sealedBefore(record, clear), sealedBefore(record, '')];
  let tried = 0;
  for (const sealed of texts) {
    assert.equal(typeof (await vault.open(record, sealed)), 'string');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const flipped = Uint8Array.from(sealed);
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      await refuses(vault.open(record, flipped), undefined, `bit ${bit}`);
      tried += 1;
    }
    for (let length = 0; length < sealed.length; length += 1) {
      await refuses(vault.open(record, sealed.subarray(0, length)), undefined, `cut to ${length}`);
    }
    for (const extra of [1, 4, 16]) await refuses(vault.open(record, Buffer.concat([sealed, Buffer.alloc(extra)])));
  }
  assert.ok(tried > 1_000);
});

test('R22: a tag cut to 4 to 15 bytes, which GCM itself could take, is refused', async () => {
  const { vault } = await opened();
  for (const sealed of [vault.seal(record, clear), sealedBefore(record, clear)]) {
    for (let bytes = 4; bytes < 16; bytes += 1) {
      await refuses(vault.open(record, sealed.subarray(0, sealed.length - 16 + bytes)), 'damaged', `tag of ${bytes} bytes`);
    }
  }
});

const notSealed: readonly (readonly [what: string, bytes: Uint8Array])[] = [
  ['nothing', Uint8Array.of()],
  ['another format', Uint8Array.of(3, ...new Uint8Array(40))],
  ['less than a nonce and a tag', Uint8Array.of(2, 0, 0, 0, 1, ...new Uint8Array(27))],
  ['less than those of the old format', Uint8Array.of(1, ...new Uint8Array(27))],
];
for (const [what, bytes] of notSealed)
  test(`no sealed text: ${what}`, async () => refuses((await opened()).vault.open(record, bytes), 'damaged'));

test('a refusal says what is wrong, for the log of the operator', () => {
  const says = {
    damaged: 'a sealed text is damaged, or is not where it was sealed for',
    retired: 'a sealed text is under a key that was retired',
    damagedKey: 'a key is damaged, or is not where it was wrapped for',
    unknownKey: 'a sealed text is under a key that is not known',
  } as const;
  for (const [why, message] of Object.entries(says)) {
    const { name, message: said } = new VaultRefused(why as keyof typeof says);
    assert.deepEqual([name, said], ['VaultRefused', message]);
  }
  const named = new VaultRefused('damagedKey', { owner: 'gateway', purpose: 'digest', version: 2 });
  assert.match(named.message, /^the digest key 2 of gateway .* is damaged, .* npx turnpike restore/);
});

const NONCES = sized({ quick: 200_000, assure: 1_000_000, reliability: 1_000_000 });

test(`R22: ${NONCES} nonces are as many different ones`, () => {
  const nonce = createPieces(12, systemRandom);
  const seen = new Set<string>();
  for (let count = 0; count < NONCES; count += 1) seen.add(nonce().toString('latin1'));
  assert.equal(seen.size, NONCES);
  reportFigure('R22', 'nonces', NONCES);
});

test('R22: every seal has a nonce of its own, and no more texts are sealed than uses were reserved', async () => {
  const { vault, store } = await opened();
  const seals = sized({ quick: 30_000, assure: 100_000, reliability: 1_000_000 });
  const seen = new Set<string>();
  for (let count = 0; count < seals; count += 1) {
    const wait = vault.ready(merchantId);
    if (wait) await wait;
    seen.add(Buffer.from(vault.seal(record, '')).toString('latin1', 5, 17));
  }
  assert.equal(seen.size, seals);
  const reserved = (await store.keys(merchantId)).find(({ purpose }) => purpose === 'data')?.reserved ?? 0;
  assert.ok(reserved >= seals && reserved < seals + 2 ** 22, `${reserved}`);
});

test('a text under another version, an unknown or a retired key is refused', async () => {
  const { vault, store } = await opened();
  const sealed = vault.seal(record, clear);
  const unknown = Uint8Array.from(sealed);
  unknown[4] = 9;
  await refuses(vault.open(record, unknown), 'unknownKey');
  assert.equal(await vault.renew(merchantId, 1), 2);
  assert.equal(await vault.open(record, sealed), clear);
  const relabelled = Uint8Array.from(sealed);
  relabelled[4] = 2;
  await refuses(vault.open(record, relabelled), 'damaged');
  assert.ok(await store.retireKey({ owner: merchantId, purpose: 'data', version: 1 }));
  await vault.refresh();
  await refuses(vault.open(record, sealed), 'retired');
});

test('a key row that was moved, swapped or changed gives no key', async () => {
  const { store } = await opened();
  const rows = await store.keys(merchantId);
  const moved: KeyStore = { ...store, keys: async () => rows.map((row) => ({ ...row, owner: 'x' })) };
  const swapped: KeyStore = {
    ...store,
    keys: async () => rows.map((row, at) => ({ ...row, wrapped: rows[1 - at]?.wrapped ?? null })),
  };
  const damaged: KeyStore = {
    ...store,
    keys: async () =>
      rows.map((row) => ({ ...row, wrapped: (row.wrapped as Uint8Array).map((byte, at) => (at === 20 ? byte ^ 1 : byte)) })),
  };
  for (const [what, its] of Object.entries({ moved, swapped, damaged })) {
    const vault = await openVault({ masters: localMasters(MASTER, []), store, now: () => 0 });
    const cheated = { ...store, keys: (owner: string | null) => (owner === merchantId ? its.keys(owner) : store.keys(owner)) };
    const other = await openVault({ masters: localMasters(MASTER, []), store: cheated, now: () => 0 });
    await vault.ready(merchantId);
    await refuses(Promise.resolve(other.ready(merchantId)), 'damagedKey', what);
  }
});

test('another master key opens nothing and is reported at once', async () => {
  const { store } = await opened();
  const wrong = openVault({ masters: localMasters(OTHER_MASTER, []), store, now: () => 0 });
  await assert.rejects(wrong, { name: 'WrongMasterKey' });
  const id = localMaster(MASTER).id;
  assert.match(id, /^[0-9a-f]{16}$/);
  assert.notEqual(id, localMaster(OTHER_MASTER).id);
  await assert.rejects(wrong, (error: Error) => error.message.includes(id));
});

test('a vault does not open while any key needs a master key that is missing; destroyed keys need none', async () => {
  const { store } = await opened();
  const [data] = (await store.keys(merchantId)).filter(({ purpose }) => purpose === 'data');
  assert.ok(data);
  const withKey = (row: Partial<typeof data>): KeyStore => ({
    ...store,
    keys: async (owner) => [...(await store.keys(owner)), { ...data, version: 2, masterId: 'elsewhere', ...row }],
  });
  const open = (its: KeyStore) => openVault({ masters: localMasters(MASTER, []), store: its, now: () => 0 });
  await assert.rejects(
    open(withKey({})),
    (error: Error) => error.name === 'WrongMasterKey' && error.message.includes('elsewhere'),
  );
  await open(withKey({ state: 'retired', wrapped: null }));
});

test('a master key that derives nothing opens no text of the release before', async () => {
  const { derive: _, ...master } = localMaster(MASTER);
  const { vault } = await opened({ masters: [master] });
  await refuses(vault.open(record, sealedBefore(record, clear)), 'damaged');
});

test('digests stay the same when the gateway has other keys too, in whatever order', async () => {
  const { vault, store } = await opened();
  await vault.ready('gateway');
  const reversed = { ...store, keys: async (owner: string | null) => (await store.keys(owner)).toReversed() };
  for (const its of [store, reversed])
    assert.equal((await opened({ store: its })).vault.digest('e', 'text'), vault.digest('e', 'text'));
});

test('texts and fingerprints of the release before stay true, under any of the master keys', async () => {
  for (const masters of [localMasters(MASTER, []), localMasters(OTHER_MASTER, [MASTER])]) {
    const { vault } = await opened({ masters });
    assert.equal(await vault.open(record, sealedBefore(record, clear)), clear);
    await refuses(vault.open({ ...record, recordId: 'c' }, sealedBefore(record, clear)), 'damaged');
    const before = createHmac('sha256', derivedKey(MASTER, 'fingerprint', merchantId))
      .update(NUMBER)
      .digest('base64url');
    assert.equal(vault.fingerprint(merchantId, NUMBER), before);
  }
});

test('two nodes that need the first key at once agree on one', async () => {
  const store = createMemoryStore();
  const nodes = await Promise.all([0, 1, 2, 3].map(() => openVault({ masters: localMasters(MASTER, []), store, now: () => 5 })));
  await Promise.all(nodes.map((vault) => vault.ready(merchantId)));
  const texts = nodes.map((vault) => vault.seal(record, clear));
  for (const vault of nodes) for (const sealed of texts) assert.equal(await vault.open(record, sealed), clear);
  assert.equal(new Set(nodes.map((vault) => vault.fingerprint(merchantId, NUMBER))).size, 1);
  assert.equal(new Set(nodes.map((vault) => vault.digest('e', 'body'))).size, 1);
  const current = (await store.keys(null)).filter(({ state }) => state === 'current');
  assert.deepEqual(current.map(({ owner, purpose }) => `${owner} ${purpose}`).sort(), [
    `${merchantId} data`,
    `${merchantId} fingerprint`,
    'gateway digest',
  ]);
});

test('ready costs no promise while the keys are confirmed, and confirms when they are not', async () => {
  const { vault, store, clock } = await opened();
  assert.equal(vault.ready(merchantId), null);
  const other = await openVault({ masters: localMasters(MASTER, []), store, now: () => clock.at });
  assert.equal(await other.renew(merchantId, 1), 2);
  assert.equal(vault.seal(record, clear)[4], 1, 'within the lease this node does not know the new key');
  clock.at += 30_001;
  await vault.ready(merchantId);
  assert.equal(vault.seal(record, clear)[4], 2);
  clock.at -= 3_600_000;
  assert.notEqual(vault.ready(merchantId), null, 'a clock that was set back confirms nothing');
});

test('a refresh brings the new key to a node that is at work, and a text of it is read without one', async () => {
  const { vault, store } = await opened();
  const other = await openVault({ masters: localMasters(MASTER, []), store, now: () => 1_000_000 });
  await other.renew(merchantId, 1);
  await other.ready(merchantId);
  const sealed = other.seal(record, clear);
  assert.equal(sealed[4], 2);
  assert.equal(await vault.open(record, sealed), clear);
  await vault.refresh();
  await vault.ready(merchantId);
  assert.equal(vault.seal(record, clear)[4], 2);
});

test('a key is exchanged before it is worn out, whatever nodes and crashes have used of it', async () => {
  const store = createMemoryStore();
  for (let life = 0; life < 3; life += 1) await opened({ store });
  const name = { owner: merchantId, purpose: 'data', version: 1 } as const;
  const used = (await store.reserveKey(name, 0)) ?? 0;
  assert.ok(used >= 3, 'each life took uses of its own');
  await store.reserveKey(name, USES_MAX - used - 1);
  const { vault } = await opened({ store });
  assert.equal(vault.seal(record, clear)[4], 2);
  const states = (await store.keys(merchantId)).filter(({ purpose }) => purpose === 'data').map(({ state }) => state);
  assert.deepEqual(states, ['retiring', 'current']);
});

test('nothing is sealed and no fingerprint computed for an owner without loaded keys', async () => {
  const { vault } = await opened();
  assert.throws(() => vault.seal({ ...record, merchantId: 'stranger' }, clear), /ready/);
  assert.throws(() => vault.fingerprint('stranger', NUMBER), /ready/);
  await refuses(vault.open({ ...record, merchantId: 'stranger' }, vault.seal(record, clear)), 'unknownKey');
});

test('the same number is recognised within a merchant and not across; a digest belongs to an entity', async () => {
  const { vault } = await opened();
  await vault.ready('m2');
  assert.equal(vault.fingerprint(merchantId, NUMBER), vault.fingerprint(merchantId, NUMBER));
  assert.notEqual(vault.fingerprint(merchantId, NUMBER), vault.fingerprint('m2', NUMBER));
  assert.equal(vault.digest('e1', 'text'), vault.digest('e1', Buffer.from('text')));
  assert.notEqual(vault.digest('e1', 'text'), vault.digest('e2', 'text'));
  assert.notEqual(vault.digest('e', '1text'), vault.digest('e1', 'text'));
  assert.notEqual(vault.digest('e', Buffer.of(0xff)), vault.digest('e', Buffer.of(0xfe)), 'bytes that are no text');
});

test('R24: bin and last four digits do not give the number away by its fingerprint', async () => {
  const { vault } = await opened();
  const number = '4200001234560000';
  const fingerprint = vault.fingerprint(merchantId, number);
  const plain = (text: string, algorithm: string) => createHash(algorithm).update(text).digest('base64url');
  const foundBy = (target: string) => {
    for (let middle = 0; middle < 100_000; middle += 1) {
      const candidate = `420000${String(middle + 100_000).padStart(6, '0')}0000`;
      const hashes = [
        plain(candidate, 'sha256'),
        plain(`${merchantId}${candidate}`, 'sha256'),
        createHmac('sha256', merchantId).update(candidate).digest('base64url'),
      ];
      if (hashes.includes(target)) return candidate;
    }
    return null;
  };
  assert.equal(foundBy(fingerprint), null);
  // The search itself works: an unkeyed hash falls to it.
  assert.equal(foundBy(plain(number, 'sha256')), number);
});

/** Every file that hashes without a key, and what it hashes: a number never. The sources that a page may load are hashed anywhere. */
const unkeyed: Readonly<Record<string, string>> = {
  'assets/asset.ts': 'the files for browsers',
  'assets/backOffice.ts': 'the sources of the back office',
  'assets/build.ts': 'the files of the widget',
  'assets/files.ts': 'images of brands, for their addresses',
  'connectors/simulator/series.ts': 'fingerprints and what the schemes of the sandbox give out',
  'http/buildNumber.ts': 'the files of the program',
  'http/admin/authorize.ts': 'what proves that a page is ours, to be compared',
  'ledger/chain.ts': 'postings: accounts of the books, amounts and ids',
  'merchants/authenticate.ts': "the operator's token, which is too long to be searched",
  'merchants/tokens.ts': 'access tokens, which are too long to be searched, and their hashes, for their names in a list',
  'audit/entry.ts': 'entries of the audit log, which hold no number',
  'users/breachedList.ts': 'passwords that are looked up in a list of hashes',
  'users/passkeys.ts': 'what an authenticator signed, and the name of our site',
  'vault/vault.ts': 'the two halves of a keyed hash: the key stands before the text in both',
  'site/build.ts': 'files of the documentation, for their names',
  'wallets/storedKeys.ts': 'public keys and certificates',
  'wallets/keys.ts': 'public keys, sealed tokens and agreed secrets',
  'outbound/exchange.ts': 'public keys of servers, which are pinned',
  'outbound/s3.ts': 'requests to a store of files, before they are signed, and parts of encrypted backups',
  'settlement/in/uploads.ts': "acquirers' files, whole",
};

test('R24: the sources hash without a key only what is no number', () => {
  const src = join(import.meta.dirname, '..');
  const lines = globSync('**/*.ts', { cwd: src })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) =>
      readFileSync(join(src, file), 'utf8')
        .split('\n')
        .map((line) => ({ file, line })),
    );
  const found = lines.filter(
    ({ line }) =>
      /createHash\(|(?<![.\w])hash\(|subtle\.digest|md5|sha1\(/.test(line) && !line.includes("`'sha256-${hash('sha256', "),
  );
  assert.deepEqual([...new Set(found.map(({ file }) => file))].sort(), Object.keys(unkeyed).sort());
  assert.deepEqual(
    found.filter(({ line }) => /number|pan\b|iban|account/i.test(line)),
    [],
  );
});

test('a key of the wrong length is refused', () => assert.throws(() => localMaster(new Uint8Array(16))));

test('opening something while the keys are fetched for the first time takes nothing away from who waits for them', async () => {
  const { vault: other, store } = await opened();
  const sealed = other.seal(record, clear);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let asked = 0;
  const slow: KeyStore = Object.assign(Object.create(store) as KeyStore, {
    async keys(owner: string | null) {
      const rows = await store.keys(owner);
      if (owner === merchantId) asked += 1;
      if (owner === merchantId && asked === 1) await held;
      return rows;
    },
  });
  const vault = await openVault({ masters: localMasters(MASTER, []), now: () => 1_000_000, store: slow });
  const first = vault.ready(merchantId);
  assert.equal(await vault.open(record, sealed), clear);
  release();
  await first;
  assert.equal(vault.fingerprint(merchantId, NUMBER), other.fingerprint(merchantId, NUMBER));
  assert.equal(await vault.open(record, vault.seal(record, clear)), clear);
});
