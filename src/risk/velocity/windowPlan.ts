import type { Dimension, Key, Keys, Window } from '../ports.ts';
import { tierOf, tiers } from './tiers.ts';

/** Which list of a key's row holds when others were seen with it; the tiers come first. */
export const otherLists: Readonly<Partial<Record<Dimension, number>>> = {
  card: tiers.length,
  email: tiers.length + 1,
  ip: tiers.length + 2,
  mobile: tiers.length + 3,
};

/** What has to be fed of one dimension so that the windows of a rule set can be answered. */
export type Feed = {
  readonly per: Dimension;
  readonly keyIn: (keys: Keys) => Key | null;
  readonly isSum: boolean;
  readonly tiers: readonly number[];
  readonly others: readonly Other[];
};

/** A dimension that is told apart: the list of the row in which it is remembered, and the feed that has its serial number. */
type Other = { readonly list: number; readonly feed: number };

export type Plan = {
  readonly feeds: readonly Feed[];
  /** The feed of each window, by its name. */
  readonly at: ReadonlyMap<string, number>;
};

/** Each its own function: a name that differs from call to call is looked up anew every time. */
const keyReaders: Readonly<Record<Dimension, Feed['keyIn']>> = {
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
export const feedName = (per: Dimension, isSum: boolean): string => (isSum ? `sum ${per}` : per);
/** The name of the feed that answers a window. */
export const feedOf = ({ per, measure }: Window): string => feedName(per, measure === 'sum');

/** What has to be fed, and by which feed each window is answered. */
export function planOf(windows: readonly Window[]): Plan {
  // Who is told apart needs a row too: its serial number is what is remembered.
  const names = unique([...windows.map(feedOf), ...windows.flatMap(({ what }) => what ?? [])]);
  const feeds = names.map((name): Feed => {
    const own = windows.filter((window) => feedOf(window) === name);
    const isSum = name.startsWith('sum ');
    const per = (isSum ? name.slice(4) : name) as Dimension;
    return {
      per,
      keyIn: keyReaders[per],
      isSum,
      tiers: unique(own.filter(({ what }) => what === null).map(({ ms }) => tierOf(ms))),
      others: unique(own.flatMap(({ what }) => what ?? [])).flatMap((what) => {
        const list = otherLists[what];
        return list === undefined ? [] : [{ list, feed: names.indexOf(what) }];
      }),
    };
  });
  return { feeds, at: new Map(names.map((name, at) => [name, at])) };
}
