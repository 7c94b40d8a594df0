import { latestFor } from '../../merchants/merchantFilter.ts';
import type { ReconciliationRun, ReconciliationStore } from '../../reports/reconciliation/ports.ts';
import type { Change, SheetKey, StatisticsStore, Subject } from '../../reports/statistics/ports.ts';
import { checkRun } from '../areas/reports.ts';
import type { Tables, WhileOpen } from './tables.ts';

const keyOf = ({ merchantId, day, part }: ReconciliationRun): string => `${merchantId} ${day} ${String(part).padStart(9, '0')}`;
const byKey = (one: ReconciliationRun, other: ReconciliationRun): number => (keyOf(one) < keyOf(other) ? -1 : 1);

/** Files for merchants in memory. */
export function reconciliationMethods({ reconciliationRuns: runs }: Tables, whileOpen: WhileOpen): ReconciliationStore {
  return {
    addReconciliation: whileOpen((run) => {
      checkRun(run);
      if (runs.has(keyOf(run))) return false;
      runs.set(keyOf(run), run);
      return true;
    }),
    saveReconciliation: whileOpen((run) => {
      checkRun(run);
      if ((runs.get(keyOf(run))?.revision ?? Number.NaN) + 1 !== run.revision) return false;
      runs.set(keyOf(run), run);
      return true;
    }),
    reconciliations: whileOpen((merchantId, from) =>
      [...runs.values()].filter((run) => run.merchantId === merchantId && run.day >= from).sort(byKey),
    ),
    dueReconciliations: whileOpen((now, merchantId, limit) =>
      [...runs.values()]
        .filter(({ state }) => ['due', 'renaming'].includes(state))
        .filter(({ dueAt }) => dueAt <= now || dueAt > latestFor('reconciliation', now))
        .filter(({ claimedUntil }) => claimedUntil <= now || claimedUntil > latestFor('reconciliationClaim', now))
        .filter((run) => merchantId === null || run.merchantId === merchantId)
        .sort((one, other) => one.dueAt - other.dueAt || byKey(one, other))
        .slice(0, limit),
    ),
  };
}

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
