import type { Change, Counted, Sheet, SheetKey, StatisticsStore, Subject } from '../../reports/statistics/ports.ts';
import type { Tables, WhileOpen } from './tables.ts';

/** The statistics: the queue by number, what may still change by subject, the sheets by node, length and beginning. */
export type StatisticsTable = {
  readonly changes: Map<number, Change>;
  readonly open: Map<string, Counted>;
  readonly sheets: Map<string, Sheet>;
  readonly fold: { revision: number; last: number };
};

export const emptyStatistics = (): StatisticsTable => ({
  changes: new Map(),
  open: new Map(),
  sheets: new Map(),
  fold: { revision: 0, last: 0 },
});

const subjectAt = ({ merchantId, subjectId }: Subject): string => `${merchantId}\n${subjectId}`;
const sheetAt = ({ nodeId, span, begins }: SheetKey): string => `${nodeId}\n${span}\n${begins}`;

/** Puts a line into the queue. */
export function queueLine({ statistics }: Tables, change: Omit<Change, 'n'>): void {
  statistics.fold.last += 1;
  statistics.changes.set(statistics.fold.last, { n: statistics.fold.last, ...change });
}

export function statisticsMethods({ statistics }: Tables, whileOpen: WhileOpen): StatisticsStore {
  const { changes, open, sheets, fold } = statistics;
  return {
    foldRevision: whileOpen(() => fold.revision),
    changes: whileOpen((limit) => [...changes.values()].slice(0, limit)),
    counted: whileOpen((subjects) => subjects.flatMap((one) => open.get(subjectAt(one)) ?? [])),
    sheets: whileOpen((keys) => keys.flatMap((key) => sheets.get(sheetAt(key)) ?? [])),
    sheetsWithin: whileOpen((nodeId, ranges) =>
      [...sheets.values()].filter(
        (sheet) =>
          sheet.nodeId === nodeId &&
          ranges.some(({ span, from, before }) => sheet.span === span && sheet.begins >= from && sheet.begins < before),
      ),
    ),
    fold: whileOpen((next) => {
      if (next.revision !== fold.revision) return false;
      fold.revision += 1;
      for (const sheet of next.sheets) sheets.set(sheetAt(sheet), sheet);
      for (const one of next.counted) open.set(subjectAt(one), one);
      for (const one of next.ended) open.delete(subjectAt(one));
      for (const n of next.done) changes.delete(n);
      return true;
    }),
  };
}
