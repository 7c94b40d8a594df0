import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  allMerchants,
  exceptMerchants,
  latestFor,
  type MerchantFilter,
  onlyMerchant,
  SKEW_MS_MAX,
} from '../../src/merchants/merchantFilter.ts';
import type { Store } from '../../src/store/store.ts';
import { checkout } from './storeCheckoutFixtures.ts';
import { commit, NOW, nextId, type Open, payment } from './storeFixtures.ts';
import { run } from './storeReconciliation.ts';
import { register, registration } from './storeRegistrationFixtures.ts';
import { newSchedule, storeSchedule } from './storeScheduleFixtures.ts';
import { delivery, failed, hook, outboxEvent, send } from './storeWebhookFixtures.ts';

const DAY_MS = 86_400_000;
/** What a clock that is a day ahead takes for now. */
const AHEAD = NOW + DAY_MS;
const asked = { now: NOW, limit: 10, merchants: allMerchants } as const;

/** What a clock that was a day ahead has dated is found after it was put back, wherever an instant says when something is to be done. */
export function misdatedContract(name: string, open: Open): void {
  const onStore = (title: string, work: (store: Store) => Promise<void>) =>
    test(`${name}: ${title}`, async (t) => {
      const { store, end } = await open();
      t.after(end);
      await work(store);
    });

  onStore('payments last moved by a clock that was ahead are listed, others are not', async (store) => {
    const phase = (dueAt: number) => ({ at: 'doubt', tries: 1, dueAt }) as const;
    const [own, other] = [nextId(), nextId()];
    const stuck = payment({ merchantId: own, movedAt: AHEAD, phase: phase(AHEAD + 9) });
    const sooner = payment({ merchantId: other, movedAt: NOW + SKEW_MS_MAX + 1, phase: phase(NOW + SKEW_MS_MAX + 2) });
    const fine = [
      // Waiting long by a clock that is right, or nearly so.
      payment({ movedAt: NOW, phase: phase(NOW + 7 * DAY_MS) }),
      payment({ movedAt: NOW + SKEW_MS_MAX, phase: phase(AHEAD) }),
      // Due by any clock: it is found without this.
      payment({ movedAt: AHEAD, phase: phase(NOW) }),
      payment({ movedAt: AHEAD }),
    ];
    for (const one of [stuck, sooner, ...fine]) await store.commit(commit(one, 0));
    assert.deepEqual(await store.misdated(asked), [sooner, stuck]);
    assert.deepEqual(await store.misdated({ ...asked, limit: 1 }), [sooner]);
    const of = async (merchants: MerchantFilter) => (await store.misdated({ ...asked, merchants })).map(({ id }) => id);
    assert.deepEqual(await of(onlyMerchant(own)), [stuck.id]);
    assert.deepEqual(await of(exceptMerchants([own])), [sooner.id]);
    assert.deepEqual(await store.misdated({ ...asked, now: AHEAD }), []);
  });

  onStore('a call, a token and a file with an implausibly late due time are due', async (store) => {
    const late = {
      call: checkout({ callAt: latestFor('call', NOW) + 1 }),
      token: registration({ tokenDueAt: latestFor('networkToken', NOW) + 1 }),
      file: run({ dueAt: latestFor('reconciliation', NOW) + 1 }),
      claimed: run({ claimedUntil: latestFor('reconciliationClaim', NOW) + 1 }),
    };
    await store.addCheckout(late.call);
    await store.addCheckout(checkout({ callAt: latestFor('call', NOW) }));
    await register(store, late.token);
    await register(store, registration({ tokenDueAt: latestFor('networkToken', NOW) }));
    const waiting = [
      run({ dueAt: latestFor('reconciliation', NOW) }),
      run({ claimedUntil: latestFor('reconciliationClaim', NOW) }),
    ];
    for (const one of [late.file, late.claimed, ...waiting]) assert.equal(await store.addReconciliation(one), true);
    assert.deepEqual(
      (await store.callsDue(asked)).map(({ id }) => id),
      [late.call.id],
    );
    assert.deepEqual(
      (await store.awaitingToken(asked)).map(({ registration: { id } }) => id),
      [late.token.id],
    );
    const due = (await store.dueReconciliations(NOW, null, 10)).map(({ merchantId }) => merchantId);
    assert.deepEqual(due.toSorted(), [late.file.merchantId, late.claimed.merchantId].toSorted());
  });

  onStore('a claim by a clock that was ahead does not block others', async (store) => {
    const kept = await storeSchedule(store, newSchedule({ nextAt: NOW - DAY_MS }));
    const [sent] = await send(store, delivery(await hook(store), { dueAt: NOW - DAY_MS, createdAt: NOW - DAY_MS }));
    const plans = async (now: number) =>
      (await store.claimSchedules({ now, until: now + 60, limit: 10, merchants: allMerchants })).map(({ id }) => id);
    const deliveries = async (now: number) =>
      (await store.claimDeliveries({ now, until: now + 60, limit: 10, each: 10, skip: [], merchants: allMerchants })).map(
        ({ id }) => id,
      );
    const [planned, on] = [[kept.id], [sent?.id]];
    assert.deepEqual([await plans(NOW + SKEW_MS_MAX), await deliveries(NOW + SKEW_MS_MAX)], [planned, on]);
    assert.deepEqual([await plans(NOW), await deliveries(NOW)], [[], []], 'by a clock that is right, or nearly so');
    assert.deepEqual([await plans(NOW - 1), await deliveries(NOW - 1)], [planned, on], 'by a clock that was put back since');
    assert.deepEqual([await plans(NOW - 1), await deliveries(NOW - 1)], [[], []]);
  });

  onStore('schedules with an open charge last moved by a clock that was ahead are listed, others are not', async (store) => {
    const charge = { paymentId: 'p', dueAt: NOW, tries: 1, firstTriedAt: NOW, againAt: null };
    const [own, other] = [nextId(), nextId()];
    const stuck = await storeSchedule(store, newSchedule({ merchantId: own, charge, movedAt: AHEAD, nextAt: AHEAD + 9 }));
    const movedAt = NOW + SKEW_MS_MAX + 1;
    const sooner = await storeSchedule(store, newSchedule({ merchantId: other, charge, movedAt, nextAt: AHEAD }));
    for (const fine of [
      // Moved by a clock that is right, or nearly so.
      newSchedule({ charge, movedAt: NOW + SKEW_MS_MAX, nextAt: AHEAD }),
      // No charge is open.
      newSchedule({ movedAt: AHEAD, nextAt: AHEAD }),
      // Due soon by any clock: it is found without this.
      newSchedule({ charge, movedAt: AHEAD, nextAt: NOW + SKEW_MS_MAX }),
      newSchedule({ charge, movedAt: AHEAD, state: 'over', nextAt: null }),
    ]) {
      await storeSchedule(store, fine);
    }
    assert.deepEqual(await store.misdatedSchedules(asked), [sooner, stuck]);
    assert.deepEqual(await store.misdatedSchedules({ ...asked, limit: 1 }), [sooner]);
    const of = async (merchants: MerchantFilter) => (await store.misdatedSchedules({ ...asked, merchants })).map(({ id }) => id);
    assert.deepEqual(await of(onlyMerchant(own)), [stuck.id]);
    assert.deepEqual(await of(exceptMerchants([own])), [sooner.id]);
    assert.deepEqual(await store.misdatedSchedules({ ...asked, now: AHEAD }), []);
    assert.equal(await store.saveSchedule({ ...stuck, charge: null, revision: stuck.revision + 1 }, []), true);
    assert.deepEqual(await store.misdatedSchedules(asked), [sooner]);
  });

  onStore('deliveries of a clock that was ahead are corrected once, for the requested merchants', async (store) => {
    const webhookId = await hook(store);
    const [own, other] = [nextId(), nextId()];
    const of = (merchantId: string, changes: object) => delivery(webhookId, { event: outboxEvent({ merchantId }), ...changes });
    const fresh = { createdAt: AHEAD, dueAt: AHEAD };
    const [first, second, long] = await send(
      store,
      of(own, fresh),
      of(other, fresh),
      of(own, { createdAt: NOW, dueAt: latestFor('delivery', NOW) + 1, tries: [failed] }),
      // A day's rest is legal, and one that was tried after it was recalled rests as any other.
      of(own, { createdAt: NOW, dueAt: latestFor('delivery', NOW), tries: [failed] }),
      of(own, { createdAt: AHEAD, dueAt: NOW + SKEW_MS_MAX + 9, tries: [failed] }),
      of(own, { createdAt: NOW, dueAt: NOW }),
    );
    assert.equal(await store.correctMisdatedDeliveries({ now: NOW, merchants: onlyMerchant(nextId()) }), 0);
    assert.equal(await store.correctMisdatedDeliveries({ now: NOW, merchants: exceptMerchants([own]) }), 1);
    assert.equal(await store.correctMisdatedDeliveries({ now: NOW, merchants: onlyMerchant(own) }), 2);
    assert.equal(await store.correctMisdatedDeliveries({ now: NOW, merchants: allMerchants }), 0);
    for (const one of [first, second, long]) {
      const found = one && (await store.delivery(webhookId, one.id));
      assert.deepEqual([found?.dueAt, found?.tries, found?.createdAt], [NOW, one?.tries, one?.createdAt]);
    }
    const claimed = await store.claimDeliveries({
      now: NOW,
      until: NOW + 60,
      limit: 10,
      each: 10,
      skip: [],
      merchants: allMerchants,
    });
    assert.equal(claimed.length, 4);
  });
}
