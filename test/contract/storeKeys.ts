import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Payment } from '../../src/payments/payment.ts';
import { BrokenCommit } from '../../src/payments/storeErrors.ts';
import type { Store } from '../../src/store/store.ts';
import type { KeyRow, SealedLocation, SealedRow } from '../../src/vault/ports.ts';
import { APPROVED, commit, moved, nextId, OPEN, type Open, type Opened, payment } from './storeFixtures.ts';
import { change, keyRow, many, onward, register, registration } from './storeRegistrationFixtures.ts';

/** Keys are stored wrapped; one of an owner and purpose is current. */
export function keyContract(name: string, opened: () => Opened): void {
  test(`${name}: keys come back by owner, purpose and version`, () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 60 }), fc.nat(), async (wrapped, reserved) => {
        const { store } = opened();
        const owner = nextId();
        const rows = [
          keyRow(owner, 1, { wrapped, reserved, purpose: 'fingerprint' }),
          keyRow(owner, 1, { wrapped, reserved, masterId: 'é😀', purpose: 'digest' }),
          keyRow(owner, 1, { wrapped, reserved }),
        ];
        for (const row of rows) assert.equal(await store.addKey(row), true);
        assert.deepEqual(await store.keys(owner), [rows[2], rows[1], rows[0]]);
      }),
      { numRuns: 20 },
    ));

  test(`${name}: a new key is current and the one before retiring, each in its purpose`, async () => {
    const { store } = opened();
    const owner = nextId();
    const other = keyRow(owner, 1, { purpose: 'fingerprint' });
    for (const row of [keyRow(owner, 1), other, keyRow(owner, 2), keyRow(owner, 3)]) assert.equal(await store.addKey(row), true);
    assert.deepEqual(await store.keys(owner), [
      keyRow(owner, 1, { state: 'retiring' }),
      keyRow(owner, 2, { state: 'retiring' }),
      keyRow(owner, 3),
      other,
    ]);
    assert.equal(await store.addKey(keyRow(owner, 2, { wrapped: Uint8Array.of(9) })), false);
    assert.deepEqual(
      (await store.keys(owner)).filter(({ state }) => state === 'current'),
      [keyRow(owner, 3), other],
    );
  });

  const nonsense: readonly (readonly [what: string, changes: Partial<KeyRow>])[] = [
    ['that is retiring already', { state: 'retiring' }],
    ['that is destroyed already', { state: 'retired', wrapped: null }],
    ['without its text', { wrapped: null }],
    ['of version 0', { version: 0 }],
  ];
  for (const [what, changes] of nonsense) {
    test(`${name}: a new key ${what} is refused as a bug`, async () => {
      const { store } = opened();
      const owner = nextId();
      await assert.rejects(store.addKey(keyRow(owner, 1, changes)), BrokenCommit);
      assert.deepEqual(await store.keys(owner), []);
    });
  }

  test(`${name}: of 16 concurrent additions of one version one succeeds, and one key is current`, async () => {
    const { store } = opened();
    const owner = nextId();
    for (const version of [1, 2, 3]) {
      const added = await Promise.all(many(16, (index) => store.addKey(keyRow(owner, version, { masterId: `m${index}` }))));
      assert.equal(added.filter(Boolean).length, 1);
      const rows = await store.keys(owner);
      assert.equal(rows.length, version);
      assert.deepEqual(
        rows.filter(({ state }) => state === 'current').map((row) => [row.version, row.masterId]),
        [[version, `m${added.indexOf(true)}`]],
      );
    }
  });

  test(`${name}: a key is rewrapped only from the master key that wrapped it`, async () => {
    const { store } = opened();
    const row = keyRow(nextId(), 1);
    await store.addKey(row);
    const next = { masterId: 'next', wrapped: Uint8Array.of(5, 5) };
    assert.equal(await store.rewrapKey(row, 'another', next), false);
    assert.equal(await store.rewrapKey(row, 'master', next), true);
    assert.equal(await store.rewrapKey(row, 'master', next), false);
    assert.equal(await store.rewrapKey({ ...row, version: 2 }, 'master', next), false);
    assert.deepEqual(await store.keys(row.owner), [{ ...row, ...next }]);
  });

  test(`${name}: uses are handed out and add up, also concurrently`, async () => {
    const { store } = opened();
    const row = keyRow(nextId(), 1, { reserved: 5 });
    await store.addKey(row);
    assert.equal(await store.reserveKey(row, 10), 15);
    assert.equal(await store.reserveKey({ ...row, owner: nextId() }, 10), null);
    const totals = await Promise.all(many(16, () => store.reserveKey(row, 100)));
    assert.deepEqual(
      totals.map(Number).sort((one, other) => one - other),
      many(16, (index) => 115 + index * 100),
    );
    assert.deepEqual(await store.keys(row.owner), [{ ...row, reserved: 1_615 }]);
  });

  test(`${name}: only a retiring key is destroyed, and it stays so`, async () => {
    const { store } = opened();
    const row = keyRow(nextId(), 1);
    await store.addKey(row);
    assert.equal(await store.retireKey(row), false);
    await store.addKey(keyRow(row.owner, 2));
    assert.equal(await store.retireKey(row), true);
    assert.equal(await store.retireKey(row), false);
    assert.equal(await store.rewrapKey(row, 'master', { masterId: 'x', wrapped: Uint8Array.of(1) }), false);
    assert.deepEqual((await store.keys(row.owner))[0], { ...row, state: 'retired', wrapped: null });
  });
}

