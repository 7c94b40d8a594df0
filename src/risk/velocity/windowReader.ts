import type { AnswerSlots, Dimension, Key, Keys, Outcome, Window, WindowAnswer } from '../ports.ts';
import { type CounterRow, type CounterWeights, countOf, distinctIn, sumOf } from './counterArena.ts';
import { bucketAt, type Tier, tierOf, tiers, weights } from './tiers.ts';

/** Distinct values are stored with the second in which they were last seen. */
export const DISTINCT_BUCKET_MS = 1_000;

/** How a window is read from a row. */
type Lookup = {
  readonly measure: Window['measure'];
  readonly ms: number;
  readonly list: number;
  readonly widthMs: number;
  /** By variant: the weights of the outcome, and the weights of all attempts. */
  readonly own: readonly [CounterWeights, CounterWeights];
  readonly all: readonly [CounterWeights, CounterWeights];
};

const weightsFor = (outcome: Outcome): readonly [CounterWeights, CounterWeights] => [
  { weights: weights[outcome], variant: 0 },
  { weights: weights[outcome], variant: 1 },
];

type SlotLookup = { readonly group: number; readonly lookup: Lookup };

export function lookupOf({ measure, ms, outcome, what }: Window): Lookup {
  const list = what === null ? tierOf(ms) : (distinctLists[what] ?? 0);
  const widthMs = what === null ? (tiers[list] as Tier).widthMs : DISTINCT_BUCKET_MS;
  return { measure, ms, list, widthMs, own: weightsFor(outcome), all: weightsFor('any') };
}

/**
 * Reads windows lazily: most conditions are decided by their first operands, so most windows are never computed. One reader serves all
 * requests with the same list of windows, one after the other, each from the rows that stand in `rows` by then.
 */
export type WindowReader = { begin(now: number, variant: ReadTime['variant']): AnswerSlots<WindowAnswer> };

export function createWindowReader(
  windows: readonly Window[],
  layout: WindowLayout,
  rows: readonly (CounterRow | null)[],
): WindowReader {
  const asks = windows.map(
    (window): SlotLookup => ({ group: layout.at.get(groupNameOf(window)) ?? -1, lookup: lookupOf(window) }),
  );
  const answers: WindowAnswer[] = asks.map(() => null);
  const answeredIn = new Float64Array(asks.length);
  const when: { now: number; variant: ReadTime['variant'] } = { now: 0, variant: 0 };
  let turn = 0;
  const reading = {
    at(slot: number): WindowAnswer {
      const ask = asks[slot];
      if (answeredIn[slot] !== turn && ask) {
        answers[slot] = answerOf(rows[ask.group] ?? null, ask.lookup, when);
        answeredIn[slot] = turn;
      }
      return answers[slot] ?? null;
    },
  };
  return {
    begin(now, variant) {
      turn += 1;
      when.now = now;
      when.variant = variant;
      return reading;
    },
  };
}

type ReadTime = { readonly now: number; readonly variant: 0 | 1 };

export function answerOf(row: CounterRow | null, lookup: Lookup, { now, variant }: ReadTime): WindowAnswer {
  if (row === null) return null;
  const { measure, list, widthMs, ms } = lookup;
  const range = { list, first: bucketAt(now - ms, widthMs), last: bucketAt(now, widthMs) };
  if (measure === 'distinct') return distinctIn(row, range);
  if (measure === 'sum') return sumOf(row, range, lookup.own[variant]);
  const count = countOf(row, range, lookup.own[variant]);
  if (measure === 'count') return count;
  const all = countOf(row, range, lookup.all[variant]);
  return all === 0 ? null : Math.min(100, Math.floor((100 * count) / all));
}

/** Which list of a row stores the distinct values of a dimension; the tiers come first. */
const distinctLists: Readonly<Partial<Record<Dimension, number>>> = {
  card: tiers.length,
  email: tiers.length + 1,
  ip: tiers.length + 2,
  mobile: tiers.length + 3,
};

/** The counters of one dimension that the windows of a rule set need. */
export type CounterGroup = {
  readonly per: Dimension;
  readonly keyIn: (keys: Keys) => Key | null;
  readonly isSum: boolean;
  readonly tiers: readonly number[];
  readonly distinct: readonly DistinctList[];
};

/** A dimension whose distinct values are counted: the list of the row that stores them, and the group that has their serial numbers. */
type DistinctList = { readonly list: number; readonly group: number };

export type WindowLayout = {
  readonly groups: readonly CounterGroup[];
  /** The position of each group, by its name. */
  readonly at: ReadonlyMap<string, number>;
};

/** One function per dimension: a property name that varies at one call site is slow to look up. */
const keyReaders: Readonly<Record<Dimension, CounterGroup['keyIn']>> = {
  card: ({ card }) => card,
  email: ({ email }) => email,
  ip: ({ ip }) => ip,
  bin: ({ bin }) => bin,
  customer: ({ customer }) => customer,
  checkout: ({ checkout }) => checkout,
  entity: ({ entity }) => entity,
  mobile: ({ mobile }) => mobile,
  'card+ip': (keys) => keys['card+ip'],
  order: ({ order }) => order,
  transaction: ({ transaction }) => transaction,
};

const unique = <Item>(items: readonly Item[]): readonly Item[] => [...new Set(items)];

/** Sums are kept apart from counts: only they need amounts. */
export const groupName = (per: Dimension, isSum: boolean): string => (isSum ? `sum ${per}` : per);
/** The name of the group that answers a window. */
const groupNameOf = ({ per, measure }: Window): string => groupName(per, measure === 'sum');

/** The counter groups that a list of windows needs. */
export function layoutOf(windows: readonly Window[]): WindowLayout {
  // A dimension whose distinct values are counted needs rows too: a distinct value is stored as the serial number of its row.
  const names = unique([...windows.map(groupNameOf), ...windows.flatMap(({ what }) => what ?? [])]);
  const groups = names.map((name): CounterGroup => {
    const own = windows.filter((window) => groupNameOf(window) === name);
    const isSum = name.startsWith('sum ');
    const per = (isSum ? name.slice(4) : name) as Dimension;
    return {
      per,
      keyIn: keyReaders[per],
      isSum,
      tiers: unique(own.filter(({ what }) => what === null).map(({ ms }) => tierOf(ms))),
      distinct: unique(own.flatMap(({ what }) => what ?? [])).flatMap((what) => {
        const list = distinctLists[what];
        return list === undefined ? [] : [{ list, group: names.indexOf(what) }];
      }),
    };
  });
  return { groups, at: new Map(names.map((name, at) => [name, at])) };
}
