import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyMaker, localMaster, localMasters, WrongMasterKey } from './masterKey.ts';
import type { KeyRow, KeyStore } from './ports.ts';
import { createPieces, systemRandom } from './randomBytes.ts';
import { VaultRefused } from './sealedText.ts';

const MASTER = new Uint8Array(32).fill(7);
const BOUND = Buffer.from('bound');
const refusal = (error: unknown): boolean => error instanceof VaultRefused && error.why === 'damagedKey';

/** What databases hold since the first release with data keys: it must unwrap for ever. */
const ID = '8cd0fbe016e23e7e';
const WRAPPED =
  '01050505050505050505050505f06db0d7936ce391b745b01790a913a6370c4faeb529499981d0e1cbf4902ba9ef5065fc6695de8102b4497602f5f4b6';

test('a master key has the same id and unwraps the same keys in every release', async () => {
  const master = localMaster(MASTER);
  assert.equal(master.id, ID);
  assert.deepEqual(Buffer.from(await master.unwrap(Buffer.from(WRAPPED, 'hex'), BOUND)), Buffer.alloc(32, 9));
  const counting = localMaster(MASTER, (into) => into.fill(5));
  assert.equal(Buffer.from(await counting.wrap(Buffer.alloc(32, 9), BOUND)).toString('hex'), WRAPPED);
  assert.equal(
    Buffer.from(master.derive?.('label') ?? []).toString('hex'),
    'e9408f5171c2c615cbfce03f23cae9872c95c2d1ad0c92ceaf50bf52172f7331',
  );
});

test('a wrapped key that is cut, empty, of another format or bound to something else is refused', async () => {
  const master = localMaster(MASTER);
  const wrapped = Buffer.from(WRAPPED, 'hex');
  for (let length = 0; length < wrapped.length; length += 1)
    await assert.rejects(master.unwrap(wrapped.subarray(0, length), BOUND), refusal);
  await assert.rejects(master.unwrap(Buffer.concat([Buffer.of(2), wrapped.subarray(1)]), BOUND), refusal);
  await assert.rejects(master.unwrap(wrapped, Buffer.from('other')), refusal);
  const empty = await master.wrap(Buffer.alloc(0), BOUND);
  assert.equal(empty.length, 1 + 12 + 16);
  assert.equal((await master.unwrap(empty, BOUND)).length, 0);
});

test('what a refusal says', () => {
  const texts = (['damaged', 'retired', 'damagedKey', 'unknownKey'] as const).map((why) => new VaultRefused(why).message);
  assert.deepEqual(texts, [
    'a sealed text is damaged, or is not where it was sealed for',
    'a sealed text is under a key that was retired',
    'a key is damaged, or is not where it was wrapped for',
    'a sealed text is under a key that is not known',
  ]);
});

test('the system fills a buffer, and pieces of a pool are filled once for many', () => {
  const bytes = new Uint8Array(64);
  systemRandom(bytes);
  assert.ok(bytes.some((byte) => byte !== 0));
  let fills = 0;
  const piece = createPieces(4, (into) => {
    fills += 1;
    for (let at = 0; at < into.length; at += 1) into[at] = Math.floor(at / 4) % 251;
  });
  const first = Array.from({ length: 512 }, () => Buffer.from(piece()));
  assert.equal(fills, 1);
  assert.deepEqual(first[0], Buffer.alloc(4, 0));
  assert.deepEqual(first[250], Buffer.alloc(4, 250));
  assert.deepEqual(first[511], Buffer.alloc(4, 9));
  assert.deepEqual(Buffer.from(piece()), Buffer.alloc(4, 0));
  assert.equal(fills, 2);
});

/** A key store in memory; `lost`: what is added does not show. */
function keysOf(rows: KeyRow[], lost = false) {
  let readings = 0;
  const store = {
    keys: async (owner: string | null) => {
      readings += 1;
      return rows.filter((row) => owner === null || row.owner === owner);
    },
    addKey: async (row: KeyRow) => {
      if (!lost) rows.push(row);
      return !lost;
    },
  } as unknown as KeyStore;
  return { store, readings: () => readings };
}
const made = (rows: KeyRow[], lost = false) => {
  const { store, readings } = keysOf(rows, lost);
  const masters = localMasters(MASTER, []);
  return { readings, maker: createKeyMaker({ masters, store, now: () => 77, random: (into) => into.fill(3) }) };
};
const row = (changes: Partial<KeyRow>): KeyRow => ({
  owner: 'a',
  purpose: 'data',
  version: 1,
  masterId: ID,
  wrapped: null,
  state: 'current',
  createdAt: 0,
  reserved: 0,
  ...changes,
});

