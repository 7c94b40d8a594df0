import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrokenCommit, StoreOutOfOrder } from '../../src/payments/storeErrors.ts';
import { child, commit, idempotencyKeyOf, nextId, type Open, type Opened, payment } from './storeFixtures.ts';
import { keyRow } from './storeRegistrationFixtures.ts';

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

/** Many at once, good and bad ones side by side. */
export function crowdContract(name: string, opened: () => Opened): void {
  test(`${name}: of 64 commits on one version of a family exactly one is kept`, async () => {
    const { store, outbox } = opened();
    const root = payment({ paymentType: 'PA', merchantId: nextId() });
    await store.commit(commit(root, 0));
    const outcomes = await Promise.all(many(64, () => store.commit(commit(child(root, { paymentType: 'CP', amount: 1n }), 1))));
    assert.deepEqual(outcomes.map(({ is }) => is).sort(), ['kept', ...many(63, () => 'moved')]);
    const family = await store.family(root.merchantId, root.id);
    assert.deepEqual([family?.version, family?.payments.length, (await outbox(root.merchantId)).length], [2, 2, 2]);
  });

  test(`${name}: of 64 first commits of one payment exactly one is kept`, async () => {
    const { store } = opened();
    const change = payment();
    const outcomes = await Promise.all(many(64, () => store.commit(commit(change, 0))));
    assert.deepEqual(outcomes.map(({ is }) => is).sort(), ['kept', ...many(63, () => 'moved')]);
  });

  test(`${name}: 200 commits of as many families are all kept`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const changes = many(200, (index) => payment({ merchantId, amount: BigInt(index) }));
    const outcomes = await Promise.all(
      changes.map((change) => store.commit(commit(change, 0, { idempotencyKey: idempotencyKeyOf(change.id) }))),
    );
    assert.deepEqual(new Set(outcomes.map(({ is }) => is)), new Set(['kept']));
    const back = await Promise.all(changes.map(({ id }) => store.payment(merchantId, id)));
    assert.deepEqual(back, changes);
  });

  test(`${name}: a bad commit does not hurt its neighbours`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const root = payment({ merchantId, paymentType: 'PA', amount: 100n });
    const taken = idempotencyKeyOf(nextId());
    const eventId = nextId();
    await store.commit(commit(root, 0, { idempotencyKey: taken, eventId }));
    const good = () => commit(payment({ merchantId }), 0);
    const other = () => payment({ merchantId, paymentType: 'PA', amount: 100n });
    const roots = many(3, other);
    await Promise.all(roots.map((change) => store.commit(commit(change, 0))));
    const [one, two, three] = roots as [typeof root, typeof root, typeof root];
    const crowd = [
      good(),
      commit(child(one, { paymentType: 'CP', amount: 101n }), 1),
      good(),
      commit(payment({ merchantId }), 0, { idempotencyKey: taken }),
      commit(child(two, { paymentType: 'CP', amount: 1n }), 7),
      good(),
      commit(payment({ merchantId }), 0, { eventId }),
      commit(child(three, { paymentType: 'CP', amount: 100n }), 1),
      good(),
    ];
    const ends = await Promise.allSettled(crowd.map((change) => store.commit(change)));
    const words = ends.map((end) => (end.status === 'fulfilled' ? end.value.is : end.reason.name));
    const expected = ['kept', 'overrun', 'kept', 'keyUsed', 'moved', 'kept', BrokenCommit.name, 'kept', 'kept'];
    assert.deepEqual(words, expected);
    const written = await Promise.all(crowd.map(({ payment: { id } }) => store.payment(merchantId, id)));
    assert.deepEqual(
      written.map((found) => found !== null),
      expected.map((word) => word === 'kept'),
    );
  });

  test(`${name}: captures of one preauthorization never add up to more than it`, async () => {
    const { store } = opened();
    const root = payment({ paymentType: 'PA', amount: 1_000n, merchantId: nextId() });
    await store.commit(commit(root, 0));
    const capture = async (amount: bigint) => {
      const change = child(root, { paymentType: 'CP', amount });
      for (;;) {
        const version = (await store.family(root.merchantId, root.id))?.version ?? 0;
        const { is } = await store.commit(commit(change, version));
        if (is !== 'moved') return is;
      }
    };
    const outcomes = await Promise.all(many(32, (index) => capture(BigInt(50 + index))));
    const kept = (await store.family(root.merchantId, root.id))?.payments.slice(1) ?? [];
    assert.equal(kept.length, outcomes.filter((is) => is === 'kept').length);
    const sum = kept.reduce((total, { amount }) => total + amount, 0n);
    assert.ok(sum <= 1_000n && sum > 1_000n - 81n, `${sum} captured`);
  });
}

/** A store's life has an end. */
export function lifeContract(name: string, open: Open): void {
  test(`${name}: an open store answers, a closed one refuses`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    await store.ping();
    // Again and again, small and large: what was tried before is no obstacle.
    for (const isThorough of [false, true, true, false]) await store.tryWrite(isThorough);
    await store.close();
    await store.close();
    await assert.rejects(store.ping(), StoreOutOfOrder);
    await assert.rejects(store.tryWrite(false), StoreOutOfOrder);
    await assert.rejects(store.tryWrite(true), StoreOutOfOrder);
    await assert.rejects(store.commit(commit(payment(), 0)), StoreOutOfOrder);
    await assert.rejects(store.payment('merchant', nextId()), StoreOutOfOrder);
    await assert.rejects(store.insertAccounts({ entities: [], tokens: [] }), StoreOutOfOrder);
    await assert.rejects(store.registration('merchant', nextId()), StoreOutOfOrder);
    await assert.rejects(store.touch('merchant', nextId(), { usedAt: 1, expiresAt: 1 }), StoreOutOfOrder);
    await assert.rejects(store.keys(null), StoreOutOfOrder);
    await assert.rejects(store.addKey(keyRow('owner', 1)), StoreOutOfOrder);
    await assert.rejects(store.reserveKey(keyRow('owner', 1), 1), StoreOutOfOrder);
    await assert.rejects(store.sealedAfter(null, 1), StoreOutOfOrder);
  });

  test(`${name}: closing finishes the commits that were accepted`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const commits = many(300, () => store.commit(commit(payment(), 0)));
    const closed = store.close();
    const outcomes = await Promise.all(commits);
    await closed;
    assert.deepEqual(new Set(outcomes.map(({ is }) => is)), new Set(['kept']));
  });
}
