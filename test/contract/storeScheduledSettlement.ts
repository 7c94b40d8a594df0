import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exceptMerchants, onlyMerchant } from '../../src/merchants/merchantFilter.ts';
import type { ScheduledAction, ScheduledSettlement, SettlementDay } from '../../src/settlement/ports.ts';
import type { Store } from '../../src/store/store.ts';
import { commit, NOW, nextId, type Opened, payment } from './storeFixtures.ts';

const DAY_MS = 86_400_000;
const pay = (number = 0): ScheduledAction => ({ does: 'pay', number, gross: '9200', fee: '153' });
const taken: ScheduledAction = { does: 'chargeback', number: 1, amount: '9200', code: '000.100.221' };

const later = (merchantId: string, changes: Partial<ScheduledSettlement> = {}): ScheduledSettlement => ({
  merchantId,
  paymentId: nextId(),
  dueAt: NOW,
  act: pay(),
  ...changes,
});

const dueOf = (store: Store, merchantId: string, now = NOW) =>
  store.scheduledSettlementsDue({ now, limit: 100, merchants: onlyMerchant(merchantId) });

async function shop(store: Store, since = NOW): Promise<SettlementDay> {
  const day = { merchantId: nextId(), since, dueAt: null };
  assert.equal(await store.saveDay(day, null), true);
  return day;
}

/** Acts are written once, and go together with what takes their place. */
export function laterContract(name: string, opened: () => Opened): void {
  test(`${name}: actions are written once, and only while their day is open`, async () => {
    const { store } = opened();
    const day = await shop(store);
    const [one, other] = [later(day.merchantId), later(day.merchantId, { act: taken, dueAt: NOW + 5 })];
    assert.equal(await store.addScheduledSettlements(day, [one, other]), true);
    assert.equal(await store.addScheduledSettlements(day, []), true);
    const again = { ...other, dueAt: NOW + 9, act: Object.fromEntries(Object.entries(taken).toReversed()) as ScheduledAction };
    assert.equal(await store.addScheduledSettlements(day, [one, again]), true, 'the same act, in other words');
    assert.deepEqual(await dueOf(store, day.merchantId), [one]);
    assert.deepEqual(await dueOf(store, day.merchantId, NOW + 5), [one, other]);
    assert.equal(await store.addScheduledSettlements({ ...day, since: NOW - 1 }, [later(day.merchantId)]), false);
    const nobody = nextId();
    assert.equal(
      await store.addScheduledSettlements({ merchantId: nobody, since: NOW }, [later(nobody)]),
      false,
      'who has no day has no acts',
    );
    assert.equal((await dueOf(store, day.merchantId, NOW + 9)).length, 2);
    await assert.rejects(store.addScheduledSettlements(day, [later(nobody)]), 'of somebody else');
    await assert.rejects(store.addScheduledSettlements(day, [later(day.merchantId, { dueAt: 0.5 })]));
  });

  test(`${name}: actions are ordered by time, merchant, payment and action, of one merchant or of all but some`, async () => {
    const { store } = opened();
    const [one, other] = [await shop(store), await shop(store)];
    const paymentId = nextId();
    const acts = [
      later(one.merchantId, { dueAt: NOW - 7 }),
      later(other.merchantId, { dueAt: NOW - 7 }),
      later(one.merchantId, { paymentId, act: taken, dueAt: NOW - 3 }),
      later(one.merchantId, { paymentId, act: pay(0), dueAt: NOW - 3 }),
      later(one.merchantId, { paymentId, act: pay(1), dueAt: NOW - 3 }),
    ];
    for (const day of [one, other]) {
      await store.addScheduledSettlements(day, acts.filter(({ merchantId }) => merchantId === day.merchantId).toReversed());
    }
    const own = acts.filter(({ merchantId }) => merchantId === one.merchantId);
    assert.deepEqual(await dueOf(store, one.merchantId), own);
    assert.deepEqual(
      await store.scheduledSettlementsDue({ now: NOW, limit: 2, merchants: onlyMerchant(one.merchantId) }),
      own.slice(0, 2),
    );
    const all = await store.scheduledSettlementsDue({ now: NOW - 1, limit: 100, merchants: exceptMerchants([]) });
    assert.deepEqual(
      all.filter(({ merchantId }) => merchantId === one.merchantId || merchantId === other.merchantId),
      acts,
    );
    const others = await store.scheduledSettlementsDue({ now: NOW, limit: 100, merchants: exceptMerchants([one.merchantId]) });
    assert.ok(others.length > 0 && others.every(({ merchantId }) => merchantId !== one.merchantId));
  });

  test(`${name}: done actions are replaced by their successors in one commit, once`, async () => {
    const { store } = opened();
    const day = await shop(store);
    const [look, kept] = [later(day.merchantId, { act: { does: 'look', number: 1 } }), later(day.merchantId)];
    await store.addScheduledSettlements(day, [look, kept]);
    const next = later(day.merchantId, { paymentId: look.paymentId, dueAt: NOW + 1 });
    const done = await Promise.all([1, 2].map(() => store.finishScheduledSettlements([look], [next])));
    assert.deepEqual(done.toSorted(), [false, true]);
    assert.deepEqual(await dueOf(store, day.merchantId, NOW + 1), [kept, next]);
    assert.equal(
      await store.finishScheduledSettlements([look, kept], [later(day.merchantId)]),
      false,
      'somebody was quicker: nothing happens',
    );
    assert.deepEqual(await dueOf(store, day.merchantId, NOW + 1), [kept, next]);
    assert.equal(await store.finishScheduledSettlements([kept, next], []), true);
    assert.deepEqual(await dueOf(store, day.merchantId, NOW + 1), []);
    await assert.rejects(store.finishScheduledSettlements([later(day.merchantId), later(nextId())], []));
  });
}

