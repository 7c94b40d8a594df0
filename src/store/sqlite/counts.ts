import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import { commitCells } from '../commit/names.ts';
import type { Applied, CommitRow } from './jobs.ts';

const countedBy = ['merchant_id', 'entity_id', 'payment_type', 'method', 'mode'] as const;
const [CREATED, REVISION] = [commitCells.indexOf('created_at'), commitCells.indexOf('revision')];
const places = countedBy.map((name) => commitCells.indexOf(name));

/**
 * Counts the payments that a batch began, by hour and by day, once for all of them: in PostgreSQL a trigger does it for every statement,
 * here it would have to work for every row.
 */
export function createCounter(db: DatabaseSync): (rows: readonly CommitRow[], applied: readonly Applied[]) => void {
  const add = db.prepare(`
    INSERT INTO payment_count (merchant_id, entity_id, payment_type, method, mode, span, begins, count)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    ON CONFLICT (merchant_id, span, begins, entity_id, payment_type, method, mode) DO UPDATE SET count = count + excluded.count`);
  return (rows, applied) => {
    const counts = new Map<string, { readonly cells: readonly (string | number)[]; count: number }>();
    for (const [at, row] of rows.entries()) {
      if (applied[at]?.is !== 'kept' || row[REVISION] !== 1) continue;
      const [created, names] = [Number(row[CREATED]), places.map((place) => String(row[place]))];
      for (const span of [HOUR_MS, DAY_MS]) {
        const cells = [...names, span, created - (created % span)];
        const key = cells.join('\n');
        const known = counts.get(key);
        if (known) known.count += 1;
        else counts.set(key, { cells, count: 1 });
      }
    }
    for (const { cells, count } of counts.values()) add.run(...cells, count);
  };
}
