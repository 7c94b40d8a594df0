import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DueQuery, exceptMerchants, type MerchantFilter, onlyMerchant } from '../../src/merchants/merchantFilter.ts';
import type { MerchantClock } from '../../src/merchants/ports.ts';
import type { Store } from '../../src/store/store.ts';
import { checkout } from './storeCheckoutFixtures.ts';
import { commit, NOW, nextId, type Open, type Opened, payment } from './storeFixtures.ts';
import { register, registration } from './storeRegistrationFixtures.ts';
import { newSchedule, storeSchedule } from './storeScheduleFixtures.ts';
import { delivery, hook, outboxEvent } from './storeWebhookFixtures.ts';

const clock = (changes: Partial<MerchantClock> = {}): MerchantClock => ({
  merchantId: nextId(),
  offsetMs: 0,
  frozenAt: null,
  target: null,
  steppedAt: NOW,
  revision: 1,
  ...changes,
});

/** A clock is one row of a merchant, changed only on the revision before. */
export function clockContract(name: string, opened: () => Opened): void {
  const mine = async (store: Store, merchantId: string) =>
    (await store.clocks()).find((one) => one.merchantId === merchantId) ?? null;

  test(`${name}: a clock comes back as stored`, async () => {
    const { store } = opened();
    for (const changes of [
      {},
      { offsetMs: 40 * 366 * 86_400_000, target: NOW + 5 },
      { offsetMs: -7, frozenAt: NOW, steppedAt: 0 },
      { frozenAt: NOW - 1, target: NOW + 1 },
    ]) {
      const one = clock(changes);
      assert.equal(await mine(store, one.merchantId), null);
      assert.equal(await store.saveClock(one), true);
      assert.deepEqual(await mine(store, one.merchantId), one);
    }
  });

  test(`${name}: a clock is saved only on the previous revision`, async () => {
    const { store } = opened();
    const first = clock();
    assert.equal(await store.saveClock({ ...first, revision: 2 }), false, 'there is none yet');
    assert.equal(await store.saveClock(first), true);
    assert.equal(await store.saveClock({ ...first, offsetMs: 9 }), false, 'another save was first');
    const second = { ...first, frozenAt: NOW, revision: 2 };
    const saved = await Promise.all([second, { ...second, frozenAt: null }].map((one) => store.saveClock(one)));
    assert.deepEqual(saved.toSorted(), [false, true]);
    assert.equal(await store.saveClock({ ...first, revision: 4 }), false);
    assert.equal((await mine(store, first.merchantId))?.revision, 2);
    await assert.rejects(store.saveClock(clock({ offsetMs: 0.5 })));
  });
}

/** What is due of whom, and when something is next. */
export function dueContract(name: string, open: Open): void {
  const two = async (work: (store: Store, own: string, other: string) => Promise<void>): Promise<void> => {
    const { store, end } = await open();
    try {
      await work(store, nextId(), nextId());
    } finally {
      await end();
    }
  };

  test(`${name}: due work is that of one merchant, or of all but some`, () =>
    two(async (store, own, other) => {
      for (const merchantId of [own, other]) {
        await store.commit(commit(payment({ merchantId, phase: { at: 'acquirer', dueAt: NOW } }), 0));
        await store.addCheckout(checkout({ merchantId, callAt: NOW }));
        await register(store, registration({ merchantId, expiresAt: NOW, tokenDueAt: NOW }));
      }
      const merchants: readonly (readonly [MerchantFilter, readonly string[]])[] = [
        [onlyMerchant(own), [own]],
        [onlyMerchant(nextId()), []],
        [exceptMerchants([]), [own, other]],
        [exceptMerchants([own]), [other]],
        [exceptMerchants([own, other, nextId()]), []],
      ];
      for (const [asked, expected] of merchants) {
        const question: DueQuery = { now: NOW, limit: 10, merchants: asked };
        const found = [
          (await store.due(question)).map(({ merchantId }) => merchantId),
          (await store.callsDue(question)).map(({ merchantId }) => merchantId),
          (await store.outlived(question)).map(({ merchantId }) => merchantId),
          (await store.awaitingToken(question)).map(({ registration: { merchantId } }) => merchantId),
        ];
        for (const one of found) assert.deepEqual(one.toSorted(), expected.toSorted(), JSON.stringify(asked));
        assert.deepEqual(await store.due({ ...question, now: NOW - 1 }), []);
        assert.ok((await store.outlived({ ...question, limit: 1 })).length <= 1);
      }
    }));

  test(`${name}: the next due time of a merchant, over every kind of work`, () =>
    two(async (store, own, other) => {
      assert.equal(await store.nextDueAt(own, 0), null);
      await register(store, registration({ merchantId: own, expiresAt: NOW + 60, tokenDueAt: NOW + 50 }));
      await store.addCheckout(checkout({ merchantId: own, callAt: NOW + 40 }));
      await storeSchedule(store, newSchedule({ merchantId: own, nextAt: NOW + 30 }));
      await store.commit(commit(payment({ merchantId: own, phase: { at: 'acquirer', dueAt: NOW + 20 } }), 0));
      await store.commit(commit(payment({ merchantId: other, phase: { at: 'acquirer', dueAt: NOW + 1 } }), 0));
      const [heard, silent] = [await hook(store), await hook(store, { state: 'paused' })];
      const first = outboxEvent({ merchantId: own });
      const behind = outboxEvent({ merchantId: own, subjectId: first.subjectId, revision: 2 });
      await store.saveFanOut(
        [],
        [
          delivery(heard, { event: first, dueAt: NOW + 10 }),
          delivery(silent, { event: first, dueAt: NOW + 5 }),
          delivery(heard, { event: behind, dueAt: NOW + 3 }),
        ],
      );
      const instants: number[] = [];
      for (let at = await store.nextDueAt(own, NOW); at !== null; at = await store.nextDueAt(own, at)) instants.push(at - NOW);
      assert.deepEqual(instants, [10, 20, 30, 40, 50, 60]);
      assert.equal(await store.nextDueAt(other, NOW), NOW + 1);
    }));

  test(`${name}: claims are released and deliveries made due for one merchant only`, () =>
    two(async (store, own, other) => {
      const hookId = await hook(store);
      for (const merchantId of [own, other]) {
        await storeSchedule(store, newSchedule({ merchantId, nextAt: NOW }));
        await store.saveFanOut([], [delivery(hookId, { event: outboxEvent({ merchantId }), dueAt: NOW + 1_000 })]);
      }
      const deliveries = async (now: number) => {
        const asked = { now, until: now + 9_000, limit: 10, each: 10, skip: [], merchants: exceptMerchants([]) };
        return (await store.claimDeliveries(asked)).map(({ event: { merchantId } }) => merchantId);
      };
      const plans = async () =>
        (await store.claimSchedules({ now: NOW, until: NOW + 9_000, limit: 10, merchants: exceptMerchants([]) })).map(
          (one) => one.merchantId,
        );
      assert.deepEqual((await plans()).toSorted(), [own, other].toSorted());
      assert.deepEqual(await plans(), []);
      assert.deepEqual(await deliveries(NOW), []);
      await store.makeDeliveriesDue(own, NOW);
      assert.deepEqual(await deliveries(NOW), [own]);
      assert.deepEqual(await deliveries(NOW), []);
      await store.releaseClaims(own);
      assert.deepEqual([await plans(), await deliveries(NOW)], [[own], [own]]);
    }));
}
