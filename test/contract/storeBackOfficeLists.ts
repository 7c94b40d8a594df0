import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListCursor } from '../../src/merchants/listing.ts';
import { REVIEW_CODE, REVIEW_COLLECTION } from '../../src/payments/search/listing.ts';
import type { Registration } from '../../src/registrations/registration.ts';
import type { ListEntry } from '../../src/risk/ports.ts';
import { checkout } from './storeCheckoutFixtures.ts';
import { keep, NOW, nextId, type Opened, payment } from './storeFixtures.ts';
import { register, registration } from './storeRegistrationFixtures.ts';
import { newSchedule, storeSchedule } from './storeScheduleFixtures.ts';

type Placed = { readonly createdAt: number; readonly id: string };

const ids = (things: readonly Placed[]): readonly string[] => things.map(({ id }) => id);
const placeOf = ({ createdAt, id }: Placed): ListCursor => ({ createdAt, id });

/** All pages of a list, and how long each of them was. */
async function walked<Thing extends Placed>(page: (before: ListCursor | null) => Promise<readonly Thing[]>) {
  const found: Thing[] = [];
  const sizes: number[] = [];
  for (let before: ListCursor | null = null; sizes.length < 20; ) {
    const things = await page(before);
    sizes.push(things.length);
    found.push(...things);
    const last = things.at(-1);
    if (!last) break;
    before = placeOf(last);
  }
  return { found, sizes };
}

/** Two merchants with alternating rows, some of them at the same instant. */
const owners = () => {
  const [one, other] = [nextId(), nextId()];
  return {
    one,
    other,
    of: (index: number) => (index % 2 === 0 ? one : other),
    at: (index: number) => NOW + Math.floor(index / 3),
  };
};

