import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type NestedObject, nest } from '../../src/form/nest.ts';
import type { Payment } from '../../src/payments/payment.ts';
import type { Listing, QueryPageRequest, QueryStore, TimeRange } from '../../src/payments/search/listing.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import { sized } from '../long.ts';
import { APPROVED, child, DECLINED, keep, moved, nextId, OPEN, type Open, type Opened, payment } from './storeFixtures.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A midnight, so that hours and days are where one expects them. */
const MIDNIGHT = 20_000 * DAY;

const ALL: Listing = { merchantId: 'shop', entityId: null, types: null, methods: null, mode: null, shortId: null };
const EVER: TimeRange = { from: MIDNIGHT - DAY, before: MIDNIGHT + 400 * DAY };
const FIRST: QueryPageRequest = { pageNo: 1, limit: 500 };

/** Two merchants, channels, types, methods and modes over days, hours and the milliseconds around their borders. */
function assorted(): Payment[] {
  const offsets = [0, 1, HOUR - 1, HOUR, 5 * HOUR + 17, DAY - 1, DAY, DAY + 1, 2 * DAY + 3 * HOUR, 9 * DAY - 1, 40 * DAY];
  return offsets.flatMap((offset, at) =>
    Array.from({ length: 9 }, (_, number) =>
      payment({
        merchantId: number % 5 === 4 ? 'other' : 'shop',
        entityId: `channel ${number % 2}`,
        paymentType: number % 3 === 0 ? 'PA' : 'DB',
        method: number % 4 === 0 ? 'DD' : 'CC',
        mode: number === 7 ? 'EXTERNAL' : 'INTERNAL',
        createdAt: MIDNIGHT + offset,
        merchantTransactionId: number % 2 ? `order ${at}` : null,
        shortId: `${at}.${number}`,
        phase: number === 1 ? OPEN : number === 2 ? DECLINED : APPROVED,
      }),
    ),
  );
}

const inOrder = (payments: readonly Payment[]): Payment[] =>
  payments.toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));

async function allPages(store: QueryStore, listing: Listing, stretch: TimeRange, limit: number): Promise<Payment[]> {
  const found: Payment[] = [];
  for (let pageNo = 1; ; pageNo += 1) {
    const { payments, count } = await store.within(listing, stretch, { pageNo, limit });
    found.push(...payments);
    if (pageNo * limit >= count) return found;
  }
}

