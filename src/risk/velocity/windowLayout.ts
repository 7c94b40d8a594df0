import type { Dimension, Key, Keys, Window } from '../ports.ts';
import { tierOf, tiers } from './tiers.ts';

/** Which list of a row stores the distinct values of a dimension; the tiers come first. */
export const distinctLists: Readonly<Partial<Record<Dimension, number>>> = {
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
export const groupNameOf = ({ per, measure }: Window): string => groupName(per, measure === 'sum');

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
