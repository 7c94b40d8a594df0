import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Payment } from '../../src/payments/payment.ts';
import { BrokenCommit } from '../../src/payments/storeErrors.ts';
import { stateOf } from '../../src/store/commit/cells.ts';
import type { Store } from '../../src/store/store.ts';
import { sized } from '../long.ts';
import {
  APPROVED,
  child,
  commit,
  DECLINED,
  idempotencyKeyOf,
  moved,
  nextId,
  OPEN,
  type Opened,
  payment,
} from './storeFixtures.ts';
import { change, many, onward, register, registration, to, tokenUseOf } from './storeRegistrationFixtures.ts';

/** The outcome's word. */
export const commitOutcome = async (store: Store, each: Payment, version = 0): Promise<string> =>
  (await store.commit(commit(each, version))).is;

/** At most one payment of a checkout is open or has succeeded. */
export function busyContract(name: string, opened: () => Opened): void {
  for (const [what, phase] of [
    ['open', OPEN],
    ['approved', APPROVED],
  ] as const) {
    test(`${name}: while a payment of a checkout is ${what}, no other one is written`, async () => {
      const { store, outbox } = opened();
      const [merchantId, checkoutId] = [nextId(), nextId()];
      const first = payment({ merchantId, checkoutId, phase });
      assert.equal(await commitOutcome(store, first), 'kept');
      for (const next of [OPEN, APPROVED]) {
        const second = payment({ merchantId, checkoutId, phase: next });
        const tokenUse = tokenUseOf(second.id);
        const attempt = commit(second, 0, { idempotencyKey: idempotencyKeyOf(second.id), tokenUse });
        assert.deepEqual(await store.commit(attempt), { is: 'busy' });
        assert.equal(await store.payment(merchantId, second.id), null);
        assert.equal(await store.idempotencyKey(second.merchantId, 'channel', second.id), null);
        assert.equal((await store.commit(commit(payment({ merchantId }), 0, { tokenUse }))).is, 'kept');
      }
      assert.deepEqual(await store.attempts(merchantId, checkoutId), [first]);
      assert.equal((await outbox(merchantId)).length, 3);
    });
  }

  test(`${name}: a payment that is declined at once is stored beside the others`, async () => {
    const { store } = opened();
    const [merchantId, checkoutId] = [nextId(), nextId()];
    for (const phase of [DECLINED, OPEN, DECLINED, DECLINED]) {
      assert.equal(await commitOutcome(store, payment({ merchantId, checkoutId, phase })), 'kept');
    }
    assert.equal((await store.attempts(merchantId, checkoutId)).length, 4);
  });

  test(`${name}: after a decline another payment is accepted, and a success closes the checkout for good`, async () => {
    const { store } = opened();
    const [merchantId, checkoutId] = [nextId(), nextId()];
    const next = () => payment({ merchantId, checkoutId, phase: OPEN });
    for (let round = 0; round < 3; round += 1) {
      const tried = next();
      assert.equal(await commitOutcome(store, tried), 'kept');
      assert.equal(await commitOutcome(store, moved(tried, { phase: { at: 'doubt', tries: 1, dueAt: 1 } }), 1), 'kept');
      assert.equal(await commitOutcome(store, next()), 'busy');
      assert.equal(await commitOutcome(store, moved(moved(tried, {}), { phase: DECLINED }), 2), 'kept');
    }
    const last = next();
    assert.equal(await commitOutcome(store, last), 'kept');
    assert.equal(await commitOutcome(store, moved(last, { phase: APPROVED }), 1), 'kept');
    for (const phase of [OPEN, APPROVED])
      assert.equal(await commitOutcome(store, payment({ merchantId, checkoutId, phase })), 'busy');
    assert.equal((await store.attempts(merchantId, checkoutId)).filter((one) => stateOf(one) !== 'declined').length, 1);
  });

  test(`${name}: a declined payment is never reopened, so no change conflicts with another payment`, async () => {
    const { store } = opened();
    const [merchantId, checkoutId] = [nextId(), nextId()];
    const declined = payment({ merchantId, checkoutId, phase: DECLINED });
    const paid = payment({ merchantId, checkoutId });
    for (const each of [declined, paid]) assert.equal(await commitOutcome(store, each), 'kept');
    for (const phase of [OPEN, APPROVED]) await assert.rejects(commitOutcome(store, moved(declined, { phase }), 1), BrokenCommit);
    assert.deepEqual(await store.payment(merchantId, declined.id), declined);
  });

  test(`${name}: the checkout of a payment does not change`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const [without, within] = [payment({ merchantId, phase: OPEN }), payment({ merchantId, checkoutId: nextId(), phase: OPEN })];
    const capture = child(payment({ merchantId }), { paymentType: 'CP', phase: OPEN });
    for (const each of [without, within]) assert.equal(await commitOutcome(store, each), 'kept');
    for (const each of [
      moved(without, { checkoutId: nextId() }),
      moved(within, { checkoutId: null }),
      moved(within, { checkoutId: nextId() }),
    ]) {
      await assert.rejects(commitOutcome(store, each, 1), BrokenCommit);
    }
    const root = payment({ merchantId, paymentType: 'PA' });
    const part = { ...capture, familyId: root.id, referencedId: root.id };
    assert.equal(await commitOutcome(store, root), 'kept');
    assert.equal(await commitOutcome(store, part, 1), 'kept');
    await assert.rejects(commitOutcome(store, moved(part, { checkoutId: nextId() }), 2), BrokenCommit);
  });

  test(`${name}: a checkout does not block other merchants, other checkouts, or payments without one`, async () => {
    const { store } = opened();
    const [merchantId, checkoutId] = [nextId(), nextId()];
    const bystanders = [
      payment({ merchantId, checkoutId }),
      payment({ merchantId: nextId(), checkoutId }),
      payment({ merchantId, checkoutId: nextId() }),
      payment({ merchantId }),
      payment({ merchantId }),
    ];
    for (const each of bystanders) assert.equal(await commitOutcome(store, each), 'kept');
    const capture = child(bystanders[0] as Payment, { paymentType: 'RF', amount: 1n });
    assert.equal(await commitOutcome(store, capture, 1), 'kept');
  });

  reasonContract(name, opened);
  crowdContract(name, opened);
}