const withAnew = (row: SealedRow): SealedRow & { readonly anew: Uint8Array } => ({
  ...row,
  anew: Uint8Array.of(0, ...row.sealed),
});

/** These look at everything there is, so each has a store of its own. */
export function sealedContract(name: string, open: Open): void {
  test(`${name}: secrets of an entity are stored, replaced and removed`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    assert.equal(await store.secret('entity', 'walletA'), null);
    for (const sealed of [Uint8Array.of(1), Uint8Array.of(2, 0, 255)]) {
      await store.storeSecret('entity', 'walletA', sealed);
      assert.deepEqual(await store.secret('entity', 'walletA'), sealed);
    }
    assert.equal(await store.secret('entity', 'walletB'), null);
    assert.equal(await store.secret('other', 'walletA'), null);
    await store.storeSecret('entity', 'walletA', null);
    await store.storeSecret('entity', 'walletA', null);
    assert.equal(await store.secret('entity', 'walletA'), null);
  });

  test(`${name}: all keys are listed for all owners`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    assert.deepEqual(await store.keys(null), []);
    const rows = [keyRow('b', 1), keyRow('a', 1, { purpose: 'digest' }), keyRow('a', 1)];
    for (const row of rows) await store.addKey(row);
    assert.deepEqual(await store.keys(null), rows.toReversed());
  });

  for (const limit of [1, 2, 3, 4, 100]) {
    test(`${name}: everything sealed is found once, in batches of ${limit}`, async (t) => {
      const { store, end } = await open();
      t.after(end);
      // Numbers that were given to rows and taken back do not count.
      for (const field of ['x', 'y']) await store.storeSecret('entity 1', field, Uint8Array.of(1));
      const expected = await sealSome(store);
      for (const field of ['x', 'y']) await store.storeSecret('entity 1', field, null);
      const found: SealedRow[] = [];
      for (let after: SealedLocation | null = null; ; after = found.at(-1) ?? null) {
        const portion: readonly SealedRow[] = await store.sealedAfter(after, limit);
        assert.ok(portion.length <= limit);
        found.push(...portion);
        if (portion.length < limit) break;
      }
      assert.deepEqual(found, expected);
      assert.equal(await store.countSealed(), expected.length);
    });
  }

  test(`${name}: texts are resealed if they have not changed`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const before = (await sealSome(store)).map(withAnew);
    const [first, second] = before.filter(({ table }) => table === 'registration');
    if (!first || !second) throw new Error('two registrations were sealed');
    const held = await store.registration(first.merchantId, first.recordId);
    if (held) await change(store, onward(held.registration), Uint8Array.of(77));
    await store.storeSecret('entity 1', 'walletA', Uint8Array.of(78));
    assert.equal(await store.reseal(before), before.length - 2);
    assert.deepEqual((await store.registration(first.merchantId, first.recordId))?.sealed, Uint8Array.of(77));
    assert.deepEqual(await store.secret('entity 1', 'walletA'), Uint8Array.of(78));
    const other = await store.registration(second.merchantId, second.recordId);
    assert.deepEqual([other?.sealed, other?.registration.revision], [second.anew, 1]);
    for (const { merchantId, recordId, anew } of before.filter(({ table }) => table === 'proof')) {
      const resealed = await store.payment(merchantId, recordId);
      assert.deepEqual([resealed?.threeDS?.sealedProof, resealed?.revision], [Buffer.from(anew).toString('base64'), 1]);
      assert.equal(resealed?.fields['customParameters[x]'], '"sealedProof":"AAAA"');
    }
    assert.equal(await store.reseal(before), 0);
    assert.equal(await store.reseal([]), 0);
    const nowhere = withAnew({ ...first, recordId: nextId() });
    assert.equal(await store.reseal([nowhere]), 0);
  });

  test(`${name}: resealing neither blocks a payment nor is blocked by one`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const payments = many(20, () => payment({ phase: OPEN }));
    const made = many(20, () => registration());
    for (const each of payments) await store.commit(commit(each, 0, { sealed: Uint8Array.of(1) }));
    for (const each of made) await register(store, each);
    const rows = (await store.sealedAfter(null, 100)).map(withAnew);
    const [count, ...words] = await Promise.all([
      store.reseal(rows),
      ...payments.map(async (each) => (await store.commit(commit(moved(each, {}), 1))).is),
      ...made.map((each) => change(store, onward(each), 'kept')),
    ]);
    assert.deepEqual([count, new Set(words)], [40, new Set(['kept'])]);
    assert.deepEqual(
      (await store.sealedAfter(null, 100)).map(({ sealed }) => sealed),
      rows.map(({ anew }) => anew),
    );
  });
}

