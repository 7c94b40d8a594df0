import type { Cell } from './rows.ts';
import type { Applied, CommitRow } from './sqliteApply.ts';
import type { writes } from './statements.ts';
import type { Durability } from './store.ts';

/** What the writer's thread is given to begin with, is asked, and answers. */

export type WriterData = { readonly path: string; readonly durability: Durability };

/** The answer of a statement that was to return a number and found no row. */
export const NOTHING = -1;

/** One statement of `writes` with its cells. */
export type WriteStep = readonly [name: keyof typeof writes, ...cells: readonly Cell[]];

/**
 * `write`: the statements together or none of them; answers how many rows they changed, or the `number` that they return. `seed` has a
 * transaction of its own, because who stands below whom is only asked at its end.
 */
export type Work =
  | { readonly do: 'commit'; readonly rows: readonly CommitRow[] }
  | { readonly do: 'write'; readonly steps: readonly WriteStep[] }
  | { readonly do: 'seed'; readonly entities: readonly Cell[][]; readonly tokens: readonly Cell[][] }
  | { readonly do: 'ping' | 'close' };

export type Job<Kind extends Work = Work> = { readonly id: number; readonly work: Kind };

/** `unknown`: the disk failed while committing, nobody can say whether it holds the change. `broken`: what was asked makes no sense. */
export type Failure = { readonly kind: 'unknown' | 'outOfOrder' | 'broken'; readonly why: string };

/** One for each job. */
export type Report =
  | { readonly id: number; readonly result: readonly Applied[] | number }
  | { readonly id: number; readonly failure: Failure };
