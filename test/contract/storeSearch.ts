import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Payment } from '../../src/payments/payment.ts';
import {
  emailOf,
  type FilterValues,
  isFound,
  type Needle,
  newestFirst,
  noFilters,
  type SearchCursor,
  type SearchQuery,
} from '../../src/payments/search/search.ts';
import { searchFilterNames } from '../../src/spec/areas/payments.ts';
import type { Store } from '../../src/store/store.ts';
import { sized } from '../long.ts';
import {
  APPROVED,
  child,
  commit,
  commitWithEffects,
  DECLINED,
  moved,
  nextId,
  OPEN,
  type Open,
  type Opened,
  payment,
} from './storeFixtures.ts';

const digest = (_: string, text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16);
const MIDNIGHT = 20_000 * 86_400_000;
/** So far apart that the payments lie in several quarters of a year, some at its first instant. */
const STEP = 10 * 86_400_000;
const EVERYTHING: SearchQuery = {
  ...noFilters,
  merchantIds: ['shop', 'other'],
  entityId: null,
  needles: null,
  after: null,
  limit: 50,
  effort: 20_000,
};

const card = (last4Digits: string) =>
  ({ kind: 'card', bin: '411111', last4Digits, holder: null, expiryMonth: '05', expiryYear: '2034' }) as const;

/** So many that a database may read all merchants at once, without and with the largest. */
const many = ['other', ...Array.from({ length: 12 }, (_, at) => `nobody ${at}`)];
const everyone = [...many, 'shop'];

/** Search criteria in many combinations, three payments at an instant. */
function assorted(): Payment[] {
  return Array.from({ length: 90 }, (_, at) =>
    payment({
      merchantId: at % 4 === 3 ? 'other' : 'shop',
      entityId: `channel ${at % 2}`,
      paymentType: at % 3 === 0 ? 'PA' : 'DB',
      paymentBrand: at % 5 === 0 ? 'MASTER' : 'VISA',
      amount: at % 7 === 0 ? 1_000n : 9_200n,
      currency: at % 6 === 0 ? 'USD' : 'EUR',
      createdAt: MIDNIGHT + Math.floor(at / 3) * STEP,
      merchantTransactionId: at % 2 ? `order-${at % 10}` : null,
      shortId: `${String(1_000 + (at % 8))}.0000.${String(at).padStart(4, '0')}`,
      instrument: at % 5 === 4 ? null : card(at % 2 ? '4242' : '0000'),
      fields: {
        ...(at % 3 === 1 && { 'customer.email': at % 2 ? 'Ann@Example.org' : 'bob@example.org' }),
        ...(at % 4 === 2 && { 'customer.merchantCustomerId': at % 8 === 2 ? 'customer 1' : "o'neil" }),
      },
      ...(at % 9 === 8 && { customerId: 'customer 1' }),
      phase: at % 4 === 1 ? DECLINED : at % 8 === 2 ? OPEN : APPROVED,
    }),
  );
}

/** One name begins another, or is what another is in hexadecimal digits; and signs that mean something in queries. */
const oddNames = ['shop', 'sho', '73686f70', `"o'neil" AND *`, 'Geschäft 店'];

/** Hundreds of payments at four instants that come again, as clocks do that somebody sets. */
function crowded(): Payment[] {
  return Array.from({ length: 320 }, (_, at) =>
    payment({
      merchantId: oddNames[at % 7] ?? 'shop',
      entityId: `channel ${at % 2}`,
      amount: at % 5 === 0 ? 1_000n : 9_200n,
      currency: at % 6 === 0 ? 'USD' : 'EUR',
      createdAt: MIDNIGHT + ((at * 7) % 4),
      merchantTransactionId: at % 2 ? `order-${at % 10}` : null,
      shortId: `${1_000 + (at % 8)}.0000.${String(at % 40).padStart(4, '0')}`,
      instrument: at % 9 === 4 ? null : card(at % 4 === 1 ? '4242' : '0000'),
      fields: at % 3 === 1 ? { 'customer.email': at % 2 ? 'Ann@Example.org' : 'bob@example.org' } : {},
      phase: at % 4 === 1 ? DECLINED : APPROVED,
    }),
  );
}

/** The payments of a store, and lists of merchants that are searched together. */
type Stock = {
  readonly make: () => Payment[];
  readonly merchants: readonly (readonly string[])[];
  /** Bounds that have payments on both sides. */
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly numRuns: number;
};

