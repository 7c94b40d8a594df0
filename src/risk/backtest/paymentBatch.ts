import type { FactQuery, Value } from '../conditions/compile.ts';
import type { RiskFacts } from '../facts.ts';
import { createLists, subjects } from '../lists/lists.ts';
import type { Dimension, ListEntry, Listing } from '../ports.ts';
import type { RuleSet } from '../rules.ts';
import { createKeyHasher, dimensions } from '../velocity/keys.ts';
import type { PastPayment, RuleSelector } from './backtest.ts';

/** A past payment with its id. */
export type IdentifiedPayment = PastPayment & { readonly id: string };

/**
 * Payments in columns, with exactly the values that the rules of both sides use. One thread builds a batch and another evaluates it;
 * transferring complete facts would take longer than building them.
 */
export type PaymentBatch = {
  readonly at: Float64Array;
  readonly amounts: BigInt64Array;
  readonly currencies: readonly string[];
  /** The index of each payment's outcome in `outcomes`. */
  readonly is: Uint8Array;
  /** The hash of each payment in each of `keyed`, one payment after the other; NaN where it has none. */
  readonly keys: Float64Array;
  /** The index of the rule set of each side, payment by payment; -1 for a payment that only feeds the velocity counters. */
  readonly sets: Int16Array;
  /** One column for each query of BatchColumns. */
  readonly facts: readonly (readonly Value[])[];
  readonly listed: readonly (readonly (boolean | null)[])[];
};

export const outcomes: readonly PastPayment['is'][] = ['approved', 'declined', 'blocked', 'unbooked', 'open'];
export const keyDimensions = Object.keys(dimensions) as readonly Dimension[];

/** The columns of a batch: the queries of all rule sets of both sides, each once. */
export type BatchColumns = { readonly facts: readonly FactQuery[]; readonly listings: readonly Listing[] };

export type Sides = { readonly before: RuleSelector; readonly after: RuleSelector };

export const listingName = ({ list, subject }: Listing): string => `${list} ${subject}`;

/** Both threads compute the same columns, because both compile the same rules. */
export function batchColumns({ before, after }: Sides): BatchColumns {
  const sets = [...before.sets, ...after.sets];
  return {
    facts: unique(
      sets.flatMap(({ facts }) => facts),
      ({ name }) => name,
    ),
    listings: unique(
      sets.flatMap(({ listings }) => listings),
      listingName,
    ),
  };
}

const unique = <Item>(items: readonly Item[], name: (item: Item) => string): readonly Item[] => [
  ...new Map(items.map((item) => [name(item), item])).values(),
];

type BatchWriter = { write(page: readonly IdentifiedPayment[]): Promise<PaymentBatch> };

/** Not secret: the keys of stored payments cannot be chosen any more. */
const SEED = 0x51f15e;

export function createBatchWriter(sides: Sides, { lists }: { readonly lists: BacktestLists }): BatchWriter {
  const shape = batchColumns(sides);
  const hashesOf = createKeyHasher(SEED);
  const places = [sides.before, sides.after].map(({ sets }) => new Map(sets.map((set, at): [RuleSet, number] => [set, at])));
  return {
    async write(page) {
      const sets = new Int16Array(page.length * 2).fill(-1);
      const keys = new Float64Array(page.length * keyDimensions.length).fill(Number.NaN);
      page.forEach(({ facts }, row) => {
        const [then, now] = [sides.before.select(facts), sides.after.select(facts)];
        if (then && now) {
          sets[row * 2] = places[0]?.get(then) ?? -1;
          sets[row * 2 + 1] = places[1]?.get(now) ?? -1;
        }
        const hashes = hashesOf(facts);
        for (let of = 0; of < keyDimensions.length; of += 1) {
          const hash = hashes[keyDimensions[of] as Dimension];
          if (hash !== null) keys[row * keyDimensions.length + of] = hash;
        }
      });
      return {
        at: Float64Array.from(page, ({ facts }) => facts.now),
        amounts: BigInt64Array.from(page, ({ facts }) => facts.amount),
        currencies: page.map(({ facts }) => facts.currency),
        is: Uint8Array.from(page, ({ is }) => outcomes.indexOf(is)),
        keys,
        sets,
        facts: shape.facts.map(({ of }) => page.map(({ facts }) => of(facts))),
        listed: await lists.answer(
          shape.listings,
          page.map(({ facts }) => facts),
        ),
      };
    },
  };
}

/** The buffers that are transferred to the other thread instead of copied. */
export const buffersOf = ({ at, amounts, is, keys, sets }: PaymentBatch): ArrayBuffer[] =>
  [at, amounts, is, keys, sets].map(({ buffer }) => buffer as ArrayBuffer);

/** Block and allow lists of a back-test: the entries do not change while it runs. */
type BacktestLists = {
  /** For each listing, the answers for all requests. */
  answer(listings: readonly Listing[], requests: readonly RiskFacts[]): Promise<readonly (readonly (boolean | null)[])[]>;
};

/** Listings without entries are answered without a lookup: most kinds of entry are unused. */
export async function createBacktestLists(entries: readonly ListEntry[], now: number): Promise<BacktestLists> {
  const lists = createLists({ now: () => now }, Number.POSITIVE_INFINITY);
  for (const entry of entries) await lists.put(entry);
  const kinds = new Set(entries.map(({ kind }) => kind));
  const isEmpty = ({ subject }: Listing) => !subjects[subject].kinds.some((kind) => kinds.has(kind));
  return {
    async answer(listings, requests) {
      const open = listings.filter((listing) => !isEmpty(listing));
      const found = open.length === 0 ? [] : await Promise.all(requests.map((facts) => lists.listed(open, facts)));
      return listings.map((listing) => {
        const at = open.indexOf(listing);
        const { has } = subjects[listing.subject];
        return at === -1 ? requests.map((facts) => (has(facts) ? false : null)) : found.map((answers) => answers[at] ?? null);
      });
    },
  };
}
