import type { Fold, StatisticsStore } from '../../reports/statistics/ports.ts';
import {
  type ChangeRow,
  type CountedRow,
  changeOf,
  countedCells,
  countedOf,
  type FoldRow,
  type SheetRow,
  sheetCells,
  sheetOf,
} from '../tables/statistics.ts';
import { Unmoved, type WriteStep } from './jobs.ts';
import type { Reads } from './reads.ts';
import type { Writer } from './threads.ts';

/** The first of them decides whether the others are taken; each finds what it was worked out from. */
const stepsOf = ({ revision, sheets, counted, ended, done }: Fold): readonly WriteStep[] => [
  ['turnFold', revision],
  ...sheets.map((sheet): WriteStep => ['putSheet', ...sheetCells(sheet)]),
  ...counted.map((one): WriteStep => ['putCounted', ...countedCells(one)]),
  ...ended.map(({ merchantId, subjectId }): WriteStep => ['dropCounted', merchantId, subjectId]),
  ...(done.length > 0 ? [['dropChanges', JSON.stringify(done)] as const] : []),
];

/** The statistics in SQLite. */
export const sqliteStatistics = (read: Reads, writer: Writer): StatisticsStore => ({
  foldRevision: async () => Number(read.all<FoldRow>('foldRevision')[0]?.revision),
  changes: async (limit) => read.all<ChangeRow>('changes', limit).map(changeOf),
  counted: async (subjects) =>
    subjects.flatMap(({ merchantId, subjectId }) => read.all<CountedRow>('counted', merchantId, subjectId).map(countedOf)),
  sheets: async (keys) =>
    keys.flatMap(({ nodeId, span, begins }) => read.all<SheetRow>('sheet', nodeId, span, begins).map(sheetOf)),
  sheetsWithin: async (nodeId, ranges) =>
    ranges.flatMap(({ span, from, before }) => read.all<SheetRow>('sheetsWithin', nodeId, span, from, before).map(sheetOf)),
  fold: async (fold) => {
    try {
      await writer.ask({ do: 'write', steps: stepsOf(fold), isEach: true });
      return true;
    } catch (error) {
      if (error instanceof Unmoved) return false;
      throw error;
    }
  },
});
