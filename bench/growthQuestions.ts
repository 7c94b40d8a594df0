import { randomBytes } from 'node:crypto';
import { postingOf } from '../src/ledger/book.ts';
import { exampleCommit, examplePayment } from '../src/payments/examples.ts';
import type { Listing } from '../src/payments/search/listing.ts';
import { noFilters, SEARCH_EFFORT, type SearchQuery } from '../src/payments/search/search.ts';
import { paymentLine } from '../src/reports/statistics/line.ts';
import { statisticsOf } from '../src/reports/statistics/statistics.ts';
import { DAY_MS } from '../src/spec/time.ts';
import type { Store } from '../src/store/store.ts';
import type { HistoryPayment } from './history.ts';
import { foreignLoad } from './machine.ts';
import { median } from './speed.ts';

/** A database of one size, and what can be looked for in it. */
export type GrowthSide = {
  readonly rows: number;
  /** The end of its history. */
  readonly now: number;
  readonly store: Store;
  /** Attributes that some payment has, by a number below `rows`. */
  readonly draw: (n: number) => HistoryPayment;
  readonly merchantIds: readonly string[];
  readonly hasSheets: boolean;
  /** The pages of the database that some calls touch, in memory or not; null: the store does not count them. */
  readonly pagesOf: ((calls: (side: GrowthSide) => Promise<void>) => Promise<number>) | null;
};

export const PSP = 'psp';

type Ask = (side: GrowthSide, drawn: HistoryPayment, number: number) => Promise<unknown>;
/** `limitMs`: the p99 that we promise; null: compared with the smallest size only. */
type Question = { readonly what: string; readonly limitMs: number | null; readonly ask: Ask; readonly isOfSheets?: boolean };

const SEARCH_MS = 50;
const DASHBOARD_MS = 300;
const PAGE = 50;

const search =
  (changes: (drawn: HistoryPayment, number: number, side: GrowthSide) => Partial<SearchQuery>): Ask =>
  (side, drawn, number) => {
    const asked = { ...noFilters, merchantIds: [drawn.merchantId], entityId: null, needles: null, after: null };
    return side.store.search({ ...asked, limit: PAGE, effort: SEARCH_EFFORT, ...changes(drawn, number, side) });
  };

const needle = (one: (drawn: HistoryPayment) => NonNullable<SearchQuery['needles']>[number]): Ask =>
  search((drawn) => ({ needles: [one(drawn)] }));
const ofAll = (changes: (drawn: HistoryPayment) => Partial<SearchQuery>): Ask =>
  search((drawn, _, { merchantIds }) => ({ merchantIds, ...changes(drawn) }));

const listingOf = ({ merchantId, entityId }: HistoryPayment): Listing => ({
  merchantId,
  entityId,
  types: null,
  methods: null,
  mode: null,
  shortId: null,
});
const within =
  (days: number, pageNo: number, limit = 100): Ask =>
  ({ store }, drawn) =>
    store.within(listingOf(drawn), { from: drawn.createdAt - days * DAY_MS, before: drawn.createdAt }, { pageNo, limit });

const dashboard =
  (days: number): Ask =>
  ({ store, now }) => {
    const before = now - (now % DAY_MS);
    return statisticsOf(store, { entityId: PSP, timeZone: 'Europe/Vienna', now, from: before - days * DAY_MS, before });
  };

const asked = (limitMs: number, rows: Readonly<Record<string, Ask>>): readonly Question[] =>
  Object.entries(rows).map(([what, ask]) => ({ what, limitMs, ask }));

/** Queries of the API, and the machine's time for a statement that reads one row. */
const queries = asked(SEARCH_MS, {
  'one row': ({ store }) => store.foldRevision(),
  'API: a payment by its id': ({ store }, { merchantId, id }) => store.payment(merchantId, id),
  'API: a family': ({ store }, { merchantId, id }) => store.family(merchantId, id),
  'API: a reference': ({ store }, drawn) => store.named(listingOf(drawn), drawn.reference, { pageNo: 1, limit: 100 }),
  'API: a day': within(1, 1),
  'API: page 20 of a month': within(30, 20),
});