function reasonContract(name: string, opened: () => Opened): void {
  test(`${name}: the outcome busy comes after claimed and moved, before spent and overrun`, async () => {
    const { store } = opened();
    const [checkoutId, tokenUse, idempotencyKey] = [nextId(), tokenUseOf(nextId()), idempotencyKeyOf(nextId())];
    const first = payment({ checkoutId });
    await store.commit(commit(first, 0, { tokenUse, idempotencyKey }));
    const held = await register(store, registration());
    assert.equal(await change(store, onward(held)), 'kept');
    const [stale, fresh] = [to(onward(held)), to(onward(onward(held)))];
    const root = payment({ paymentType: 'PA', amount: 100n });
    await store.commit(commit(root, 0));
    const tooMuch = () => child(root, { paymentType: 'CP', amount: 101n, registrationId: held.id, checkoutId });
    const claimed = { is: 'keyUsed', paymentId: first.id, bodyHash: idempotencyKey.bodyHash };
    assert.deepEqual(await store.commit(commit(tooMuch(), 1, { idempotencyKey, tokenUse, registration: stale })), claimed);
    assert.deepEqual(await store.commit(commit(tooMuch(), 1, { tokenUse, registration: stale })), { is: 'moved' });
    assert.deepEqual(await store.commit(commit(tooMuch(), 7, { tokenUse, registration: fresh })), { is: 'moved' });
    assert.deepEqual(await store.commit(commit(tooMuch(), 7)), { is: 'moved' });
    assert.deepEqual(await store.commit(commit(tooMuch(), 1, { tokenUse, registration: fresh })), { is: 'busy' });
    assert.deepEqual(await store.commit(commit(tooMuch(), 1)), { is: 'busy' });
    const elsewhere = { ...tooMuch(), checkoutId: nextId() };
    assert.deepEqual(await store.commit(commit(elsewhere, 1, { tokenUse, registration: fresh })), { is: 'tokenUsed' });
    assert.deepEqual(await store.commit(commit(elsewhere, 1)), { is: 'overrun' });
    assert.deepEqual(await store.commit(commit(first, 0)), { is: 'moved' });
  });
}

/** Of many payments of one checkout at once one is kept, and those beside them all. */
export async function crowd(stores: readonly Store[], round: number): Promise<void> {
  const [merchantId, checkoutId] = [nextId(), nextId()];
  const [store] = stores as [Store];
  const some = many(32, (index) => payment({ merchantId, checkoutId, phase: (index + round) % 3 === 0 ? APPROVED : OPEN }));
  const beside = many(4, () => payment({ merchantId, checkoutId: round % 2 ? nextId() : null }));
  const changes = [...some, ...beside].map((each) => commit(each, 0, round % 5 ? {} : { tokenUse: tokenUseOf(each.id) }));
  const outcomes = await Promise.all(changes.map((each, at) => (stores[at % stores.length] as Store).commit(each)));
  const words = outcomes.map(({ is }) => is);
  assert.deepEqual(words.slice(0, 32).sort(), [...many(31, () => 'busy'), 'kept'], `round ${round}`);
  assert.deepEqual(
    words.slice(32),
    many(4, () => 'kept'),
    `round ${round}`,
  );
  assert.deepEqual(await store.attempts(merchantId, checkoutId), [some[words.indexOf('kept')]], `round ${round}`);
}

/** How often many want to pay one checkout at the same time. */
export const CROWDS = sized({ quick: 15, assure: 50, reliability: 50 });

function crowdContract(name: string, opened: () => Opened): void {
  test(`${name}: of 32 concurrent payments of one checkout exactly one is stored, ${CROWDS} times`, async () => {
    for (let round = 0; round < CROWDS; round += 1) await crowd([opened().store], round);
  });

  test(`${name}: a decline and the next payment in one group work in either order, and never both are open`, async () => {
    const { store } = opened();
    for (let round = 0; round < 20; round += 1) {
      const [merchantId, checkoutId] = [nextId(), nextId()];
      const first = payment({ merchantId, checkoutId, phase: OPEN });
      await store.commit(commit(first, 0));
      const nexts = many(8, () => payment({ merchantId, checkoutId, phase: OPEN }));
      const decline = commit(moved(first, { phase: DECLINED }), 1);
      const group = [
        ...nexts.slice(0, 4).map((each) => commit(each, 0)),
        decline,
        ...nexts.slice(4).map((each) => commit(each, 0)),
      ];
      const words = (await Promise.all(group.map((each) => store.commit(each)))).map(({ is }) => is);
      assert.equal(words[4], 'kept');
      const kept = words.filter((word, at) => word === 'kept' && at !== 4).length;
      assert.ok(kept <= 1);
      const open = (await store.attempts(merchantId, checkoutId)).filter((one) => stateOf(one) !== 'declined');
      assert.equal(open.length, kept);
    }
  });
}
