import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allMerchants, exceptMerchants, onlyMerchant } from '../../src/merchants/merchantFilter.ts';
import type { Schedule } from '../../src/payments/schedule.ts';
import { StoreOutOfOrder } from '../../src/payments/storeErrors.ts';
import type { Store } from '../../src/store/store.ts';
import { NOW, nextId, type Open } from './storeFixtures.ts';
import { many } from './storeRegistrationFixtures.ts';
import { charge, newSchedule, onward, storeSchedule } from './storeScheduleFixtures.ts';

const asked = { now: NOW, until: NOW + 60, limit: 10, merchants: allMerchants } as const;
const over = { state: 'over', nextAt: null } as const;

/** What depends on everything that is there. */
export function planClaimContract(name: string, open: Open): void {
  const stage = async (t: { after(fn: () => Promise<void>): void }, made: readonly Partial<Schedule>[]) => {
    const { store, end } = await open();
    t.after(end);
    const kept: Schedule[] = [];
    for (const each of made) kept.push(await storeSchedule(store, newSchedule(each)));
    const places = async (some: Promise<readonly Schedule[]>) =>
      (await some).map((one) => kept.findIndex(({ id, merchantId }) => id === one.id && merchantId === one.merchantId));
    return { store, kept, places };
  };

  test(`${name}: due schedules are claimed the longest overdue first, each by one node until its claim ends`, async (t) => {
    const instants = [NOW, NOW - 5, NOW + 1, NOW - 5, NOW - 9];
    const { store, kept, places } = await stage(t, [...instants.map((nextAt) => ({ nextAt })), over]);
    assert.deepEqual(await store.claimSchedules({ ...asked, limit: 2 }), [kept[4], kept[1]]);
    assert.deepEqual(await places(store.claimSchedules(asked)), [3, 0]);
    assert.deepEqual(await places(store.claimSchedules(asked)), []);
    assert.deepEqual(await places(store.claimSchedules({ ...asked, now: NOW + 59, until: NOW + 99 })), [2]);
    assert.deepEqual(await places(store.claimSchedules({ ...asked, now: NOW + 60, until: NOW + 99 })), [4, 1, 3, 0]);
  });

  test(`${name}: a change ends the claim, and a late one does not`, async (t) => {
    const { store, kept, places } = await stage(t, [{ nextAt: NOW - 2 }, { nextAt: NOW - 1 }, { nextAt: NOW }]);
    assert.equal((await store.claimSchedules(asked)).length, 3);
    const [saved, charged, late] = kept as [Schedule, Schedule, Schedule];
    assert.equal(await store.saveSchedule(onward(saved), []), true);
    assert.equal(await charge(store, onward(charged), NOW), 'kept');
    assert.equal(await store.saveSchedule(onward(onward(late)), []), false);
    assert.deepEqual(await places(store.claimSchedules(asked)), [0, 1]);
  });

  test(`${name}: schedules are claimed for one merchant, or for all but some`, async (t) => {
    const [one, other, third] = [nextId(), nextId(), nextId()];
    const { store, places } = await stage(
      t,
      [one, other, third, one].map((merchantId, at) => ({ merchantId, nextAt: NOW - at })),
    );
    assert.deepEqual(await places(store.claimSchedules({ ...asked, merchants: onlyMerchant(nextId()) })), []);
    assert.deepEqual(await places(store.claimSchedules({ ...asked, merchants: exceptMerchants([one, other]) })), [2]);
    assert.deepEqual(await places(store.claimSchedules({ ...asked, merchants: onlyMerchant(one) })), [3, 0]);
    assert.deepEqual(await places(store.claimSchedules(asked)), [1]);
  });

  test(`${name}: the schedules of a registration are listed the newest first, and the next run of a merchant is known`, async (t) => {
    const of = { merchantId: nextId(), registrationId: 'r' };
    const { store, kept, places } = await stage(t, [
      { ...of, createdAt: NOW - 1, nextAt: NOW + 9 },
      { ...of, createdAt: NOW, nextAt: NOW + 8 },
      { ...of, createdAt: NOW, ...over },
      { ...of, registrationId: 's', nextAt: NOW + 3 },
      { registrationId: 'r', nextAt: NOW + 1 },
    ]);
    assert.deepEqual(await places(store.schedulesOf(of.merchantId, 'r', 9)), [2, 1, 0]);
    assert.deepEqual(await places(store.schedulesOf(of.merchantId, 'r', 2)), [2, 1]);
    assert.equal(await store.nextRunAt(of.merchantId), NOW + 3);
    assert.equal(await store.saveSchedule(onward(kept[3] as Schedule, over), []), true);
    assert.equal(await store.nextRunAt(of.merchantId), NOW + 8);
    assert.equal(await store.nextRunAt(nextId()), null);
  });

  test(`${name}: a closed store refuses schedule calls`, async (t) => {
    const { store } = await stage(t, []);
    await store.close();
    await assert.rejects(store.schedule('x', 'x'), StoreOutOfOrder);
    await assert.rejects(store.claimSchedules(asked), StoreOutOfOrder);
    await assert.rejects(store.saveSchedule(onward(newSchedule()), []), StoreOutOfOrder);
  });
}

/** The contract of schedules for databases, beyond the memory store. */
export function planNodesContract(name: string, open: Open): void {
  const nodes = async (t: { after(fn: () => Promise<void>): void }): Promise<readonly [Store, Store]> => {
    const first = await open();
    const second = await first.database?.again();
    assert.ok(second);
    t.after(async () => {
      await second.close();
      await first.end();
    });
    return [first.store, second];
  };

  test(`${name}: two nodes that claim at once never get the same schedules, and together all of them`, async (t) => {
    const stores = await nodes(t);
    const made = many(300, (index) => newSchedule({ nextAt: NOW - (index % 7), merchantId: `m${index % 3}` }));
    await Promise.all(made.map((each, at) => storeSchedule(stores[at % 2] as Store, each)));
    const got: Schedule[] = [];
    const claimAll = async (store: Store, limit: number) => {
      for (let empty = 0; empty < 5 && got.length <= made.length; ) {
        const some = await store.claimSchedules({ ...asked, limit });
        got.push(...some);
        empty = some.length === 0 ? empty + 1 : 0;
      }
    };
    await Promise.all(stores.flatMap((store) => [claimAll(store, 7), claimAll(store, 40)]));
    assert.deepEqual(got.map(({ id }) => id).sort(), made.map(({ id }) => id).sort());
  });

  test(`${name}: of the commits for one instant at two nodes one is stored, also with four schedules in a batch`, async (t) => {
    const stores = await nodes(t);
    for (let round = 0; round < 10; round += 1) {
      const made = many(4, () => newSchedule({ merchantId: nextId() }));
      await Promise.all(made.map((each) => storeSchedule(stores[0], each)));
      const words = await Promise.all(
        many(32, (index) => charge(stores[index % 2] as Store, onward(made[index % 4] as Schedule), NOW + round)),
      );
      assert.deepEqual(
        words.filter((word) => word !== 'moved').sort(),
        many(4, () => 'kept'),
        `round ${round}`,
      );
      for (const { merchantId, id } of made) {
        assert.equal((await stores[1].runs(merchantId, id, 9)).length, 1);
        assert.equal((await stores[1].schedule(merchantId, id))?.revision, 2);
      }
    }
  });
}
