import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrokenCommit } from '../../src/payments/storeErrors.ts';
import { checkout, saved } from './storeCheckoutFixtures.ts';
import { commit, idempotencyKeyOf, NOW, nextId, type Open, type Opened, payment } from './storeFixtures.ts';
import { many } from './storeRegistrationFixtures.ts';

/** A key belongs to one request, for a payment or a checkout. It is stored in the same commit. */
export function checkoutClaimContract(name: string, opened: () => Opened): void {
  test(`${name}: a key is stored with the checkout that it creates, and with a change of it`, async () => {
    const { store } = opened();
    const [made, first, second] = [checkout(), idempotencyKeyOf(nextId()), idempotencyKeyOf(nextId())];
    assert.equal(await store.saveCheckoutWithKey(made, first, NOW), 'kept');
    assert.deepEqual(await store.checkout(made.id), made);
    assert.deepEqual(await store.idempotencyKey(made.merchantId, first.entityId, first.key), {
      paymentId: made.id,
      bodyHash: first.bodyHash,
    });
    const changed = saved(made, { fields: { amount: '1.00' } });
    assert.equal(await store.saveCheckoutWithKey(changed, second, NOW), 'kept');
    assert.deepEqual(await store.checkout(made.id), changed);
    assert.deepEqual(await store.idempotencyKey(made.merchantId, second.entityId, second.key), {
      paymentId: made.id,
      bodyHash: second.bodyHash,
    });
  });

  test(`${name}: with a used key no checkout is created and none is changed`, async () => {
    const { store } = opened();
    const [made, other, idempotencyKey] = [checkout(), checkout(), idempotencyKeyOf(nextId())];
    await store.saveCheckoutWithKey(made, idempotencyKey, NOW);
    assert.equal(await store.saveCheckoutWithKey(other, { ...idempotencyKey, bodyHash: 'other' }, NOW), 'keyUsed');
    assert.equal(await store.checkout(other.id), null);
    assert.equal(await store.saveCheckoutWithKey(saved(made, { askedAt: 1 }), idempotencyKey, NOW), 'keyUsed');
    assert.deepEqual(await store.checkout(made.id), made);
    assert.deepEqual(await store.idempotencyKey(made.merchantId, idempotencyKey.entityId, idempotencyKey.key), {
      paymentId: made.id,
      bodyHash: idempotencyKey.bodyHash,
    });
  });

  test(`${name}: if the checkout has changed, the key stays unused`, async () => {
    const { store } = opened();
    const [made, idempotencyKey] = [checkout(), idempotencyKeyOf(nextId())];
    await store.addCheckout(made);
    await store.saveCheckout(saved(made, { askedAt: 1 }));
    for (const stale of [saved(made, { askedAt: 2 }), saved(checkout())]) {
      assert.equal(await store.saveCheckoutWithKey(stale, idempotencyKey, NOW), 'moved');
    }
    assert.equal(await store.idempotencyKey(made.merchantId, idempotencyKey.entityId, idempotencyKey.key), null);
    assert.deepEqual(await store.checkout(made.id), saved(made, { askedAt: 1 }));
  });

  test(`${name}: a refused checkout leaves the key unused`, async () => {
    const { store } = opened();
    const [made, idempotencyKey] = [checkout(), idempotencyKeyOf(nextId())];
    await store.addCheckout(made);
    await assert.rejects(store.saveCheckoutWithKey({ ...made, merchantId: nextId() }, idempotencyKey, NOW), BrokenCommit);
    await assert.rejects(store.saveCheckoutWithKey(saved(made, { merchantId: nextId() }), idempotencyKey, NOW), BrokenCommit);
    for (const revision of [0, 1.5, Number.NaN])
      await assert.rejects(store.saveCheckoutWithKey(checkout({ revision }), idempotencyKey, NOW), BrokenCommit);
    assert.equal(await store.idempotencyKey(made.merchantId, idempotencyKey.entityId, idempotencyKey.key), null);
    assert.deepEqual(await store.checkout(made.id), made);
  });

  test(`${name}: a key of a payment creates no checkout, and vice versa`, async () => {
    const { store } = opened();
    const [paid, made, ofPayment, ofCheckout] = [payment(), checkout(), idempotencyKeyOf(nextId()), idempotencyKeyOf(nextId())];
    await store.commit(commit(paid, 0, { idempotencyKey: ofPayment }));
    assert.equal(await store.saveCheckoutWithKey(made, ofPayment, NOW), 'keyUsed');
    assert.equal(await store.saveCheckoutWithKey(made, ofCheckout, NOW), 'kept');
    assert.deepEqual(await store.commit(commit(payment(), 0, { idempotencyKey: ofCheckout })), {
      is: 'keyUsed',
      paymentId: made.id,
      bodyHash: ofCheckout.bodyHash,
    });
  });

  test(`${name}: of 32 checkouts with one key exactly one is created`, async () => {
    const { store } = opened();
    const [made, idempotencyKey] = [many(32, () => checkout()), idempotencyKeyOf(nextId())];
    const outcomes = await Promise.all(made.map((each) => store.saveCheckoutWithKey(each, idempotencyKey, NOW)));
    assert.deepEqual([...outcomes].sort(), ['kept', ...many(31, () => 'keyUsed')]);
    const there = await Promise.all(made.map(({ id }) => store.checkout(id)));
    assert.deepEqual(
      there.map((each) => each !== null),
      outcomes.map((outcome) => outcome === 'kept'),
    );
  });
}