/** Payments with a proof: open and final, with an instrument and without; and one whose shopper wrote what looks like one. */
async function sealProofs(store: Store): Promise<SealedRow[]> {
  const written = { fields: { 'customParameters[x]': '"sealedProof":"AAAA"' } };
  await store.commit(commit(payment({ merchantId: 'd', ...written }), 0));
  const proofs: SealedRow[] = [];
  const instruments: SealedRow[] = [];
  for (const [index, phase] of [OPEN, APPROVED, APPROVED].entries()) {
    const sealed = Uint8Array.of(9, index, 255, 254, 62, 63);
    const threeDS = { origin: '', sealedProof: Buffer.from(sealed).toString('base64') } as Payment['threeDS'];
    const each = payment({ merchantId: 'e', phase, threeDS, ...written });
    const place = { merchantId: 'e', entityId: each.entityId, recordId: each.id };
    await store.commit(commit(each, 0, index < 2 ? { sealed: Uint8Array.of(8) } : {}));
    if (index < 2) instruments.push({ table: 'payment', ...place, field: 'instrument', sealed: Uint8Array.of(8) });
    proofs.push({ table: 'proof', ...place, field: 'proof', sealed });
  }
  return [...instruments, ...proofs];
}

/** Some of everything, with others in between that have nothing sealed; answers what should be found, in its order. */
async function sealSome(store: Store): Promise<SealedRow[]> {
  const found: SealedRow[] = [];
  for (const merchantId of ['a', 'b']) {
    const payments = many(3, (index) => payment({ merchantId, entityId: `channel ${index}` }));
    for (const [index, each] of payments.entries()) {
      const sealed = Uint8Array.of(index, 255);
      await store.commit(commit(each, 0, index === 1 ? {} : { sealed }));
      const place = { merchantId, entityId: each.entityId, recordId: each.id };
      if (index !== 1) found.push({ table: 'payment', ...place, field: 'instrument', sealed });
    }
  }
  found.push(...(await sealProofs(store)));
  const made = ['b', 'c'].map((merchantId) => registration({ merchantId, entityId: 'shop' }));
  for (const each of made) {
    const sealed = Uint8Array.of(3);
    await register(store, each, sealed);
    const place = { merchantId: each.merchantId, entityId: 'shop', recordId: each.id };
    found.push({ table: 'registration', ...place, field: 'registration', sealed });
  }
  await register(store, registration({ state: 'rejected' }), null);
  for (const field of ['walletA', 'walletB']) {
    const [entityId, sealed] = ['entity 1', new TextEncoder().encode(field)];
    await store.storeSecret(entityId, field, sealed);
    found.push({ table: 'secret', merchantId: entityId, entityId, recordId: entityId, field, sealed });
  }
  return found;
}