/** Lists of several merchants are one list, the newest first, page by page. */
export function storedListsContract(name: string, opened: () => Opened): void {
  test(`${name}: the active registrations of a customer are listed, the newest first`, async () => {
    const { store } = opened();
    const { one, other, of, at } = owners();
    const fields = { 'customer.merchantCustomerId': `ann "1"` };
    const made: Registration[] = [];
    for (let index = 0; index < 8; index += 1) {
      const state = index === 6 ? 'rejected' : 'active';
      const its = registration({ merchantId: of(index), createdAt: at(index), state, fields: index === 4 ? {} : fields });
      made.push(await register(store, its, null));
    }
    const listed = (merchantId: string, limit = 9) => store.registrationsOfCustomer(merchantId, `ann "1"`, limit);
    assert.deepEqual(await listed(one), [made[2], made[0]]);
    assert.deepEqual(await listed(other), [made[7], made[5], made[3], made[1]]);
    assert.deepEqual(await listed(other, 2), [made[7], made[5]]);
    assert.deepEqual(await store.registrationsOfCustomer(one, 'ann', 9), []);
  });

  test(`${name}: registrations of several merchants are listed, the newest first`, async () => {
    const { store } = opened();
    const { one, other, of, at } = owners();
    const made: Registration[] = [];
    for (let index = 0; index < 10; index += 1) {
      const entityId = index % 4 === 0 ? 'shop-a' : 'shop-b';
      const state = index === 6 ? 'rejected' : 'active';
      const instrument = { ...registration().instrument, last4Digits: index < 3 ? '0000' : '1111' } as const;
      const one = registration({ merchantId: of(index), entityId, createdAt: at(index), state, instrument });
      made.push(await register(store, one, null));
    }
    await register(store, registration({ merchantId: nextId(), entityId: 'shop-a' }));
    const all = { state: null, last4Digits: null, limit: 4 } as const;
    const both = { merchantIds: [one, other], entityId: null };
    const { found, sizes } = await walked((before) => store.registrationsListed({ ...all, scope: both, before }));
    assert.deepEqual(sizes, [4, 4, 2, 0]);
    assert.deepEqual(ids(found), ids(made.toReversed()));
    assert.deepEqual(found[0], made.at(-1));
    const listed = async (changes: Partial<Parameters<typeof store.registrationsListed>[0]>) =>
      ids(await store.registrationsListed({ ...all, scope: both, before: null, limit: 50, ...changes }));
    const picked = (...indexes: readonly number[]) => indexes.map((index) => made[index]?.id);
    assert.deepEqual(await listed({ last4Digits: '0000' }), picked(2, 1, 0));
    assert.deepEqual(await listed({ state: 'rejected' }), picked(6));
    assert.deepEqual(await listed({ state: 'rejected', last4Digits: '0000' }), []);
    assert.deepEqual(await listed({ scope: { merchantIds: [one], entityId: 'shop-a' } }), picked(8, 4, 0));
    assert.deepEqual(await listed({ scope: { merchantIds: [], entityId: null } }), []);
    assert.deepEqual(await listed({ last4Digits: '0000', before: placeOf(made[1] as Placed) }), picked(0));
  });

  test(`${name}: a text that looks like digits of an instrument does not match`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const fields = { 'customParameters[x]': '"last4Digits":"7777","registrationId":"' };
    const instrument = { kind: 'virtualAccount', accountId: '"last4Digits":"7777"' } as const;
    const made = await register(store, registration({ merchantId, instrument, fields }));
    const asked = { scope: { merchantIds: [merchantId], entityId: null }, before: null, limit: 5, state: null } as const;
    assert.deepEqual(await store.registrationsListed({ ...asked, last4Digits: '7777' }), []);
    assert.deepEqual(ids(await store.registrationsListed({ ...asked, last4Digits: null })), [made.id]);
  });

  test(`${name}: checkouts and schedules are listed, the newest first`, async () => {
    const { store } = opened();
    const { one, other, of, at } = owners();
    const reach = { merchantIds: [other, one], entityId: null };
    const [made, planned] = [[] as Placed[], [] as Placed[]];
    for (let index = 0; index < 6; index += 1) {
      const life = { merchantId: of(index), createdAt: at(index) };
      const open = checkout({ ...life, expiresAt: NOW + (index < 2 ? 1 : 1_000) });
      await store.addCheckout(open);
      made.push(open);
      planned.push(
        await storeSchedule(
          store,
          newSchedule({ ...life, ...(index === 3 && { state: 'over', nextAt: null, regularAt: null }) }),
        ),
      );
    }
    const { found } = await walked((before) => store.checkoutsListed({ scope: reach, before, limit: 4, livingAt: null }));
    assert.deepEqual(ids(found), ids(made.toSorted(byPlace)));
    const living = await store.checkoutsListed({ scope: reach, before: null, limit: 9, livingAt: NOW + 1 });
    assert.deepEqual(ids(living), ids(made.slice(2).toSorted(byPlace)));
    const plans = await walked((before) => store.listSchedules({ scope: reach, before, limit: 4, state: null }));
    assert.deepEqual(ids(plans.found), ids(planned.toSorted(byPlace)));
    const over = await store.listSchedules({ scope: reach, before: null, limit: 9, state: 'over' });
    assert.deepEqual(ids(over), [planned[3]?.id]);
  });

  test(`${name}: the payments with stored details`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const stored = await register(store, registration({ merchantId }));
    const fields = { 'customParameters[x]': `"registrationId":"${nextId()}"` };
    const used = [];
    for (let index = 0; index < 3; index += 1) {
      const one = payment({ merchantId, registrationId: stored.id, createdAt: NOW + 1 + index, fields });
      assert.equal(await keep(store, one), 'kept');
      used.push(one);
      await keep(store, payment({ merchantId, createdAt: NOW + 1 + index, fields }));
      await keep(store, payment({ merchantId, registrationId: nextId(), createdAt: NOW + 1 + index }));
    }
    const uses = (before: ListCursor | null, limit: number) =>
      store.usesOf({ merchantId, registrationId: stored.id, before, limit });
    assert.deepEqual(await uses(null, 2), used.toReversed().slice(0, 2));
    assert.deepEqual(ids(await uses(placeOf(used[1] as Placed), 5)), [used[0]?.id, stored.paymentId]);
    assert.deepEqual(await store.usesOf({ merchantId: nextId(), registrationId: stored.id, before: null, limit: 5 }), []);
  });

  test(`${name}: payments for manual review are listed until they are decided`, async () => {
    const { store } = opened();
    const { one, other, of } = owners();
    const reach = { merchantIds: [one, other], entityId: null };
    const waiting = [];
    for (let index = 0; index < 4; index += 1) {
      const phase = { at: 'final', code: REVIEW_CODE } as const;
      const asks = payment({ merchantId: of(index), createdAt: NOW + index, phase, entityId: index === 2 ? 'shop-a' : 'shop-b' });
      await keep(store, asks);
      waiting.push(asks);
      const text = { 'customParameters[x]': `{"code":"${REVIEW_CODE}"}` };
      await keep(store, payment({ merchantId: of(index), createdAt: NOW + index, fields: text }));
    }
    const { found } = await walked((before) => store.reviewsWaiting({ scope: reach, before, limit: 3 }));
    assert.deepEqual(found, waiting.toReversed());
    assert.equal(await store.countReviews({ scope: reach, limit: 9 }), waiting.length);
    assert.equal(await store.countReviews({ scope: reach, limit: 2 }), 2);
    const ofShop = { merchantIds: [one], entityId: 'shop-a' };
    assert.deepEqual(ids(await store.reviewsWaiting({ scope: ofShop, before: null, limit: 3 })), [waiting[2]?.id]);
    const decided = { collection: REVIEW_COLLECTION, id: waiting[3]?.id ?? '', ownerId: other, at: NOW, revision: 1, body: {} };
    await store.saveDocuments([decided]);
    assert.deepEqual(await store.reviewsWaiting({ scope: reach, before: null, limit: 9 }), waiting.slice(0, 3).toReversed());
    assert.equal(await store.countReviews({ scope: reach, limit: 9 }), 3);
    assert.equal(await store.countReviews({ scope: ofShop, limit: 9 }), 1);
  });

  test(`${name}: the entries of the lists, page by page`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const entry = (
      list: ListEntry['list'],
      kind: ListEntry['kind'],
      value: string,
      expiresAt: number | null = null,
    ): ListEntry => ({ merchantId, list, kind, value, expiresAt });
    const entries = [
      entry('allow', 'email', 'ann@shop.example'),
      entry('block', 'bin', '420000', NOW + 9),
      entry('block', 'customer', 'Customer 7'),
      entry('block', 'email', 'bad@shop.example'),
      entry('block', 'emailDomain', 'shop.example'),
    ];
    for (const one of [
      ...entries,
      entry('block', 'bin', '430000', NOW),
      { ...entry('block', 'ip', '203.0.113.0/24'), merchantId: nextId() },
    ])
      await store.putListEntry(one);
    const asked = { merchantId, list: null, kind: null, containing: null, now: NOW, after: null, limit: 50 } as const;
    const listed = (changes: Partial<Parameters<typeof store.entriesListed>[0]>) => store.entriesListed({ ...asked, ...changes });
    assert.deepEqual(await listed({}), entries);
    assert.deepEqual(await listed({ limit: 2 }), entries.slice(0, 2));
    assert.deepEqual(await listed({ after: entries[1] as ListEntry, limit: 2 }), entries.slice(2, 4));
    assert.deepEqual(await listed({ list: 'allow' }), entries.slice(0, 1));
    assert.deepEqual(await listed({ kind: 'email' }), [entries[0], entries[3]]);
    assert.deepEqual(await listed({ containing: 'shop.ex' }), [entries[0], entries[3], entries[4]]);
    assert.deepEqual(await listed({ containing: 'customer' }), [entries[2]]);
    assert.deepEqual(await listed({ list: 'allow', kind: 'bin' }), []);
  });
}

const byPlace = (one: Placed, other: Placed): number => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1);
