import type { StatisticsStore } from '../../reports/statistics/ports.ts';
import {
  type ChangeRow,
  type CountedRow,
  changeOf,
  countedJson,
  countedOf,
  type FoldRow,
  keysJson,
  type SheetRow,
  sheetOf,
  sheetRangesJson,
  sheetsJson,
  postgresStatistics as statements,
  statisticsReads,
  statisticsWrites,
  subjectsJson,
} from '../tables/statistics.ts';
import type { Pool } from './pool.ts';
import { transact } from './transact.ts';

/** The statistics in PostgreSQL. */
export const postgresStatistics = (pool: Pool): StatisticsStore => ({
  foldRevision: async () => Number((await pool.read<FoldRow>(statisticsReads.foldRevision))[0]?.revision),
  changes: async (limit) => (await pool.read<ChangeRow>(statements.changes, [limit])).map(changeOf),
  counted: async (subjects) =>
    subjects.length === 0
      ? []
      : (await pool.read<CountedRow>(statements.counted, [subjectsJson(subjects)], 'anew')).map(countedOf),
  sheets: async (keys) => (await pool.read<SheetRow>(statements.sheets, [keysJson(keys)], 'anew')).map(sheetOf),
  sheetsWithin: async (nodeId, ranges) =>
    (await pool.read<SheetRow>(statements.sheetsWithin, [sheetRangesJson(ranges), nodeId], 'anew')).map(sheetOf),
  fold: (fold) =>
    transact(pool, async (step) => {
      // Waits here for a concurrent fold, which then has changed the revision.
      if ((await step(statisticsWrites.turnFold, [fold.revision])) === 0) return false;
      await step(statements.putSheets, [sheetsJson(fold)]);
      if (fold.counted.length > 0) await step(statements.putCounted, [countedJson(fold)]);
      if (fold.ended.length > 0) await step(statements.dropCounted, [subjectsJson(fold.ended)]);
      await step(statements.dropChanges, [JSON.stringify(fold.done)]);
      return true;
    }),
});