test('a missing key is made once, with its life before it', async () => {
  const rows: KeyRow[] = [];
  const { maker, readings } = made(rows);
  const { rows: found, readAt } = await maker.rows('a', ['data', 'digest']);
  assert.deepEqual([readAt, readings()], [77, 2]);
  assert.deepEqual(
    found.map(({ wrapped: _, ...rest }) => rest),
    [
      { owner: 'a', purpose: 'data', version: 1, masterId: ID, state: 'current', createdAt: 77, reserved: 0 },
      { owner: 'a', purpose: 'digest', version: 1, masterId: ID, state: 'current', createdAt: 77, reserved: 0 },
    ],
  );
  const [data, digest] = found as [KeyRow, KeyRow];
  assert.deepEqual((await maker.unwrap(data)).export(), Buffer.alloc(32, 3), 'a data key is random');
  assert.deepEqual(
    (await maker.unwrap(digest)).export(),
    localMaster(MASTER).derive?.('digest:v1:a'),
    'the first digest key is derived',
  );
  await assert.rejects(maker.unwrap({ ...data, version: 2 }), refusal);
});

test('a key that is no longer current is followed by the next version, which is random', async () => {
  const rows = [row({ version: 4, state: 'retiring' }), row({ version: 9, purpose: 'digest', state: 'retired' })];
  const { rows: found } = await made(rows).maker.rows('a', ['data', 'digest']);
  assert.deepEqual(found.map(({ purpose, version, state }) => `${purpose} ${version} ${state}`).slice(2), [
    'data 5 current',
    'digest 10 current',
  ]);
  assert.deepEqual((await made(rows).maker.unwrap(found[3] as KeyRow)).export(), Buffer.alloc(32, 3));
});

test('a key that does not show after four tries is an error', async () => {
  const { maker, readings } = made([], true);
  await assert.rejects(maker.rows('a', ['data']), /does not show/);
  assert.equal(readings(), 4);
});

test('a key of another master key and a retired one are not unwrapped', async () => {
  const { maker } = made([]);
  await assert.rejects(maker.unwrap(row({ masterId: 'other', wrapped: Buffer.from(WRAPPED, 'hex') })), WrongMasterKey);
  await assert.rejects(maker.unwrap(row({})), /retired/);
});

test('the bytes of a key are wiped as soon as it is wrapped or unwrapped', async () => {
  const seen: Uint8Array[] = [];
  const local = localMaster(MASTER);
  const keep = (bytes: Uint8Array): Uint8Array => {
    seen.push(bytes);
    return bytes;
  };
  const master = {
    ...local,
    wrap: (clear: Uint8Array, bound: Uint8Array) => local.wrap(keep(clear), bound),
    unwrap: async (wrapped: Uint8Array, bound: Uint8Array) => keep(await local.unwrap(wrapped, bound)),
  };
  const rows: KeyRow[] = [];
  const store = { ...keysOf(rows).store, rewrapKey: async () => true };
  const maker = createKeyMaker({ masters: [master], store, now: () => 0, random: (into) => into.fill(3) });
  await maker.make({ owner: 'a', purpose: 'data', version: 1 });
  const [kept] = rows as [KeyRow];
  assert.deepEqual((await maker.unwrap(kept)).export(), Buffer.alloc(32, 3), 'wiped after it was used');
  assert.equal(await maker.rewrap(kept), true);
  // Made; unwrapped; unwrapped and wrapped again.
  assert.equal(seen.length, 4);
  for (const bytes of seen) assert.deepEqual(Buffer.from(bytes), Buffer.alloc(32));
});

test('the first fingerprint key is derived, the second is random; a master key that derives nothing makes random ones', async () => {
  const rows: KeyRow[] = [];
  const { maker } = made(rows);
  for (const version of [1, 2]) await maker.make({ owner: 'a', purpose: 'fingerprint', version });
  const values = await Promise.all(rows.map(async (one) => (await maker.unwrap(one)).export()));
  assert.deepEqual(values, [localMaster(MASTER).derive?.('fingerprint:v1:a'), Buffer.alloc(32, 3)]);
  const { derive: _, ...remote } = localMaster(MASTER);
  const others: KeyRow[] = [];
  const without = createKeyMaker({
    masters: [remote],
    store: keysOf(others).store,
    now: () => 0,
    random: (into) => into.fill(4),
  });
  await without.make({ owner: 'a', purpose: 'fingerprint', version: 1 });
  assert.deepEqual((await without.unwrap(others[0] as KeyRow)).export(), Buffer.alloc(32, 4));
});