/** Queries of the back office about one merchant; large merchants are drawn more often. */
const searches = asked(SEARCH_MS, {
  'the newest': search(() => ({})),
  'a page in the middle': search(({ createdAt }) => ({ after: { createdAt, id: '' } })),
  'a day': search(({ createdAt }) => ({ from: createdAt - DAY_MS, to: createdAt })),
  'an id': needle(({ id }) => ({ is: 'id', prefix: id })),
  'the beginning of an id': needle(({ id }) => ({ is: 'id', prefix: id.slice(0, 8) })),
  'a short id': needle(({ shortId }) => ({ is: 'shortId', prefix: shortId })),
  'a reference': needle(({ reference }) => ({ is: 'reference', prefix: reference })),
  'the beginning of a reference': needle(({ reference }) => ({ is: 'reference', prefix: reference.slice(0, -2) })),
  'what every reference begins with': needle(({ reference }) => ({ is: 'reference', prefix: reference.slice(0, 4) })),
  'the end of a card number': needle(({ last4 }) => ({ is: 'last4', last4 })),
  'an address': needle(({ emailHash }) => ({ is: 'email', hash: emailHash })),
  'the beginning of an address, one page': needle(() => ({ is: 'emailPrefix', prefix: 'nobody@' })),
  'an amount': needle(({ amount }) => ({ is: 'amount', amount, currency: null })),
  'any four digits': search(({ last4 }) => ({
    needles: [
      { is: 'last4', last4 },
      { is: 'amount', amount: BigInt(last4) * 100n, currency: null },
      { is: 'reference', prefix: last4 },
    ],
  })),
  'declined payments': search(() => ({ state: 'declined' })),
  'a code that is common': search(() => ({ code: '800.100.151' })),
  'a code that is rare': search(() => ({ code: '800.100.203' })),
  'a brand that is rare, one page': search(() => ({ brand: 'AMEX' })),
  'a brand without payments, one page': search(() => ({ brand: 'NONE' })),
  'card number and amount together': search(({ last4 }) => ({ needles: [{ is: 'last4', last4 }], amount: 9_200n })),
});

/** Queries of the provider's back office about all merchants together. */
const searchesOfAll = asked(SEARCH_MS, {
  'all merchants: the newest': ofAll(() => ({})),
  'all merchants: an id': ofAll(({ id }) => ({ needles: [{ is: 'id', prefix: id }] })),
  'all merchants: a reference': ofAll(({ reference }) => ({ needles: [{ is: 'reference', prefix: reference }] })),
  'all merchants: a card number': ofAll(({ last4 }) => ({ needles: [{ is: 'last4', last4 }] })),
  'all merchants: an amount': ofAll(({ amount }) => ({ needles: [{ is: 'amount', amount, currency: null }] })),
  'all merchants: declined, one page': ofAll(() => ({ state: 'declined' })),
  'all merchants: no such brand, one page': ofAll(() => ({ brand: 'NONE' })),
});

const dashboards = asked(DASHBOARD_MS, {
  'dashboard: a day': dashboard(1),
  'dashboard: 30 days': dashboard(30),
  'dashboard: 12 months': dashboard(365),
}).map((one) => ({ ...one, isOfSheets: true }));

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

/** A payment with everything that the gateway commits with it. */
const commit: Ask = ({ store }, { merchantId, entityId, emailHash, amount }, number) => {
  const now = Date.now();
  const payment = examplePayment({
    id: now.toString(16).padStart(12, '0') + hex(10),
    merchantId,
    entityId,
    amount,
    createdAt: now,
    movedAt: now,
    merchantTransactionId: `new-${number}`,
    fingerprint: hex(32),
    fields: { 'customer.givenName': 'Ann', 'customer.surname': 'Example', 'customer.email': 'ann@example.org' },
  });
  const given = { posting: postingOf(payment, null), statisticsLine: paymentLine(payment), emailHash, sealed: randomBytes(120) };
  return store.commit(exampleCommit(payment, { ...given, idempotencyKey: { entityId, key: hex(16), bodyHash: hex(32) } }));
};

type Taken = { readonly p50: number; readonly p99: number };
type Calls = { readonly first: number; readonly count: number; readonly atOnce: number };
const GOLDEN = 0.618033988749895;

