import type { FactQuery, Value } from '../conditions/compile.ts';
import type { Dimension, Listing } from '../ports.ts';
import type { RuleSet } from '../rules.ts';
import { createKeyHasher } from '../velocity/keyHashes.ts';
import { dimensions } from '../velocity/keys.ts';
import type { Judges, Past } from './backtest.ts';
import type { PastLists } from './lists.ts';

/** A past payment with its id. */
export type Named = Past & { readonly id: string };

/**
 * Some payments in columns: all that the rules of both sides want to know of them, and nothing else. It is made in one thread and judged
 * in another; whole facts would take longer to hand over than to make.
 */
export type Sheet = {
  readonly at: Float64Array;
  readonly amounts: BigInt64Array;
  readonly currencies: readonly string[];
  /** The place of what became of each in `outcomes`. */
  readonly is: Uint8Array;
  /** The hash of each payment in each of `keyed`, one payment after the other; NaN where it has none. */
  readonly keys: Float64Array;
  /** The place of its rule set in `sets` of each side, one payment after the other; -1 where it is remembered and not judged. */
  readonly sets: Int16Array;
  /** In the order of the questions of the shape: the answers about each payment. */
  readonly facts: readonly (readonly Value[])[];
  readonly listed: readonly (readonly (boolean | null)[])[];
};

export const outcomes: readonly Past['is'][] = ['approved', 'declined', 'blocked', 'open'];
export const keyed = Object.keys(dimensions) as readonly Dimension[];

/** What stands in the columns of a sheet: the questions of all rule sets of both sides, each once. */
export type Shape = { readonly facts: readonly FactQuery[]; readonly listings: readonly Listing[] };

export type Sides = { readonly before: Judges; readonly after: Judges };

export const listingName = ({ list, subject }: Listing): string => `${list} ${subject}`;

/** The same in both threads, since both have made the rules ready from the same rows. */
export function shapeOf({ before, after }: Sides): Shape {
  const sets = [...before.sets, ...after.sets];
  return {
    facts: once(
      sets.flatMap(({ facts }) => facts),
      ({ name }) => name,
    ),
    listings: once(
      sets.flatMap(({ listings }) => listings),
      listingName,
    ),
  };
}

const once = <Item>(items: readonly Item[], name: (item: Item) => string): readonly Item[] => [
  ...new Map(items.map((item) => [name(item), item])).values(),
];

export type SheetWriter = { write(page: readonly Named[]): Promise<Sheet> };

/** Strangers had their say when the payments were made, not now: it need not be secret. */
const SEED = 0x51f15e;

export function createSheetWriter(sides: Sides, { lists }: { readonly lists: PastLists }): SheetWriter {
  const shape = shapeOf(sides);
  const hashesOf = createKeyHasher(SEED);
  const places = [sides.before, sides.after].map(({ sets }) => new Map(sets.map((set, at): [RuleSet, number] => [set, at])));
  return {
    async write(page) {
      const sets = new Int16Array(page.length * 2).fill(-1);
      const keys = new Float64Array(page.length * keyed.length).fill(Number.NaN);
      page.forEach(({ facts }, row) => {
        const [then, now] = [sides.before.select(facts), sides.after.select(facts)];
        if (then && now) {
          sets[row * 2] = places[0]?.get(then) ?? -1;
          sets[row * 2 + 1] = places[1]?.get(now) ?? -1;
        }
        const hashes = hashesOf(facts);
        for (let of = 0; of < keyed.length; of += 1) {
          const hash = hashes[keyed[of] as Dimension];
          if (hash !== null) keys[row * keyed.length + of] = hash;
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
        listed: await lists.ask(
          shape.listings,
          page.map(({ facts }) => facts),
        ),
      };
    },
  };
}

/** What may be handed over to another thread instead of being copied. */
export const buffersOf = ({ at, amounts, is, keys, sets }: Sheet): ArrayBuffer[] =>
  [at, amounts, is, keys, sets].map(({ buffer }) => buffer as ArrayBuffer);
