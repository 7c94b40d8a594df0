import type { Commit, CommitOutcome } from '../../payments/ports.ts';
import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { isLongCommit } from '../commit/cells.ts';

/** Writes a batch: one outcome for each commit, in their order, or an error for each that has none. Never rejects. */
export type WriteBatch = (batch: readonly Commit[]) => Promise<readonly (CommitOutcome | Error)[]>;

export type WriteQueueOptions = { readonly batchMax: number; readonly queues: number };

type Waiting = {
  readonly change: Commit;
  readonly locks: readonly string[];
  readonly isLong: boolean;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: Error) => void;
};

/** Group commit: commits that arrive while all queues are busy go into the next batch together. */
export interface WriteQueues {
  commit(change: Commit): Promise<CommitOutcome>;
  /** Resolves when everything that was accepted has its outcome; nothing is accepted any more. */
  close(): Promise<void>;
}

/** What two commits under way at once may not share. The parts cannot be confused: neither an id nor a key holds a line break. */
const locksOf = ({
  payment: { merchantId, familyId, checkoutId, revision },
  idempotencyKey,
  registration,
  tokenUse,
  schedule,
}: Commit): readonly string[] => [
  `${merchantId}\n${familyId}`,
  ...(idempotencyKey ? [`${merchantId}\n${idempotencyKey.entityId}\n\n${idempotencyKey.key}`] : []),
  ...(registration ? [`${merchantId}\nregistration\n${registration.registration.id}`] : []),
  ...(checkoutId !== null && revision === 1 ? [`${merchantId}\ncheckout\n${checkoutId}`] : []),
  ...(schedule ? [`${merchantId}\nplan\n${schedule.schedule.id}`] : []),
  ...(tokenUse ? [`${merchantId}\n${tokenUse.wallet}\n${tokenUse.tokenId}`] : []),
];

const byFamily = ({ change: { payment: one } }: Waiting, { change: { payment: other } }: Waiting): number =>
  one.familyId < other.familyId ? -1 : 1;

/**
 * In the order of arrival, but a commit is left for later while another one that shares a lock with it is under way. A batch has one long
 * commit at most: several would make a text that takes too long at a time.
 */
function takeBatch(queue: readonly Waiting[], locked: Set<string>, batchMax: number): { batch: Waiting[]; left: Waiting[] } {
  const batch: Waiting[] = [];
  const left: Waiting[] = [];
  let hasLong = false;
  for (const waiting of queue) {
    if (batch.length === batchMax || (hasLong && waiting.isLong) || waiting.locks.some((lock) => locked.has(lock))) {
      left.push(waiting);
      continue;
    }
    hasLong ||= waiting.isLong;
    for (const lock of waiting.locks) locked.add(lock);
    batch.push(waiting);
  }
  // Every node locks families in the same order, so that two nodes cannot each wait for the other.
  return { batch: batch.sort(byFamily), left };
}

export function createWriteQueues(write: WriteBatch, { batchMax, queues }: WriteQueueOptions): WriteQueues {
  const locked = new Set<string>();
  let queue: Waiting[] = [];
  let busy = 0;
  let isScheduled = false;
  let closing: (() => void) | null = null;
  let isClosed = false;

  const run = async (batch: readonly Waiting[]) => {
    const outcomes = await write(batch.map(({ change }) => change));
    batch.forEach(({ locks, resolve, reject }, index) => {
      for (const lock of locks) locked.delete(lock);
      const outcome = outcomes[index] ?? new StoreOutOfOrder('the batch was answered in part');
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    });
    busy -= 1;
    start();
  };
  const start = () => {
    isScheduled = false;
    while (busy < queues && queue.length > 0) {
      const { batch, left } = takeBatch(queue, locked, batchMax);
      queue = left;
      if (batch.length === 0) break;
      busy += 1;
      void run(batch);
    }
    if (busy === 0 && queue.length === 0) closing?.();
  };
  return {
    commit: (change) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new StoreOutOfOrder('the store is closed'));
        queue.push({ change, locks: locksOf(change), isLong: isLongCommit(change), resolve, reject });
        if (isScheduled || busy === queues) return;
        isScheduled = true;
        setImmediate(start);
      }),
    close: () => {
      isClosed = true;
      return new Promise((resolve) => {
        closing = resolve;
        start();
      });
    },
  };
}
