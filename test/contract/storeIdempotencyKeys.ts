import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allMerchants } from '../../src/merchants/merchantFilter.ts';
import { BrokenCommit } from '../../src/payments/storeErrors.ts';
import {
  APPROVED,
  child,
  commit,
  idempotencyKeyOf,
  moved,
  NOW,
  nextId,
  OPEN,
  type Open,
  type Opened,
  payment,
} from './storeFixtures.ts';

/** A key belongs to one payment; every change adds an outbox event. Both are part of the commit. */
export function claimContract(name: string, opened: () => Opened): void {
  test(`${name}: an idempotency key is stored with its payment`, async () => {
    const { store } = opened();
    const [change, idempotencyKey] = [payment(), idempotencyKeyOf(nextId())];
    assert.deepEqual(await store.commit(commit(change, 0, { idempotencyKey })), { is: 'kept' });
    assert.deepEqual(await store.idempotencyKey('merchant', idempotencyKey.entityId, idempotencyKey.key), {
      paymentId: change.id,
      bodyHash: idempotencyKey.bodyHash,
    });
  });

  test(`${name}: a used key returns its payment, and nothing is written`, async () => {
    const { store, outbox } = opened();
    const merchantId = nextId();
    const [first, second] = [payment({ merchantId }), payment({ merchantId })];
    const idempotencyKey = idempotencyKeyOf(nextId());
    await store.commit(commit(first, 0, { idempotencyKey }));
    const outcome = await store.commit(commit(second, 0, { idempotencyKey: { ...idempotencyKey, bodyHash: 'other' } }));
    assert.deepEqual(outcome, { is: 'keyUsed', paymentId: first.id, bodyHash: idempotencyKey.bodyHash });
    assert.equal(await store.payment(merchantId, second.id), null);
    assert.deepEqual(await store.idempotencyKey(merchantId, idempotencyKey.entityId, idempotencyKey.key), {
      paymentId: first.id,
      bodyHash: idempotencyKey.bodyHash,
    });
    assert.equal((await outbox(merchantId)).length, 1);
  });

  test(`${name}: the same key of another entity is free`, async () => {
    const { store } = opened();
    const key = nextId();
    for (const entityId of ['one', 'two']) {
      const change = payment({ entityId });
      assert.deepEqual(await store.commit(commit(change, 0, { idempotencyKey: idempotencyKeyOf(key, entityId) })), {
        is: 'kept',
      });
      assert.equal((await store.idempotencyKey('merchant', entityId, key))?.paymentId, change.id);
    }
  });

  test(`${name}: the key belongs to the requested entity, not to the channel of the payment`, async () => {
    const { store } = opened();
    const change = payment({ entityId: 'channel' });
    const idempotencyKey = idempotencyKeyOf(nextId(), 'merchant');
    await store.commit(commit(change, 0, { idempotencyKey }));
    assert.equal(await store.idempotencyKey('merchant', 'channel', idempotencyKey.key), null);
    assert.equal((await store.idempotencyKey('merchant', 'merchant', idempotencyKey.key))?.paymentId, change.id);
  });

  test(`${name}: a retry gets its payment although the family has changed`, async () => {
    const { store } = opened();
    const root = payment({ paymentType: 'PA' });
    const [capture, again] = [child(root, { paymentType: 'CP' }), child(root, { paymentType: 'CP' })];
    const idempotencyKey = idempotencyKeyOf(nextId());
    await store.commit(commit(root, 0));
    await store.commit(commit(capture, 1, { idempotencyKey }));
    assert.deepEqual(await store.commit(commit(again, 1, { idempotencyKey })), {
      is: 'keyUsed',
      paymentId: capture.id,
      bodyHash: idempotencyKey.bodyHash,
    });
  });

  test(`${name}: a payment does not conflict with its own key`, async () => {
    const { store } = opened();
    const change = commit(payment(), 0, { idempotencyKey: idempotencyKeyOf(nextId()) });
    await store.commit(change);
    assert.deepEqual(await store.commit(change), { is: 'moved' });
  });

  test(`${name}: of many payments with one key one is stored, and the others get it`, async () => {
    const { store } = opened();
    const idempotencyKey = idempotencyKeyOf(nextId());
    const changes = Array.from({ length: 64 }, () => payment());
    const outcomes = await Promise.all(changes.map((change) => store.commit(commit(change, 0, { idempotencyKey }))));
    const kept = changes.filter((_, index) => outcomes[index]?.is === 'kept');
    assert.equal(kept.length, 1);
    const others = outcomes.filter(({ is }) => is !== 'kept');
    assert.deepEqual(new Set(others.map((outcome) => JSON.stringify(outcome))).size, 1);
    assert.deepEqual(others[0], { is: 'keyUsed', paymentId: kept[0]?.id, bodyHash: idempotencyKey.bodyHash });
  });

  messageContract(name, opened);
}