const stocks: Readonly<Record<string, Stock>> = {
  'payments over a year': {
    make: assorted,
    merchants: [['shop'], ['other'], ['shop', 'other'], ['nobody', 'shop'], many, everyone, []],
    from: [MIDNIGHT + 5 * STEP, MIDNIGHT + 20 * STEP],
    to: [MIDNIGHT + 12 * STEP, MIDNIGHT + 25 * STEP + 1],
    numRuns: sized({ quick: 80, assure: 250, reliability: 250 }),
  },
  'many payments at one instant': {
    make: crowded,
    merchants: [...oddNames.map((name) => [name]), oddNames, ['sho', 'nobody']],
    from: [MIDNIGHT + 1, MIDNIGHT + 2],
    to: [MIDNIGHT + 2, MIDNIGHT + 3],
    numRuns: sized({ quick: 40, assure: 100, reliability: 100 }),
  },
};

const hashOf = (one: Payment): string | null => {
  const address = emailOf(one);
  return address === null ? null : digest('', address);
};

async function filled(store: Store, made = assorted()): Promise<readonly Payment[]> {
  for (const one of made) assert.deepEqual(await commitWithEffects(store, commit(one, 0), digest), { is: 'kept' });
  return made;
}

/** All pages of a search, however many of them are short. The place where one ends is told by a payment that the caller may see. */
async function pages(store: Store, asked: SearchQuery, made: readonly Payment[]): Promise<Payment[]> {
  const visible = new Set(made.filter(({ merchantId }) => asked.merchantIds.includes(merchantId)).map(({ id }) => id));
  const found: Payment[] = [];
  let after: SearchCursor | null = asked.after;
  for (let tries = 0; tries < 500; tries += 1) {
    const page = await store.search({ ...asked, after });
    assert.ok(page.payments.length <= asked.limit);
    found.push(...page.payments);
    if (page.next === null) return found;
    assert.ok(visible.has(page.next.id), 'the end of a page is told by a payment of another merchant');
    after = page.next;
  }
  throw new Error('a search does not end');
}

/** One value for each filter that some of the payments have. */
const alone: FilterValues = {
  from: MIDNIGHT + 20 * STEP,
  to: MIDNIGHT + 12 * STEP,
  state: 'declined',
  types: ['PA'],
  brand: 'MASTER',
  code: '800.100.151',
  currency: 'USD',
  amount: 1_000n,
  last4: '4242',
  email: digest('', 'ann@example.org'),
  customer: 'customer 1',
};

/** These look at everything, so each has a store of its own. */
export function searchContract(name: string, open: Open): void {
  for (const [stocked, { make, merchants, from, to, numRuns }] of Object.entries(stocks)) {
    test(`${name}: every search finds what a plain filter finds, with any page size: ${stocked}`, async (t) => {
      const { store, end } = await open();
      t.after(end);
      const made = await filled(store, make());
      const some = made[17]?.id ?? '';
      const needle = fc.constantFrom<Needle>(
        { is: 'id', prefix: some },
        { is: 'id', prefix: some.slice(0, 8) },
        { is: 'shortId', prefix: '1003.' },
        { is: 'shortId', prefix: '1003.0000.0011' },
        { is: 'reference', prefix: 'order-' },
        { is: 'reference', prefix: 'order-3' },
        { is: 'reference', prefix: "'; DROP TABLE payment" },
        { is: 'last4', last4: '4242' },
        { is: 'email', hash: digest('', 'ann@example.org') },
        { is: 'emailPrefix', prefix: 'ann@' },
        { is: 'amount', amount: 1_000n, currency: null },
        { is: 'amount', amount: 9_200n, currency: 'USD' },
      );
      const orNull = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: null, freq: 2 });
      const question: fc.Arbitrary<SearchQuery> = fc.record({
        merchantIds: fc.constantFrom(...merchants),
        entityId: orNull('channel 0', 'channel 1'),
        needles: fc.option(fc.uniqueArray(needle, { maxLength: 3 }), { nil: null, freq: 2 }),
        from: orNull(...from),
        to: orNull(...to),
        state: orNull('open', 'approved', 'declined'),
        types: orNull(['PA'], ['PA', 'DB'], ['RF']),
        brand: orNull('VISA', 'MASTER', 'AMEX'),
        code: orNull('800.100.151', '000.100.110', '000.200.000'),
        currency: orNull('EUR', 'USD'),
        amount: orNull(9_200n, 1_000n, 5n),
        last4: orNull('4242', '0000', '9999'),
        email: orNull(digest('', 'ann@example.org'), digest('', 'nobody@example.org')),
        customer: orNull('customer 1', "o'neil", 'customer'),
        after: fc.option(fc.constantFrom(...made), { nil: null, freq: 3 }),
        limit: fc.constantFrom(1, 7, 100),
        effort: fc.constantFrom(1, 10, 20_000),
      });
      const same = async (asked: SearchQuery) => {
        const expected = made.filter((one) => isFound(asked, one, hashOf(one))).sort(newestFirst);
        assert.deepEqual(
          (await pages(store, asked, made)).map(({ id }) => id),
          expected.map(({ id }) => id),
        );
      };
      await fc.assert(fc.asyncProperty(question, same), { numRuns });
    });
  }

  test(`${name}: every filter alone finds some payments and leaves others out`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const made = await filled(store);
    for (const filter of searchFilterNames) {
      const asked: SearchQuery = { ...EVERYTHING, [filter]: alone[filter], limit: 100 };
      const expected = made.filter((one) => isFound(asked, one, hashOf(one))).sort(newestFirst);
      assert.ok(expected.length > 0 && expected.length < made.length, `${filter}: ${expected.length} of ${made.length}`);
      const found = (await pages(store, asked, made)).map(({ id }) => id);
      assert.deepEqual(
        found,
        expected.map(({ id }) => id),
        filter,
      );
    }
  });

  test(`${name}: a payment is found by its present state`, async (t) => {
    const { store, end } = await open();
    t.after(end);
    const one = payment({ merchantId: 'shop', phase: OPEN });
    assert.deepEqual(await store.commit(commit(one, 0)), { is: 'kept' });
    const found = async (changes: Partial<SearchQuery>) =>
      (await store.search({ ...EVERYTHING, ...changes })).payments.map(({ id }) => id);
    assert.deepEqual(await found({ state: 'open', code: '000.200.000' }), [one.id]);
    const declined = moved(one, { phase: DECLINED });
    assert.deepEqual(await store.commit(commit(declined, 1)), { is: 'kept' });
    assert.deepEqual(await found({ state: 'open' }), []);
    assert.deepEqual(await found({ code: '800.100.151' }), [one.id]);
    assert.deepEqual((await store.search(EVERYTHING)).payments, [declined]);
  });
}

