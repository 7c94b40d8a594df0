import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ATTEMPTS_MAX, type Checkout } from '../../src/checkouts/checkout.ts';
import { allMerchants } from '../../src/merchants/merchantFilter.ts';
import { BrokenCommit, StoreOutOfOrder } from '../../src/payments/storeErrors.ts';
import { checkout, checkouts, saved } from './storeCheckoutFixtures.ts';
import { commit, DECLINED, NOW, nextId, type Open, type Opened, payment } from './storeFixtures.ts';
import { many } from './storeRegistrationFixtures.ts';

/** A checkout is found by its id alone, and changes only on the revision before. */
export function checkoutContract(name: string, opened: () => Opened): void {
  const back = async (made: Checkout) => {
    const { store } = opened();
    await store.addCheckout(made);
    assert.deepEqual(await store.checkout(made.id), made);
  };

  test(`${name}: every field of any checkout comes back`, () => fc.assert(fc.asyncProperty(checkouts, back), { numRuns: 60 }));
  test(`${name}: a field of a later version of the program comes back in a checkout`, () =>
    back({ ...checkout(), deviceIds: ['a'] } as unknown as Checkout));

  test(`${name}: an unknown id is no checkout`, async () => {
    assert.equal(await opened().store.checkout(`${nextId()}.node01`), null);
  });

  test(`${name}: an id is used once, also by other merchants`, async () => {
    const { store } = opened();
    const made = checkout({ merchantId: nextId() });
    await store.addCheckout(made);
    await assert.rejects(store.addCheckout({ ...made, merchantId: nextId() }), BrokenCommit);
    assert.deepEqual(await store.checkout(made.id), made);
  });

  test(`${name}: a change is stored on the previous revision only`, async () => {
    const { store } = opened();
    const made = checkout();
    await store.addCheckout(made);
    const click = { at: NOW + 5, flow: 'tab', shopOrigin: null, language: 'de', shopperResultUrl: null } as const;
    const clicked = saved(made, { submission: click, fields: { amount: '93.00' }, callAt: null, expiresAt: NOW + 9 });
    assert.equal(await store.saveCheckout(clicked), true);
    assert.deepEqual(await store.checkout(made.id), clicked);
    for (const stale of [saved(made, { askedAt: 1 }), saved(saved(clicked), { askedAt: 2 })]) {
      assert.equal(await store.saveCheckout(stale), false);
      assert.deepEqual(await store.checkout(made.id), clicked);
    }
    assert.equal(await store.saveCheckout(saved(checkout())), false);
  });

  test(`${name}: the owner of a checkout does not change, and a revision is consistent`, async () => {
    const { store } = opened();
    const made = checkout();
    await store.addCheckout(made);
    for (const other of [{ merchantId: 'another' }, { entityId: 'another' }, { createdAt: NOW - 1 }]) {
      await assert.rejects(store.saveCheckout(saved(made, other)), BrokenCommit);
    }
    for (const revision of [0, 2, 1.5, Number.NaN]) await assert.rejects(store.addCheckout(checkout({ revision })), BrokenCommit);
    await assert.rejects(store.saveCheckout(made), BrokenCommit);
    assert.deepEqual(await store.checkout(made.id), made);
  });

  test(`${name}: of 32 changes of one revision exactly one is stored`, async () => {
    const { store } = opened();
    const made = checkout();
    await store.addCheckout(made);
    const changes = many(32, (index) => saved(made, { askedAt: index }));
    const kept = await Promise.all(changes.map((each) => store.saveCheckout(each)));
    assert.equal(kept.filter(Boolean).length, 1);
    assert.deepEqual(await store.checkout(made.id), changes[kept.indexOf(true)]);
  });

  attemptContract(name, opened);
}

function attemptContract(name: string, opened: () => Opened): void {
  test(`${name}: the payments of a checkout are listed the newest first, to its merchant only`, async () => {
    const { store } = opened();
    const [merchantId, checkoutId] = [nextId(), nextId()];
    const tried = (createdAt: number) => payment({ merchantId, checkoutId, createdAt, phase: DECLINED });
    const [old, first, second] = [tried(NOW - 1), tried(NOW), tried(NOW)];
    const last = payment({ merchantId, checkoutId, createdAt: NOW + 1 });
    const others = [payment({ merchantId, checkoutId: nextId() }), payment({ merchantId }), payment({ checkoutId })];
    for (const each of [second, old, first, last, ...others]) assert.equal((await store.commit(commit(each, 0))).is, 'kept');
    assert.deepEqual(await store.attempts(merchantId, checkoutId), [last, second, first, old]);
    assert.deepEqual(await store.attempts(nextId(), checkoutId), []);
    const past = await store.history({ after: null, before: NOW + 9, merchantId, limit: 9 });
    assert.deepEqual(past.filter((one) => one.checkoutId === checkoutId).reverse(), [last, second, first, old]);
    assert.deepEqual(await store.attempts(merchantId, nextId()), []);
  });

  test(`${name}: of many payments of a checkout the newest are listed`, async () => {
    const { store } = opened();
    const [merchantId, checkoutId] = [nextId(), nextId()];
    const tried = many(ATTEMPTS_MAX + 2, (at) => payment({ merchantId, checkoutId, createdAt: NOW + at, phase: DECLINED }));
    for (const each of tried) assert.equal((await store.commit(commit(each, 0))).is, 'kept');
    assert.deepEqual(await store.attempts(merchantId, checkoutId), tried.slice(2).reverse());
  });
}

