import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Commit } from '../../src/payments/ports.ts';
import { commit, idempotencyKeyOf, nextId, type Open, type Opened, payment } from './storeFixtures.ts';
import { acting, keyRow, many, onward, register, registration, SECRET, to, tokenUseOf } from './storeRegistrationFixtures.ts';

/** Many at once on one node. */
export function registrationCrowdContract(name: string, opened: () => Opened): void {
  test(`${name}: of 64 changes of one registration exactly one is kept, with its payment alone`, async () => {
    const { store, outbox } = opened();
    const first = await register(store, registration({ merchantId: nextId() }));
    const changes = many(64, (index) => commit(acting(first), 0, { registration: to(onward(first, { usedAt: index })) }));
    const outcomes = await Promise.all(changes.map((each) => store.commit(each)));
    assert.deepEqual(outcomes.map(({ is }) => is).sort(), ['kept', ...many(63, () => 'moved')]);
    const winner = changes[outcomes.findIndex(({ is }) => is === 'kept')];
    assert.deepEqual((await store.registration(first.merchantId, first.id))?.registration, winner?.registration?.registration);
    assert.equal((await outbox(first.merchantId)).length, 2);
  });

  test(`${name}: payments beside refused registrations and tokens are stored`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const first = await register(store, registration({ merchantId }));
    const tokenUse = tokenUseOf(nextId());
    await store.commit(commit(payment({ merchantId }), 0, { tokenUse }));
    const good = () => commit(payment({ merchantId }), 0);
    const made = registration({ merchantId });
    const crowd = [
      good(),
      commit(acting(first), 0, { registration: to(onward(onward(first))) }),
      good(),
      commit(payment({ merchantId }), 0, { tokenUse }),
      commit(payment({ merchantId }), 0, { tokenUse: tokenUseOf(nextId()) }),
      commit(acting(first), 0, { registration: to(onward(first)) }),
      commit(acting(first), 0, { registration: to({ ...onward(first), createdAt: 1 }) }),
      commit(acting(made, { id: made.id }), 0, { registration: to(made, SECRET) }),
      good(),
    ];
    const ends = await Promise.allSettled(crowd.map((each) => store.commit(each)));
    const words = ends.map((end) => (end.status === 'fulfilled' ? end.value.is : end.reason.name));
    assert.deepEqual(words, ['kept', 'moved', 'kept', 'tokenUsed', 'kept', 'kept', 'moved', 'kept', 'kept']);
    const written = await Promise.all(crowd.map(({ payment: { id } }) => store.payment(merchantId, id)));
    assert.deepEqual(
      written.map((found) => found !== null),
      words.map((word) => word === 'kept'),
    );
  });
}

/** Several nodes on one database. */
export function registrationNodesContract(name: string, open: Open): void {
  const rounds = 8;
  type Round = (stores: readonly Opened['store'][], merchantId: string) => Promise<void>;
  const between = (what: string, round: Round) =>
    test(`${name}: ${what}`, async (t) => {
      const first = await open();
      const second = await first.database?.again();
      if (!second) throw new Error('not a database');
      t.after(async () => {
        await second.close();
        await first.end();
      });
      for (let at = 0; at < rounds; at += 1) await round([first.store, second], nextId());
    });
  const tell = async (stores: readonly Opened['store'][], changes: readonly Commit[]) =>
    (await Promise.all(changes.map((each, at) => stores[at % 2]?.commit(each)))).map((outcome) => outcome?.is);

  between('a token that two nodes spend at once pays once', async (stores, merchantId) => {
    const tokenUse = tokenUseOf(nextId());
    const changes = many(16, () => commit(payment({ merchantId }), 0, { tokenUse }));
    const words = await tell(stores, changes);
    assert.deepEqual(words.sort(), ['kept', ...many(15, () => 'tokenUsed')]);
    const found = await Promise.all(changes.map(({ payment: { id } }) => stores[0]?.payment(merchantId, id)));
    assert.equal(found.filter((one) => one !== null).length, 1);
  });

  between('a registration that two nodes change at once changes once', async (stores, merchantId) => {
    const held = await register(stores[0] as Opened['store'], registration({ merchantId }));
    const changes = many(16, () => commit(acting(held), 0, { registration: to(onward(held)) }));
    const words = await tell(stores, changes);
    assert.deepEqual(words.sort(), ['kept', ...many(15, () => 'moved')]);
    assert.equal((await stores[1]?.registration(merchantId, held.id))?.registration.revision, 2);
    const found = await Promise.all(changes.map(({ payment: { id } }) => stores[0]?.payment(merchantId, id)));
    assert.equal(found.filter((one) => one !== null).length, 1);
  });

  between('a registration that two nodes make at once is made once', async (stores, merchantId) => {
    const id = nextId();
    const changes = many(16, () => {
      const made = registration({ merchantId, id, paymentId: nextId() });
      return commit(acting(made, { id: made.paymentId }), 0, { registration: to(made, SECRET) });
    });
    const words = await tell(stores, changes);
    assert.deepEqual(words.sort(), ['kept', ...many(15, () => 'moved')]);
  });

  between('of two nodes with one key and one token the loser hears of the key', async (stores, merchantId) => {
    const [tokenUse, idempotencyKey] = [tokenUseOf(nextId()), idempotencyKeyOf(nextId())];
    const words = await tell(
      stores,
      many(16, () => commit(payment({ merchantId }), 0, { tokenUse, idempotencyKey })),
    );
    assert.deepEqual(words.sort(), ['kept', ...many(15, () => 'keyUsed')]);
  });

  between("two nodes that change many registrations in any order are not in each other's way", async (stores, merchantId) => {
    const held = await Promise.all(many(8, () => register(stores[0] as Opened['store'], registration({ merchantId }))));
    const of = (some: typeof held) => some.map((one) => commit(acting(one), 0, { registration: to(onward(one)) }));
    const [there, back] = [of(held), of(held.toReversed())];
    const words = await tell(
      stores,
      there.flatMap((one, at) => [one, back[at] as Commit]),
    );
    assert.deepEqual(words.sort(), [...many(8, () => 'kept'), ...many(8, () => 'moved')]);
  });

  between('of two nodes that add a key one does', async (stores, owner) => {
    for (const version of [1, 2]) {
      const added = await Promise.all(many(16, (at) => stores[at % 2]?.addKey(keyRow(owner, version))));
      assert.equal(added.filter(Boolean).length, 1);
      assert.deepEqual(
        (await stores[1]?.keys(owner))?.map(({ state }) => state),
        version === 1 ? ['current'] : ['retiring', 'current'],
      );
    }
  });
}
