import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Checkpoints the WAL in a thread of its own, so that the writer finds the work nearly done when the WAL is full. Only the writer can
 * restart the WAL; file.ts has its size.
 */
const POLL_MS = 100;
/** While nothing is written, the pauses double up to this. */
const QUIET_POLL_MS = 3_200;
/** Pages of 4 KiB. Fewer would write the same busy pages again and again. */
const PAGES_MIN = 6_000;
/** When the WAL is nearly full, fewer pages are enough: the writer moves the rest while payments wait. */
const NEARLY_FULL = 0.9;
const LAST_PAGES_MIN = 2_000;

const { path, logPages } = workerData as { readonly path: string; readonly logPages: number };
const db = new DatabaseSync(path, { timeout: 0 });
const poll = db.prepare('PRAGMA wal_checkpoint(NOOP)');
const move = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');

/** Polls until the returned function is called. */
function startPolling(): () => void {
  let [pauseMs, lengthBefore] = [POLL_MS, -1];
  const pollAgain = (): void => {
    try {
      const { log, checkpointed } = poll.get() as { readonly log: number; readonly checkpointed: number };
      pauseMs = log === lengthBefore ? Math.min(2 * pauseMs, QUIET_POLL_MS) : POLL_MS;
      lengthBefore = log;
      if (log - checkpointed >= (log < NEARLY_FULL * logPages ? PAGES_MIN : LAST_PAGES_MIN)) move.get();
    } catch {
      // A disk that is full or busy now may not be so the next time, and the writer does not depend on this.
    }
    timer = setTimeout(pollAgain, pauseMs);
  };
  let timer = setTimeout(pollAgain, pauseMs);
  return () => clearTimeout(timer);
}

const stopPolling = startPolling();
parentPort?.once('message', () => {
  stopPolling();
  db.close();
});