/** These look at everything there is, so each has a store of its own. */
export function checkoutClaimAgeContract(name: string, open: Open): void {
  test(`${name}: the key of a checkout outlives it, and is deleted by its own age`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const [made, idempotencyKey] = [checkout({ createdAt: NOW - 9, expiresAt: NOW - 5 }), idempotencyKeyOf(nextId())];
    await store.saveCheckoutWithKey(made, idempotencyKey, NOW);
    assert.equal(await store.deleteCheckouts(NOW), 1);
    assert.equal(await store.deleteIdempotencyKeys(NOW), 0);
    assert.deepEqual(await store.idempotencyKey(made.merchantId, idempotencyKey.entityId, idempotencyKey.key), {
      paymentId: made.id,
      bodyHash: idempotencyKey.bodyHash,
    });
    assert.equal(await store.deleteIdempotencyKeys(NOW + 1), 1);
    assert.equal(await store.saveCheckoutWithKey(checkout(), idempotencyKey, NOW), 'kept');
  });
}

/** What a database promises beyond the memory store. */
export function checkoutClaimNodesContract(name: string, open: Open): void {
  test(`${name}: two nodes with one key at the same time create one checkout and change it once`, async (t) => {
    const first = await open();
    const second = await first.database?.again();
    assert.ok(second);
    t.after(async () => {
      await second.close();
      await first.end();
    });
    const stores = [first.store, second];
    for (let round = 0; round < 10; round += 1) {
      const [making, changing] = [idempotencyKeyOf(nextId()), idempotencyKeyOf(nextId())];
      const made = stores.map(() => checkout());
      const outcomes = await Promise.all(
        stores.map((store, at) => store.saveCheckoutWithKey(made[at] ?? checkout(), making, NOW)),
      );
      assert.deepEqual([...outcomes].sort(), ['kept', 'keyUsed']);
      const winner = made[outcomes.indexOf('kept')] ?? checkout();
      const changed = await Promise.all(
        stores.map((store, at) => store.saveCheckoutWithKey(saved(winner, { askedAt: at }), changing, NOW)),
      );
      assert.equal(changed.filter((outcome) => outcome === 'kept').length, 1);
      for (const store of stores) assert.equal((await store.checkout(winner.id))?.askedAt, changed.indexOf('kept'));
    }
  });
}