/** These look at what was begun in a time, so each has a store of its own. */
export function queryContract(name: string, open: Open): void {
  test(`${name}: a time frame lists the payments created in it, the oldest first, and their number`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    assert.deepEqual(await store.within(ALL, EVER, FIRST), { payments: [], count: 0 });
    const made = assorted();
    for (const one of made) assert.equal(await keep(store, one), 'kept');
    const own = inOrder(made.filter(({ merchantId }) => merchantId === 'shop'));
    assert.deepEqual(await store.within(ALL, EVER, FIRST), { payments: own, count: own.length });
    const cases: [Partial<Listing>, (one: Payment) => boolean][] = [
      [{ entityId: 'channel 1' }, ({ entityId }) => entityId === 'channel 1'],
      [{ types: ['PA'] }, ({ paymentType }) => paymentType === 'PA'],
      [{ types: ['PA', 'DB', 'CB'] }, () => true],
      [{ types: [] }, () => false],
      [{ types: ['CB'] }, () => false],
      [{ methods: ['DD'] }, ({ method }) => method === 'DD'],
      [{ mode: 'EXTERNAL' }, ({ mode }) => mode === 'EXTERNAL'],
      [{ shortId: '3.5' }, ({ shortId }) => shortId === '3.5'],
      [{ shortId: '3.4' }, () => false],
      [
        { entityId: 'channel 0', types: ['DB'], methods: ['CC'] },
        (one) => one.entityId === 'channel 0' && one.paymentType === 'DB' && one.method === 'CC',
      ],
      [{ merchantId: 'nobody' }, () => false],
    ];
    for (const [changes, isAsked] of cases) {
      const expected = own.filter(isAsked);
      const found = await store.within({ ...ALL, ...changes }, EVER, FIRST);
      assert.deepEqual(found, { payments: expected, count: expected.length }, JSON.stringify(changes));
    }
  });

  test(`${name}: pages of any length lose nothing and repeat nothing`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const made = assorted();
    for (const one of made) assert.equal(await keep(store, one), 'kept');
    for (const changes of [{}, { entityId: 'channel 1' }, { types: ['PA'] }, { shortId: '4.1' }]) {
      const listing = { ...ALL, ...changes };
      const { payments } = await store.within(listing, EVER, FIRST);
      for (const limit of [1, 7, 50]) assert.deepEqual(await allPages(store, listing, EVER, limit), payments, `by ${limit}`);
    }
    assert.deepEqual((await store.within(ALL, EVER, { pageNo: 1_000, limit: 100 })).payments, []);
  });

  test(`${name}: lists like the reference store for every query`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const reference = createMemoryStore();
    for (const one of assorted()) {
      await keep(reference, one);
      await keep(store, one);
    }
    const instant = fc
      .tuple(
        fc.constantFrom(-DAY, 0, HOUR, 2 * HOUR, 5 * HOUR, DAY, 2 * DAY, 9 * DAY, 40 * DAY, 41 * DAY),
        fc.integer({ min: -2, max: 20 }),
      )
      .map(([offset, more]) => MIDNIGHT + offset + more);
    const orNull = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: null });
    const listing: fc.Arbitrary<Listing> = fc.record({
      merchantId: fc.constantFrom('shop', 'other', "x' OR '1' = '1"),
      entityId: orNull('channel 0', 'channel 1', 'channel 2'),
      types: orNull(['PA'], ['DB', 'PA'], ['RF']),
      methods: orNull(['CC'], ['DD'], ['CC', 'DD', 'VA']),
      mode: orNull<Payment['mode']>('INTERNAL', 'EXTERNAL', 'LIVE'),
      shortId: fc.option(fc.constantFrom('0.1', '8.3'), { nil: null, freq: 9 }),
    });
    const page = fc.record({ pageNo: fc.integer({ min: 1, max: 6 }), limit: fc.integer({ min: 1, max: 40 }) });
    const same = async (asked: Listing, [from, before]: readonly number[], paged: QueryPageRequest) => {
      const stretch = { from: from ?? 0, before: before ?? 0 };
      assert.deepEqual(await store.within(asked, stretch, paged), await reference.within(asked, stretch, paged));
      assert.deepEqual(await store.named(asked, 'order 3', paged), await reference.named(asked, 'order 3', paged));
    };
    await fc.assert(fc.asyncProperty(listing, fc.tuple(instant, instant), page, same), {
      numRuns: sized({ quick: 60, assure: 150, reliability: 150 }),
    });
  });

  test(`${name}: pages stay whole while new payments arrive`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const before = Array.from({ length: 60 }, (_, at) => payment({ merchantId: 'shop', createdAt: MIDNIGHT + at * 30 * 60_000 }));
    for (const one of before) assert.equal(await keep(store, one), 'kept');
    const stretch = { from: MIDNIGHT, before: MIDNIGHT + 30 * DAY };
    const found: Payment[] = [];
    for (let pageNo = 1; pageNo <= 6; pageNo += 1) {
      const [page] = await Promise.all([
        store.within(ALL, stretch, { pageNo, limit: 10 }),
        ...Array.from({ length: 5 }, (_, at) =>
          keep(store, payment({ merchantId: 'shop', createdAt: MIDNIGHT + 2 * DAY + pageNo * HOUR + at })),
        ),
      ]);
      found.push(...page.payments);
    }
    assert.deepEqual(found, before);
    assert.equal((await store.within(ALL, stretch, FIRST)).count, 90);
  });
}

