import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allMerchants } from '../../src/merchants/merchantFilter.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { REVIEW_CODE } from '../../src/payments/search/listing.ts';
import { noFilters, SEARCH_EFFORT } from '../../src/payments/search/search.ts';
import { withAudit } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import type { Driver } from './everyStore.ts';
import { checkout, saved } from './storeCheckoutFixtures.ts';
import { commit, DECLINED, keep, moved, NOW, nextId, payment } from './storeFixtures.ts';
import { register, registration } from './storeRegistrationFixtures.ts';

type Fields = Payment['fields'];
type Record = { readonly id: string; readonly fields: Fields; readonly isBrief?: true };

const cart = (items: number, bytes: number): Fields =>
  Object.fromEntries(Array.from({ length: items }, (_, n) => [`cart.items[${n}].name`, 'x'.repeat(bytes)]));
const own: Fields = { 'customer.email': 'ann@example.org', 'customParameters[colour]': 'red', __proto__x: 'kept' };
/** Short, sliced, and long without being sliced. */
const carts: readonly Fields[] = [cart(2, 30), cart(3_000, 60), cart(900, 1_800)].map((items) => ({
  ...own,
  ...items,
  'customer.ip': '192.0.2.1',
}));
const isItem = (name: string): boolean => name.startsWith('cart.items[');

const PAGED = { entityId: 'paged', types: null, methods: null, mode: null, shortId: null };
const SEARCHED = { ...noFilters, needles: null, effort: SEARCH_EFFORT, after: null, limit: 50 };
const DAY = { from: NOW - 1, before: NOW + 9 };

/** A long record has all but the items of its cart. */
function assertBrief(found: readonly Record[], made: readonly Record[], isDatabase: boolean): void {
  assert.deepEqual(
    found.map(({ id }) => id),
    made.map(({ id }) => id),
  );
  for (const [at, { isBrief, ...rest }] of found.entries()) {
    const whole = made[at] as Record;
    const isLong = isDatabase && Object.keys(whole.fields).length > 100;
    assert.equal(isBrief, isLong || undefined, `${Object.keys(whole.fields).length} fields`);
    const kept = Object.fromEntries(Object.entries(whole.fields).filter(([name]) => !isLong || !isItem(name)));
    assert.deepEqual(rest, { ...whole, fields: kept });
  }
}