/** One day of a merchant, moved on from where it is. */
export function settlingDayContract(name: string, opened: () => Opened): void {
  test(`${name}: a day moves on only from its present position`, async () => {
    const { store } = opened();
    const first = await shop(store);
    assert.equal(await store.saveDay({ ...first, since: 5 }, null), false, 'there is one');
    const next = { ...first, since: NOW + DAY_MS, dueAt: NOW + 2 * DAY_MS };
    const saved = await Promise.all([1, 2].map(() => store.saveDay(next, NOW)));
    assert.deepEqual(saved.toSorted(), [false, true]);
    const asked = { limit: 100, merchants: onlyMerchant(first.merchantId) };
    assert.deepEqual(await store.daysDue({ ...asked, now: NOW + 2 * DAY_MS - 1 }), []);
    assert.deepEqual(await store.daysDue({ ...asked, now: NOW + 2 * DAY_MS }), [next]);
    const others = await store.daysDue({ now: NOW + 9 * DAY_MS, limit: 100, merchants: exceptMerchants([first.merchantId]) });
    assert.ok(others.every(({ merchantId }) => merchantId !== first.merchantId));
    assert.equal(await store.saveDay({ ...next, dueAt: null }, next.since), true);
    assert.deepEqual(await store.daysDue({ ...asked, now: NOW + 9 * DAY_MS }), []);
    assert.equal(await store.saveDay({ merchantId: nextId(), since: 1, dueAt: null }, 1), false, 'there is none');
    const act = later(first.merchantId);
    const third = { ...next, since: NOW + 2 * DAY_MS, dueAt: null };
    const ended = await Promise.all([1, 2].map(() => store.saveDay(third, next.since, [act])));
    assert.deepEqual(ended.toSorted(), [false, true], 'with the last acts of the day before');
    assert.equal(await store.saveDay({ ...third, since: 7 }, 5, [later(first.merchantId)]), false);
    assert.deepEqual(await dueOf(store, first.merchantId), [act]);
    await assert.rejects(store.saveDay(third, third.since, [later(nextId())]));
    await assert.rejects(store.saveDay({ ...next, since: 0.5 }, next.since));
  });

  test(`${name}: merchants with payments after their position`, async () => {
    const { store } = opened();
    const pays = async (merchantId: string, ...instants: readonly number[]) => {
      for (const createdAt of instants) await store.commit(commit(payment({ merchantId, createdAt }), 0));
    };
    const floor = NOW - 2 * DAY_MS;
    const [fresh, idle, paused, waiting, back, never] = [nextId(), nextId(), nextId(), nextId(), nextId(), nextId()];
    await pays(fresh, floor - 1, NOW - 5, NOW - 4);
    for (const [merchantId, since, dueAt] of [
      [idle, NOW - 3, null],
      [paused, NOW - 9 * DAY_MS, null],
      [waiting, NOW - 9, NOW + 1],
      [back, NOW + 9 * DAY_MS, NOW + 10 * DAY_MS],
    ] as const) {
      assert.equal(await store.saveDay({ merchantId, since, dueAt }, null), true);
      await pays(merchantId, NOW - 8 * DAY_MS, NOW - 4, NOW + 1, NOW + 8 * DAY_MS);
    }
    const merchantIds = [fresh, idle, paused, waiting, back, never];
    const begins = await store.daysToBegin({ merchantIds, now: NOW, floor });
    assert.deepEqual(
      begins.toSorted((one, other) => merchantIds.indexOf(one.merchantId) - merchantIds.indexOf(other.merchantId)),
      [
        { merchantId: fresh, since: null, firstAt: NOW - 5 },
        { merchantId: paused, since: NOW - 9 * DAY_MS, firstAt: NOW - 8 * DAY_MS },
        { merchantId: back, since: NOW + 9 * DAY_MS, firstAt: NOW - 4 },
      ],
    );
    assert.deepEqual(await store.daysToBegin({ merchantIds: [], now: NOW, floor }), []);
  });

  test(`${name}: a moved clock stops at actions and days`, async () => {
    const { store } = opened();
    const { merchantId, ...day } = await shop(store);
    assert.equal(await store.nextDueAt(merchantId, 0), null, 'a day with nothing in it');
    await store.addScheduledSettlements({ merchantId, ...day }, [later(merchantId, { dueAt: NOW + 30 })]);
    assert.equal(await store.nextDueAt(merchantId, NOW), NOW + 30);
    await store.saveDay({ merchantId, since: NOW, dueAt: NOW + 20 }, NOW);
    assert.equal(await store.nextDueAt(merchantId, NOW), NOW + 20);
    assert.equal(await store.nextDueAt(merchantId, NOW + 20), NOW + 30);
    assert.equal(await store.nextDueAt(merchantId, NOW + 30), null);
  });
}