/** These ask for what they made themselves. */
export function queryByNameContract(name: string, opened: () => Opened): void {
  test(`${name}: a reference finds every payment of this merchant with it`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const listing = { ...ALL, merchantId };
    const debit = payment({ merchantId, merchantTransactionId: 'a "b" c', createdAt: MIDNIGHT });
    const refund = child(debit, { paymentType: 'RF', amount: 1n, merchantTransactionId: 'a "b" c', createdAt: MIDNIGHT + 1 });
    const others = [
      payment({ merchantId, merchantTransactionId: 'a' }),
      payment({ merchantId: nextId(), merchantTransactionId: 'a "b" c' }),
    ];
    for (const one of [debit, refund, ...others]) assert.equal(await keep(store, one), 'kept');
    assert.deepEqual(await store.named(listing, 'a "b" c', FIRST), { payments: [debit, refund], count: 2 });
    assert.deepEqual(await store.named(listing, 'a "b" c', { pageNo: 2, limit: 1 }), { payments: [refund], count: 2 });
    assert.deepEqual(await store.named({ ...listing, types: ['RF'] }, 'a "b" c', FIRST), { payments: [refund], count: 1 });
    assert.deepEqual(await store.named({ ...listing, entityId: 'elsewhere' }, 'a "b" c', FIRST), { payments: [], count: 0 });
    assert.deepEqual(await store.named(listing, 'nothing', FIRST), { payments: [], count: 0 });
  });

  test(`${name}: linked payments are complete, of this merchant only`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const [debit, other] = [payment({ merchantId }), payment({ merchantId, createdAt: MIDNIGHT })];
    const refund = child(debit, { paymentType: 'RF', amount: 1n });
    for (const one of [debit, other, refund]) assert.equal(await keep(store, one), 'kept');
    assert.deepEqual(await store.families(merchantId, [debit.id]), [debit, refund]);
    assert.equal((await store.families(merchantId, [debit.id, other.id, nextId()])).length, 3);
    assert.deepEqual(await store.families(nextId(), [debit.id]), []);
    assert.deepEqual(await store.families(merchantId, []), []);
  });

  test(`${name}: a payment that moves or is refused by its sums is counted once or not at all`, async () => {
    const { store } = opened();
    const listing = { ...ALL, merchantId: nextId() };
    const debit = payment({ merchantId: listing.merchantId, phase: OPEN, createdAt: MIDNIGHT });
    assert.equal(await keep(store, debit), 'kept');
    assert.equal(await keep(store, moved(debit, { phase: APPROVED })), 'kept');
    const refund = child(debit, { paymentType: 'RF', amount: debit.amount + 1n, createdAt: MIDNIGHT });
    assert.equal(await keep(store, refund), 'overrun');
    const crowd = Array.from({ length: 30 }, (_, at) =>
      child(debit, { paymentType: 'RF', amount: 9_000n + BigInt(at), createdAt: MIDNIGHT + at }),
    );
    const outcomes = await Promise.all(crowd.map((one) => keep(store, one)));
    assert.equal((await store.within(listing, EVER, FIRST)).count, 1 + outcomes.filter((is) => is === 'kept').length);
  });
}

/** What was counted can always be counted again. */
export function queryCountContract(name: string, opened: () => Opened): void {
  test(`${name}: the stored counts equal the fold`, async () => {
    const { store, database } = opened();
    const merchantId = nextId();
    for (const one of assorted().filter((made) => made.merchantId === 'shop')) {
      assert.equal(await keep(store, { ...one, merchantId }), 'kept');
    }
    const rowsFrom = (statement: string) => database?.raw(statement).then((rows) => rows.map((row) => ({ ...(row as object) })));
    const counted = await rowsFrom(
      `SELECT CAST(begins AS TEXT) AS begins, entity_id, payment_type, method, mode, CAST(SUM(count) AS TEXT) AS number
       FROM payment_count WHERE merchant_id = '${merchantId}' AND span = ${HOUR} GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`,
    );
    const folded = await rowsFrom(
      `SELECT CAST(created_at - created_at % ${HOUR} AS TEXT) AS begins, entity_id, payment_type, method, mode,
         CAST(COUNT(*) AS TEXT) AS number
       FROM payment WHERE merchant_id = '${merchantId}' GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`,
    );
    assert.ok((counted?.length ?? 0) > 5);
    assert.deepEqual(counted, folded);
  });
}

const LINES = [
  'pen',
  'a "pen"',
  '"',
  '\\',
  '\\"',
  '","',
  '":"',
  ':',
  '',
  '\n',
  '\u2028',
  '\u0000',
  'ä',
  '😀',
  '{"a":"b"}',
  ' '.repeat(200),
];

