import type { Cell } from './rows.ts';
import type { Applied, CommitRow } from './sqliteApply.ts';
import type { Durability } from './store.ts';

/** What the writer's thread is given to begin with, is asked, and answers. */

export type WriterData = { readonly path: string; readonly durability: Durability };

export type Work =
  | { readonly do: 'commit'; readonly rows: readonly CommitRow[] }
  | { readonly do: 'seed'; readonly entities: readonly Cell[][]; readonly tokens: readonly Cell[][] }
  | { readonly do: 'forget'; readonly before: number }
  | { readonly do: 'ping' | 'close' };

export type Job<Kind extends Work = Work> = { readonly id: number; readonly work: Kind };

/** `unknown`: the disk failed while committing, nobody can say whether it holds the change. `broken`: what was asked makes no sense. */
export type Failure = { readonly kind: 'unknown' | 'outOfOrder' | 'broken'; readonly why: string };

/** One for each job. */
export type Report =
  | { readonly id: number; readonly result: readonly Applied[] | number }
  | { readonly id: number; readonly failure: Failure };
