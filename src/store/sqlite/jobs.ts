import type { MessagePort } from 'node:worker_threads';
import type { CommitOutcome } from '../../payments/ports.ts';
import type { Cell } from '../database.ts';
import type { Durability } from '../store.ts';

/** The messages between the writer's thread and the threads that ask it. */

/** A commit as a flat row: the cells of commit/cells.ts. */
export type CommitRow = readonly Cell[];

/** The outcome of one commit. `broken`: it contradicts what is stored, and nothing was written. */
export type Applied = CommitOutcome | { readonly is: 'broken'; readonly why: string };

/** Like `map`, whose lists have room for holes: they would cross to another thread as pairs of index and value, at half the speed. */
export function packed<From, To>(items: readonly From[], to: (item: From) => To): To[] {
  const list: To[] = [];
  for (const item of items) list.push(to(item));
  return list;
}

export type WriterData = {
  readonly path: string;
  readonly durability: Durability;
  /** The number of payments in a batch of search keys; left out: KEYS_BATCH. */
  readonly keysBatch?: number;
};

/**
 * A statement with its rows; it runs once for each. `isNeeded`: it must change a row, or nothing is written. A tuple crosses to another
 * thread faster than an object.
 */
export type WriteStep = readonly [text: string, isNeeded: boolean, rows: readonly (readonly Cell[])[]];

/**
 * `write`: all steps or none of them; returns the number of rows that they changed, 0 if a needed step changed none. `alone`: the same in
 * a transaction of its own, at whose end deferred constraints are checked. `rows`: a statement that returns rows. `leave`: the thread of
 * this port sends no more.
 */
export type Work =
  | { readonly do: 'commit'; readonly rows: readonly CommitRow[] }
  | { readonly do: 'write'; readonly steps: readonly WriteStep[] }
  | { readonly do: 'alone'; readonly steps: readonly WriteStep[] }
  | { readonly do: 'rows'; readonly text: string; readonly cells: readonly Cell[] }
  | { readonly do: 'ping' | 'close' | 'leave' };

/** Another thread joins: the writer takes jobs by this port too. */
export type Joining = { readonly join: MessagePort };

export type Job<Kind extends Work = Work> = { readonly id: number; readonly work: Kind };

/**
 * `unknown`: the disk failed during the COMMIT, and may hold the change or not. `broken`: the work contradicts what is stored;
 * `constraint` names the constraint that refused it.
 */
export type Failure =
  | { readonly kind: 'unknown' | 'outOfOrder'; readonly why: string; readonly code: string }
  | { readonly kind: 'broken'; readonly why: string; readonly constraint: string };

/** Of commits, of `rows`, of all other work. */
export type Result = readonly Applied[] | readonly object[] | number;

/** One for each job. */
export type Report = { readonly id: number } & (
  | { readonly is: 'done'; readonly result: Result }
  | { readonly is: 'failed'; readonly failure: Failure }
);
