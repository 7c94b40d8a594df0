import type { DatabaseSync } from 'node:sqlite';

/**
 * As many payments as a search reads in less than a millisecond. Batches of 1,000 cost the writer 3 % less, but delayed the commits behind
 * them by 35 ms.
 */
export const KEYS_BATCH = 250;

/** A trigger of the cursor writes the words of the payments that it passes (migration 26): they are one change. */
export const searchKeyStatements = {
  cursor: 'SELECT last, (SELECT COALESCE(MAX(rowid), 0) FROM payment) AS newest FROM search_word_cursor WHERE id = 1',
  advance: 'UPDATE search_word_cursor SET last = ?1 WHERE id = 1',
} as const;

/**
 * Writes the search keys of payments, in batches, within a transaction that the caller has begun. Keys and cursor are one change, so
 * that the keys of a payment are written once. `isDue`: the backlog has a batch.
 */
export type SearchKeys = { isDue(): boolean; noteInserted(count: number): void; writeBatch(): void };

export function createSearchKeys(db: DatabaseSync, portion = KEYS_BATCH): SearchKeys {
  const readCursor = db.prepare(searchKeyStatements.cursor);
  const advance = db.prepare(searchKeyStatements.advance);
  const cursor = () => readCursor.get() as { readonly last: number; readonly newest: number };
  const { last, newest } = cursor();
  let waiting = newest - last;
  return {
    isDue: () => waiting >= portion,
    noteInserted: (count) => {
      waiting += count;
    },
    writeBatch: () => {
      const { last, newest } = cursor();
      const end = Math.min(newest, last + 2 * portion);
      if (end > last) advance.run(end);
      waiting = newest - end;
    },
  };
}