/** These ask for what they made themselves. */
export function traceContract(name: string, opened: () => Opened): void {
  test(`${name}: a payment is found by its id at the named merchants only`, async () => {
    const { store } = opened();
    const one = payment({ merchantId: nextId() });
    await store.commit(commit(one, 0));
    assert.deepEqual(await store.anyPayment([nextId(), one.merchantId], one.id), one);
    assert.equal(await store.anyPayment([nextId()], one.id), null);
    assert.equal(await store.anyPayment([], one.id), null);
    assert.equal(await store.anyPayment([one.merchantId], nextId()), null);
  });

  test(`${name}: the stored texts of a payment are found`, async () => {
    const { store } = opened();
    const merchantId = nextId();
    const one = payment({ merchantId, phase: OPEN, createdAt: MIDNIGHT, movedAt: MIDNIGHT });
    const done = moved(one, { phase: APPROVED, movedAt: MIDNIGHT + 5 });
    const other = child(done, { paymentType: 'RF', amount: 100n, createdAt: MIDNIGHT + 9, movedAt: MIDNIGHT + 9 });
    const webhookId = nextId();
    const times = { createdAt: MIDNIGHT, changedAt: MIDNIGHT, revision: 1, failingSince: null } as const;
    const webhook = { id: webhookId, entityId: merchantId, name: 'x', url: 'https://shop.example/', ...times } as const;
    await store.addWebhook({
      ...webhook,
      types: ['PAYMENT'],
      fields: 'ALL',
      wrapper: 'NONE',
      state: 'active',
      why: null,
      keys: [],
    });
    for (const [at, change] of [one, done, other].entries()) {
      assert.deepEqual(await commitWithEffects(store, commit(change, at)), { is: 'kept' });
    }
    const events = await store.eventsOf(merchantId, itself(one.id));
    assert.deepEqual(
      events.map(({ revision, code, createdAt }) => [revision, code, createdAt]),
      [
        [1, '000.200.000', MIDNIGHT],
        [2, '000.100.110', MIDNIGHT + 5],
      ],
    );
    const ever = { from: MIDNIGHT, to: MIDNIGHT + 5 };
    const postings = await store.postingsOf(merchantId, one.id, ever);
    assert.deepEqual(
      postings.map(({ revision, at }) => [revision, at]),
      [
        [1, MIDNIGHT],
        [2, MIDNIGHT + 5],
      ],
    );
    assert.equal(postings[1]?.entries.merchant, one.amount);
    assert.deepEqual(await store.postingsOf(nextId(), one.id, ever), []);
    const [first] = events;
    assert.ok(first);
    const about = {
      id: nextId(),
      webhookId,
      event: first,
      state: 'due',
      dueAt: MIDNIGHT,
      tries: [],
      earlierTries: 0,
      createdAt: MIDNIGHT,
    } as const;
    await store.saveFanOut([first], [about]);
    assert.deepEqual(await store.deliveriesOf(merchantId, itself(one.id)), [about]);
    assert.deepEqual(await store.deliveriesOf(merchantId, itself(other.id)), []);
    assert.equal((await store.eventsOf(merchantId, itself(one.id))).length, 2);
  });
}

const itself = (id: string) => ({ subjectId: id, transactionId: id });