function messageContract(name: string, opened: () => Opened): void {
  test(`${name}: every change adds one outbox event with its result code`, async () => {
    const { store, outbox } = opened();
    const root = payment({ paymentType: 'PA', phase: OPEN, merchantId: nextId() });
    const settled = moved(root, { phase: APPROVED });
    const capture = child(root, { paymentType: 'CP' });
    const changes = [root, settled, capture].map((change, version) => commit(change, version));
    for (const change of changes) assert.deepEqual(await store.commit(change), { is: 'kept' });
    const posted = changes.map(({ payment: { id, revision }, event }) => ({
      id: event.id,
      paymentId: id,
      revision,
      code: event.code,
      action: null,
      about: 'payment',
    }));
    const byId = (one: { readonly id: string }, other: { readonly id: string }) => (one.id < other.id ? -1 : 1);
    assert.deepEqual([...(await outbox(root.merchantId))].sort(byId), posted.sort(byId));
  });

  test(`${name}: the id of an outbox event is used once`, async () => {
    const { store, outbox } = opened();
    const merchantId = nextId();
    const eventId = nextId();
    const second = payment({ merchantId });
    await store.commit(commit(payment({ merchantId }), 0, { eventId }));
    await assert.rejects(store.commit(commit(second, 0, { eventId, idempotencyKey: idempotencyKeyOf(second.id) })), BrokenCommit);
    assert.equal(await store.payment(merchantId, second.id), null);
    assert.equal(await store.idempotencyKey(second.merchantId, 'channel', second.id), null);
    assert.equal((await outbox(merchantId)).length, 1);
  });
}

/** These look at everything there is, so each has a store of its own. */
export function ageContract(name: string, open: Open): void {
  test(`${name}: keys are deleted by age, and can be used again`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const ages = [NOW - 3, NOW - 2, NOW - 1, NOW, NOW + 1];
    for (const movedAt of ages) {
      await store.commit(
        commit(payment({ createdAt: movedAt, movedAt }), 0, { idempotencyKey: idempotencyKeyOf(`key ${movedAt}`) }),
      );
    }
    assert.equal(await store.deleteIdempotencyKeys(NOW - 3), 0);
    assert.equal(await store.deleteIdempotencyKeys(NOW), 3);
    assert.equal(await store.deleteIdempotencyKeys(NOW), 0);
    const left = await Promise.all(ages.map((age) => store.idempotencyKey('merchant', 'channel', `key ${age}`)));
    assert.deepEqual(
      left.map((idempotencyKey) => idempotencyKey !== null),
      [false, false, false, true, true],
    );
    assert.deepEqual(await store.commit(commit(payment(), 0, { idempotencyKey: idempotencyKeyOf(`key ${NOW - 1}`) })), {
      is: 'kept',
    });
  });

  test(`${name}: thousands of keys are deleted at once`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const changes = Array.from({ length: 4_500 }, (_, index) =>
      commit(payment(), 0, { idempotencyKey: idempotencyKeyOf(`key ${index}`) }),
    );
    await Promise.all(changes.map((change) => store.commit(change)));
    assert.equal(await store.deleteIdempotencyKeys(NOW + 1), 4_500);
    assert.equal(await store.idempotencyKey('merchant', 'channel', 'key 4499'), null);
  });

  test(`${name}: due payments of all merchants, the longest overdue first`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const waiting = [5, 1, 4, 2, 3].map((late) =>
      payment({ merchantId: `merchant ${late}`, phase: { at: 'doubt', tries: late, dueAt: NOW - late } }),
    );
    const later = payment({ phase: { at: 'acquirer', dueAt: NOW + 1 } });
    for (const change of [...waiting, later, payment()]) await store.commit(commit(change, 0));
    const overdue = waiting.toSorted((one, other) => dueAt(one) - dueAt(other));
    assert.deepEqual(await store.due({ now: NOW, limit: 100, merchants: allMerchants }), overdue);
    assert.deepEqual(await store.due({ now: NOW, limit: 2, merchants: allMerchants }), overdue.slice(0, 2));
    assert.deepEqual(await store.due({ now: NOW - 3, limit: 100, merchants: allMerchants }), overdue.slice(0, 3));
    assert.deepEqual(await store.due({ now: NOW - 6, limit: 100, merchants: allMerchants }), []);
    assert.deepEqual(await store.due({ now: NOW + 1, limit: 100, merchants: allMerchants }), [...overdue, later]);
  });

  test(`${name}: a payment that has changed is no longer due at its earlier time`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const [asked, other] = [
      payment({ phase: { at: 'acquirer', dueAt: NOW } }),
      payment({ phase: { at: 'acquirer', dueAt: NOW } }),
    ];
    const doubted = moved(asked, { phase: { at: 'doubt', tries: 1, dueAt: NOW + 10 } });
    for (const change of [asked, other]) await store.commit(commit(change, 0));
    await store.commit(commit(doubted, 1));
    await store.commit(commit(moved(other, { phase: APPROVED }), 1));
    assert.deepEqual(await store.due({ now: NOW, limit: 10, merchants: allMerchants }), []);
    assert.deepEqual(await store.due({ now: NOW + 10, limit: 10, merchants: allMerchants }), [doubted]);
  });
}

const dueAt = ({ phase }: { readonly phase: { readonly at: string; readonly dueAt?: number } }): number => phase.dueAt ?? 0;