/** A list that is looked through holds no cart of megabytes; whoever asks for one record gets all of it. */
export function longRecordsContract({ name, open, isDatabase }: Driver): void {
  const onStore = (title: string, work: (store: Store) => Promise<void>) =>
    test(`${name}: ${title}`, async (t) => {
      const { store, end } = await open();
      t.after(end);
      await work(store);
    });
  const merchantId = nextId();
  const scope = { merchantIds: [merchantId], entityId: null };
  const page = { scope, before: null, limit: 50 };

  onStore('payments in lists that are looked through are without their carts', async (store) => {
    const lists: readonly [string, Partial<Payment>, (made: readonly Payment[]) => Promise<readonly Payment[]>][] = [
      ['history', {}, () => store.history({ after: null, before: NOW + 9, merchantId: null, limit: 50 })],
      ['history of one', {}, () => store.history({ after: null, before: NOW + 9, merchantId, limit: 50 })],
      [
        'families',
        {},
        (made) =>
          store.families(
            merchantId,
            made.map(({ id }) => id),
          ),
      ],
      [
        'a page',
        { entityId: 'paged' },
        async () => (await store.within({ ...PAGED, merchantId }, DAY, { pageNo: 1, limit: 50, isBrief: true })).payments,
      ],
      [
        'search',
        { entityId: 'searched' },
        async () => (await store.search({ ...SEARCHED, merchantIds: [merchantId], entityId: 'searched' })).payments.toReversed(),
      ],
      ['names', {}, (made) => named(store, made)],
      [
        'sums',
        {},
        () =>
          store.paymentsAlike({
            merchantIds: [merchantId],
            from: NOW - 1,
            before: NOW + 9,
            sums: [{ amount: 9200n, currency: 'EUR' }],
            limit: 50,
          }),
      ],
      ['reviews', { phase: { at: 'final', code: REVIEW_CODE } }, async () => (await store.reviewsWaiting(page)).toReversed()],
      [
        'uses',
        { registrationId: 'r'.repeat(32) },
        async () => (await store.usesOf({ merchantId, registrationId: 'r'.repeat(32), before: null, limit: 50 })).toReversed(),
      ],
      [
        'due',
        { phase: { at: 'doubt', tries: 1, dueAt: NOW } },
        () => store.due({ now: NOW, limit: 50, merchants: allMerchants }),
      ],
      [
        'claimed',
        { phase: { at: 'doubt', tries: 1, dueAt: NOW } },
        () => store.claimDue({ now: NOW, until: NOW + 9, limit: 50, merchants: allMerchants }),
      ],
      [
        'attempts',
        { checkoutId: 'c'.repeat(32), phase: DECLINED },
        async () => (await store.attempts(merchantId, 'c'.repeat(32))).toReversed(),
      ],
      [
        'misdated',
        { movedAt: NOW + 86_400_000, phase: { at: 'doubt', tries: 1, dueAt: NOW + 86_400_000 } },
        () => store.misdated({ now: NOW, limit: 50, merchants: allMerchants }),
      ],
    ];
    for (const [, changes, list] of lists) {
      const made = carts.map((fields, at) =>
        payment({ merchantId, createdAt: NOW + at, amount: 9200n, currency: 'EUR', fields, ...changes }),
      );
      for (const one of made) assert.equal(await keep(store, one), 'kept');
      const found = (await list(made)).filter(({ id }) => made.some((one) => one.id === id));
      assertBrief(found, made, isDatabase);
      for (const one of made) assert.deepEqual(await store.payment(merchantId, one.id), one);
    }
  });

  onStore('registrations and checkouts in lists are without their carts', async (store) => {
    const customer = { 'customer.merchantCustomerId': 'ann' };
    const stored = [];
    for (const [at, fields] of carts.entries()) {
      const one = registration({ merchantId, createdAt: NOW + at, expiresAt: NOW, fields: { ...fields, ...customer } });
      stored.push(await register(store, one, null));
    }
    const ended = { state: null, last4Digits: null };
    assertBrief((await store.registrationsListed({ ...page, ...ended })).toReversed(), stored, isDatabase);
    assertBrief((await store.registrationsListed({ ...page, ...ended, last4Digits: '1111' })).toReversed(), stored, isDatabase);
    assertBrief((await store.registrationsOfCustomer(merchantId, 'ann', 9)).toReversed(), stored, isDatabase);
    assertBrief(await store.outlived({ now: NOW, limit: 50, merchants: allMerchants }), stored, isDatabase);
    const begun = carts.map((fields, at) => checkout({ merchantId, createdAt: NOW + at, fields }));
    for (const one of begun) await store.addCheckout(one);
    assertBrief((await store.checkoutsListed({ ...page, livingAt: null })).toReversed(), begun, isDatabase);
  });

  test(`${name}: who verifies the books reads payments without their carts`, async (t) => {
    const { store, database, end } = await open();
    t.after(end);
    const made = carts.map((fields, at) => payment({ merchantId, createdAt: NOW + at, fields }));
    for (const one of made) assert.equal(await keep(store, one), 'kept');
    if (!database) return;
    const place = (await database.placeOf?.(merchantId)) ?? database.place;
    await withAudit(
      place.databaseUrl === null ? { dataDir: place.dataDir } : { databaseUrl: place.databaseUrl },
      async (audit) => {
        const found = [];
        for await (const { records } of audit.payments(merchantId)) found.push(...records);
        const { records: payments } = await audit.families(made.map(({ id }) => ({ merchantId, familyId: id })));
        for (const list of [found, payments])
          assertBrief(
            list.toSorted((one, other) => one.createdAt - other.createdAt),
            made,
            isDatabase,
          );
      },
    );
  });

  onStore('what was read without its cart is not stored', async (store) => {
    const [, long = {}] = carts;
    const made = payment({ merchantId, phase: { at: 'doubt', tries: 1, dueAt: NOW }, fields: long });
    await keep(store, made);
    const [due] = await store.due({ now: NOW, limit: 1, merchants: allMerchants });
    const begun = checkout({ merchantId, fields: long });
    await store.addCheckout(begun);
    const [listed] = await store.checkoutsListed({ ...page, livingAt: null });
    assert.ok(due && listed);
    const further = moved(due, { phase: { at: 'final', code: '000.100.110' } });
    if (!isDatabase) return;
    await assert.rejects(store.commit(commit(further, 1)), { name: 'BrokenCommit' });
    await assert.rejects(store.saveCheckout(saved(listed)), { name: 'BrokenCommit' });
    assert.deepEqual(await store.payment(merchantId, made.id), made);
    assert.deepEqual(await store.checkout(begun.id), begun);
  });

  onStore('work that comes again is whole, and as much at once as fits', async (store) => {
    const fields = cart(3_000, 2_000);
    const calls = Array.from({ length: 8 }, (_, at) => checkout({ merchantId, callAt: NOW - 99 + at, fields }));
    for (const one of calls) await store.addCheckout(one);
    const tokens = [];
    for (let at = 0; at < 2; at += 1)
      tokens.push(await register(store, registration({ merchantId, tokenDueAt: NOW - 9 + at, fields }), null));
    const asked = { now: NOW, limit: 20, merchants: allMerchants };
    const called = await store.callsDue(asked);
    assert.deepEqual(called, calls.slice(0, isDatabase ? 5 : 8));
    for (const one of called) assert.ok(await store.saveCheckout(saved(one, { callAt: null })));
    if (isDatabase) assert.deepEqual(await store.callsDue(asked), calls.slice(5));
    assert.deepEqual(
      (await store.awaitingToken(asked)).map((one) => one.registration),
      tokens,
    );
  });
}

const named = async (store: Store, made: readonly Payment[]): Promise<readonly Payment[]> => {
  const names = made.map(({ id }) => ({ kind: 'id', value: id }) as const);
  const asked = { merchantIds: [made[0]?.merchantId ?? ''], from: NOW - 1, before: NOW + 9, each: 2, names };
  const found = (await store.paymentsNamed(asked)).map((one) => one.payment);
  return found.toSorted((one, other) => one.createdAt - other.createdAt);
};