/** What depends on the age of everything that is there. */
export function checkoutAgeContract(name: string, open: Open): void {
  test(`${name}: due calls of merchants are listed the longest overdue first`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const calls = [NOW, NOW - 5, null, NOW + 1, NOW - 5, NOW - 9];
    const made = calls.map((callAt) => checkout({ callAt }));
    for (const each of made.toReversed()) await store.addCheckout(each);
    const expected = [5, 1, 4, 0].map((at) => made[at]);
    assert.deepEqual(await store.callsDue({ now: NOW, limit: 10, merchants: allMerchants }), expected);
    assert.deepEqual(await store.callsDue({ now: NOW, limit: 3, merchants: allMerchants }), expected.slice(0, 3));
    assert.deepEqual(await store.callsDue({ now: NOW - 10, limit: 10, merchants: allMerchants }), []);
    assert.equal(await store.saveCheckout(saved(made[1] as Checkout, { callAt: null })), true);
    assert.deepEqual(
      await store.callsDue({ now: NOW, limit: 10, merchants: allMerchants }),
      [5, 4, 0].map((at) => made[at]),
    );
  });

  test(`${name}: ended checkouts are deleted, thousands at once, and their payments stay`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const made = many(2_100, (index) => checkout({ expiresAt: NOW - (index % 3) }));
    const young = checkout({ expiresAt: NOW + 1 });
    await Promise.all([...made, young].map((each) => store.addCheckout(each)));
    const [merchantId, checkoutId] = ['merchant', made[2]?.id ?? ''];
    const paid = payment({ merchantId, checkoutId });
    await store.commit(commit(paid, 0));
    assert.equal(await store.deleteCheckouts(NOW - 2), 0);
    assert.equal(await store.deleteCheckouts(NOW - 1), 700);
    assert.equal(await store.deleteCheckouts(NOW + 1), 1_400);
    assert.equal(await store.deleteCheckouts(NOW + 1), 0);
    assert.equal(await store.checkout(checkoutId), null);
    assert.equal(await store.saveCheckout(saved(made[2] as Checkout)), false);
    assert.deepEqual(await store.checkout(young.id), young);
    assert.deepEqual(await store.payment(merchantId, paid.id), paid);
    assert.deepEqual(await store.attempts(merchantId, checkoutId), [paid]);
    assert.deepEqual(await store.commit(commit(payment({ merchantId, checkoutId }), 0)), { is: 'busy' });
  });

  test(`${name}: a closed store refuses checkout calls`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    await store.close();
    await assert.rejects(store.checkout('x'), StoreOutOfOrder);
    await assert.rejects(store.addCheckout(checkout()), StoreOutOfOrder);
    await assert.rejects(store.attempts('x', 'x'), StoreOutOfOrder);
    await assert.rejects(store.asset('x', 'x'), StoreOutOfOrder);
    await assert.rejects(store.putAssets([], NOW), StoreOutOfOrder);
  });
}

/** What a database promises of checkouts beyond the memory store. */
export function checkoutNodesContract(name: string, open: Open): void {
  test(`${name}: two nodes see each other's checkouts, and one of two concurrent changes is stored`, async (t) => {
    const first = await open();
    const second = await first.database?.again();
    assert.ok(second);
    t.after(async () => {
      await second.close();
      await first.end();
    });
    const stores = [first.store, second];
    for (let round = 0; round < 10; round += 1) {
      const made = checkout();
      const added = await Promise.allSettled(stores.map((store) => store.addCheckout(made)));
      assert.deepEqual(added.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      for (const store of stores) assert.deepEqual(await store.checkout(made.id), made);
      const changes = many(16, (index) => saved(made, { askedAt: index }));
      const kept = await Promise.all(changes.map((each, at) => stores[at % 2]?.saveCheckout(each)));
      assert.equal(kept.filter(Boolean).length, 1);
      for (const store of stores) assert.deepEqual(await store.checkout(made.id), changes[kept.indexOf(true)]);
    }
  });

  test(`${name}: by raw SQL, no checkout changes its owner or its content without a new revision`, async (t) => {
    const { store, database, end } = await open();
    t.after(end);
    assert.ok(database);
    const made = checkout();
    await store.addCheckout(made);
    const refused: readonly (readonly [statement: string, why: RegExp])[] = [
      [`UPDATE checkout SET merchant_id = 'x', revision = 2`, /owner and origin/],
      [`UPDATE checkout SET entity_id = 'x', revision = 2`, /owner and origin/],
      [`UPDATE checkout SET id = 'x', revision = 2`, /owner and origin/],
      [`UPDATE checkout SET created_at = 1, revision = 2`, /owner and origin/],
      [`UPDATE checkout SET data = '{}'`, /raises the revision/],
      [`UPDATE checkout SET revision = 3`, /raises the revision/],
      [
        `INSERT INTO checkout (id, merchant_id, entity_id, created_at, expires_at, revision, data)
         VALUES ('${made.id}', 'x', 'x', 1, 1, 1, '{}')`,
        /checkout_no_replace|checkout_pkey/,
      ],
    ];
    for (const [statement, why] of refused) await assert.rejects(database.raw(statement), why, statement);
    assert.deepEqual(await store.checkout(made.id), made);
  });
}
