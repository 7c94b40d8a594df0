import type { MessagePort } from 'node:worker_threads';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { Durability } from '../store.ts';
import type { Cell } from '../tables/payments.ts';
import type { writes } from '../tables/statements.ts';
import type { Applied, CommitRow } from './apply.ts';
import type { sqliteReturning } from './claimStatements.ts';

/** What the writer's thread is given to begin with, is asked, and answers. */

/** Like `map`, whose lists have room for holes: they would cross to another thread as pairs of index and value, at half the speed. */
export function packed<From, To>(items: readonly From[], to: (item: From) => To): To[] {
  const list: To[] = [];
  for (const item of items) list.push(to(item));
  return list;
}

export type WriterData = {
  readonly path: string;
  readonly durability: Durability;
  /** The number of payments whose search keys are written at once; left out: KEYS_PORTION. */
  readonly keysPortion?: number;
};

/** The answer of a statement that was to return a number and found no row. */
export const NOTHING = -1;

/** A step that had to change a row found none: another change was first, and nothing was written. */
export class Unmoved extends BrokenCommit {
  constructor() {
    super('another change was first');
  }
}

/** One statement of `writes` with its cells. */
export type WriteStep = readonly [name: keyof typeof writes, ...cells: readonly Cell[]];

/** One statement that answers the rows that it changed. */
export type RowsStep = readonly [name: keyof typeof sqliteReturning, ...cells: readonly Cell[]];

/**
 * `write`: the statements together or none of them; answers how many rows they changed, or the `number` that they return. `isEach`: each
 * of them must change a row. `rows`: one that answers rows. `insertAccounts` has a transaction of its own, because parents are
 * checked at its end. `leave`: the thread of this port sends no more.
 */
export type Work =
  | { readonly do: 'commit'; readonly rows: readonly CommitRow[] }
  | { readonly do: 'write'; readonly steps: readonly WriteStep[]; readonly isEach?: true }
  | { readonly do: 'rows'; readonly step: RowsStep }
  | { readonly do: 'insertAccounts'; readonly entities: readonly Cell[][]; readonly tokens: readonly Cell[][] }
  | { readonly do: 'ping' | 'close' | 'leave' };

/** Another thread joins: the writer takes jobs by this port too. */
export type Joining = { readonly join: MessagePort };

export type Job<Kind extends Work = Work> = { readonly id: number; readonly work: Kind };

/**
 * `unknown`: the disk failed while committing, and may hold the change or not. `broken`: the work contradicts what is stored; `constraint`
 * names what refused it. `unmoved`: see Unmoved.
 */
export type Failure =
  | { readonly kind: 'unknown' | 'outOfOrder'; readonly why: string; readonly code: string }
  | { readonly kind: 'broken'; readonly why: string; readonly constraint: string }
  | { readonly kind: 'unmoved' };

/** Of commits, of rows, of everything else. */
export type Result = readonly Applied[] | readonly object[] | number;

/** One for each job. */
export type Report = { readonly id: number } & (
  | { readonly is: 'done'; readonly result: Result }
  | { readonly is: 'failed'; readonly failure: Failure }
);