/** The median and the p99 of some calls, several in parallel. Numbers go on where the round before ended. */
async function timed(side: GrowthSide, ask: Ask, { first, count, atOnce }: Calls): Promise<Taken> {
  const taken: number[] = [];
  let next = first;
  const work = async () => {
    while (next < first + count) {
      const number = next;
      next += 1;
      const drawn = side.draw(Math.floor(((number * GOLDEN) % 1) * side.rows));
      const began = performance.now();
      await ask(side, drawn, number);
      taken.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  taken.sort((one, other) => one - other);
  return { p50: taken[Math.floor(count * 0.5)] ?? 0, p99: taken[Math.floor(count * 0.99)] ?? 0 };
}

export type GrowthCounts = {
  readonly rounds: number;
  readonly commits: number;
  /** Calls that are under way at the same time. */
  readonly atOnce: number;
  /** The measured query. Pages are the same on a busy machine. */
  readonly measured: 'pages' | 'times' | 'both';
  /** Only questions with this in their name. */
  readonly only: string;
};
const COUNTED = 20;
const READS = 200;
const DASHBOARDS = 20;

/** Every size answers each question in turn, round after round, so that whatever else the machine does meets all of them alike. */
export async function measureGrowth(
  sides: readonly GrowthSide[],
  { rounds, commits, atOnce, measured, only }: GrowthCounts,
): Promise<void> {
  const payment: Question = { what: 'a payment is committed', limitMs: null, ask: commit };
  const all = [payment, ...queries, ...searches, ...searchesOfAll, ...dashboards];
  const canAsk = ({ isOfSheets }: Question) => !isOfSheets || sides.every(({ hasSheets }) => hasSheets);
  const questions = all.filter((question) => question.what.includes(only) && canAsk(question));
  if (measured !== 'times') await countPages(sides, questions);
  if (measured === 'pages') return;
  console.log(`p50 and p99 in ms at ${sides.map(({ rows }) => rows.toLocaleString('en')).join(' and ')} payments, medians of`);
  console.log(`${rounds} rounds, ${atOnce} calls at once; × p99 of the last size by that of the first, in the same round`);
  for (const question of questions) {
    const count = question === payment ? commits : question.isOfSheets ? DASHBOARDS : READS;
    const taken: Taken[][] = sides.map(() => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, side] of sides.entries())
        taken[at]?.push(await timed(side, question.ask, { first: round * count, count, atOnce }));
    }
    console.log(lineOf(question, taken));
  }
  console.log(`foreign load ${await foreignLoad()}`);
}

/** How many pages one call touches at each size. */
async function countPages(sides: readonly GrowthSide[], questions: readonly Question[]): Promise<void> {
  const counted = sides.filter(({ pagesOf }) => pagesOf !== null);
  if (counted.length === 0) return;
  console.log(`pages of 8 KB that a call touches, mean of ${COUNTED}`);
  for (const { what, ask } of questions) {
    const found: number[] = [];
    for (const side of counted) {
      const pages = await side.pagesOf?.(async (fresh) => {
        for (let number = 0; number < COUNTED; number += 1) {
          await ask(fresh, fresh.draw(Math.floor(((number * GOLDEN) % 1) * fresh.rows)), number);
        }
      });
      found.push((pages ?? 0) / COUNTED);
    }
    const growth = (found.at(-1) ?? 0) / (found[0] || 1);
    console.log(`  ${what.padEnd(40)} ${found.map((pages) => pages.toFixed(0).padStart(8)).join(' ')}  × ${growth.toFixed(2)}`);
  }
}

function lineOf({ what, limitMs }: Question, taken: readonly (readonly Taken[])[]): string {
  const middle = (rounds: readonly Taken[], name: keyof Taken) => median(rounds.map((one) => one[name])) ?? 0;
  const columns = taken.map(
    (rounds) => `${middle(rounds, 'p50').toFixed(2).padStart(8)} ${middle(rounds, 'p99').toFixed(2).padStart(8)}`,
  );
  const [first = [], last = []] = [taken[0], taken.at(-1)];
  const growth = median(last.map(({ p99 }, round) => p99 / (first[round]?.p99 || 1))) ?? 0;
  const isOver = limitMs !== null && middle(last, 'p99') > limitMs;
  return `  ${what.padEnd(40)} ${columns.join('  ')}  × ${growth.toFixed(2)}${isOver ? `  over ${limitMs} ms` : ''}`;
}
