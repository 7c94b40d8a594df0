import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { sqliteCode } from '../errors.ts';
import type { Writer } from './threads.ts';

/** How long after a start that failed the next one is tried. */
const AGAIN_MS = 1_000;

export type LateNeeds = {
  /** Opens the database for writing; rejects when that is still not possible. */
  readonly start: () => Promise<Writer>;
  /** Milliseconds that have passed, by a clock that is never set. */
  readonly now: () => number;
};

/**
 * The writer of a database that could only be opened for reading: its disk was full. Whatever is to be written is refused until it can be
 * opened, which is tried whenever something is, at most once a second. Jobs write all the time, so no caller has to trigger it.
 */
export function createLateWriter({ start, now }: LateNeeds): Writer {
  let writer: Writer | null = null;
  let starting: Promise<Writer> | null = null;
  let triedAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  const refused = (why: string, code: string) => new StoreOutOfOrder(`the database was opened for reading only: ${why}`, code);
  const begin = async (): Promise<Writer> => {
    triedAt = now();
    try {
      writer = await start();
      return writer;
    } catch (error) {
      const code = error instanceof StoreOutOfOrder ? error.code : sqliteCode(error);
      throw refused(error instanceof Error ? error.message : String(error), code);
    } finally {
      starting = null;
    }
  };
  const started = async (): Promise<Writer> => {
    if (writer) return writer;
    if (isClosed) throw new StoreOutOfOrder('the store is closed');
    if (!starting && now() - triedAt < AGAIN_MS) throw refused('the disk is full', 'SQLITE_FULL');
    starting ??= begin();
    return starting;
  };
  return {
    commit: async (row) => (await started()).commit(row),
    ask: async (work) => (await started()).ask(work),
    rows: async (text, cells) => (await started()).rows(text, cells),
    share: async () => (await started()).share(),
    async close() {
      isClosed = true;
      await starting?.catch(() => {});
      await writer?.close();
    },
  };
}