/** The fields of a cart by column and by item, of which some are missing, among other fields. */
const cartFields = (items: number): Record<string, string> => {
  const field = (at: number, member: string): [string, string] => [
    `cart.items[${(at * 7) % (items + 3)}].${member}`,
    `${LINES[at % LINES.length]}${at}`,
  ];
  const many = Array.from({ length: items }, (_, at) => at);
  return Object.fromEntries([
    ['customer.givenName', 'Ann'],
    ...many.map((at) => field(at, 'name')),
    ['cart.payments[0].name', 'x'],
    ...many.flatMap((at) => ['recipient.city', 'sku', 'recipient.street'].map((member) => field(at, member))),
    ['customParameters[a"b\\c]', '"\\'],
    ['billing.city', 'Springfield'],
  ]);
};

const longOne = (merchantId: string, fields: Payment['fields'], at: number): Payment =>
  payment({ merchantId, createdAt: MIDNIGHT + at, merchantTransactionId: 'long', phase: APPROVED, fields });

/** Long payments of a list come without the items of their carts, which follow one by one. */
export function listedContract(name: string, opened: () => Opened): void {
  test(`${name}: a long payment of a list is read with its items as they nest, or without them`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const listing = { ...ALL, merchantId };
    const sizes = [0, 1, 40, 60, 800, 1_001, 9_000];
    const payments = sizes.map((items, at) => longOne(merchantId, cartFields(items), at));
    for (const one of payments) assert.equal(await keep(store, one), 'kept');
    const inList = ({ fields: _, isBrief: __, ...rest }: Payment) => rest;
    for (const found of [
      (await store.within(listing, EVER, FIRST)).payments,
      (await store.named(listing, 'long', FIRST)).payments,
      await store.families(
        merchantId,
        payments.map(({ id }) => id),
      ),
    ])
      assert.deepEqual(found.map(inList), payments.map(inList));
    for (const { id, fields } of payments) {
      const { cart, ...others } = nest(fields) as { cart: NestedObject } & NestedObject;
      const { items = [], ...ofCart } = cart;
      const [whole, bare] = [await store.listed(merchantId, id, true), await store.listed(merchantId, id, false)];
      assert.equal(`[${whole?.items.join()}]`, JSON.stringify(items));
      const shown = nest(whole?.payment.fields ?? {}) as typeof others & { cart: object };
      assert.deepEqual(Object.keys(shown), Object.keys(nest(fields)));
      if (whole?.items.length !== 0) assert.deepEqual(Object.keys(shown.cart), Object.keys(cart));
      assert.deepEqual(nest(bare?.payment.fields ?? {}), { ...others, cart: ofCart });
      assert.deepEqual(bare?.items, []);
    }
    assert.equal(await store.listed(merchantId, 'f'.repeat(32), true), null);
    assert.equal(await store.listed(nextId(), payments[0]?.id ?? '', true), null);
  });
}

/** Only as much is listed as one request should read. */
export function longListContract(name: string, opened: () => Opened): void {
  const withFields = (merchantId: string, bytes: number, at: number): Payment =>
    longOne(
      merchantId,
      Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`customParameters[n${n}]`, 'x'.repeat(bytes / 1_500)])),
      at,
    );

  test(`${name}: a list that is too long for the memory is refused, and a shorter one is read`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const long = Array.from({ length: 12 }, (_, at) => withFields(merchantId, 3_000_000, at));
    for (const one of long) assert.equal(await keep(store, one), 'kept');
    const listing = { ...ALL, merchantId };
    await assert.rejects(store.within(listing, EVER, FIRST), { name: 'ListTooLong', megabytes: 35 });
    await assert.rejects(store.named(listing, 'long', FIRST), { name: 'ListTooLong' });
    // What is only looked through is not refused: a settlement file names what a bank has paid.
    const ids = long.map(({ id }) => id);
    await assert.rejects(store.families(merchantId, ids, { isBrief: false }), { name: 'ListTooLong' });
    assert.deepEqual(
      (await store.families(merchantId, ids)).map(({ id }) => id),
      ids,
    );
    assert.equal((await store.within(listing, EVER, { ...FIRST, isBrief: true })).payments.length, long.length);
    const shorter = { from: MIDNIGHT, before: MIDNIGHT + 4 };
    assert.equal((await store.within(listing, shorter, FIRST)).payments.length, 4);
  });
}
