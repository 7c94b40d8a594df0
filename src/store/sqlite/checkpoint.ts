import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Moves the log into the database in a thread of its own, so that the writer, when its log is full, finds the work nearly done. Only
 * the writer can start the log anew; see the size of the log in sqliteFile.ts.
 */
const LOOK_MS = 100;
/** While nothing is written, the pauses double up to this. */
const QUIET_LOOK_MS = 3_200;
/** Pages of 4 KiB. Fewer would write the same busy pages again and again. */
const PAGES_MIN = 6_000;
/** From this part of its length on, fewer pages are enough: what is left when the log is full keeps the payments waiting. */
const NEARLY_FULL = 0.9;
const LAST_PAGES_MIN = 2_000;

const { path, logPages } = workerData as { readonly path: string; readonly logPages: number };
const db = new DatabaseSync(path, { timeout: 0 });
const look = db.prepare('PRAGMA wal_checkpoint(NOOP)');
const move = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');

let [pauseMs, lengthBefore] = [LOOK_MS, -1];
let timer = setTimeout(lookAgain, pauseMs);

function lookAgain(): void {
  try {
    const { log, checkpointed } = look.get() as { readonly log: number; readonly checkpointed: number };
    pauseMs = log === lengthBefore ? Math.min(2 * pauseMs, QUIET_LOOK_MS) : LOOK_MS;
    lengthBefore = log;
    if (log - checkpointed >= (log < NEARLY_FULL * logPages ? PAGES_MIN : LAST_PAGES_MIN)) move.get();
  } catch {
    // A disk that is full or busy now may not be so the next time, and the writer does not depend on this.
  }
  timer = setTimeout(lookAgain, pauseMs);
}

parentPort?.once('message', () => {
  clearTimeout(timer);
  db.close();
});
