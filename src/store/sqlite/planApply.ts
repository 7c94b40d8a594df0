import type { DatabaseSync } from 'node:sqlite';
import type { Cell, CommitCell } from '../tables/payments.ts';

type CommitRow = readonly Cell[];
type Run = (row: CommitRow) => number;

/** What a commit does to a plan, for rows that have one. */
export type PlanApply = {
  /** Somebody was quicker with the plan, or with its due instant. */
  isOvertaken(row: CommitRow): boolean;
  /** How many of the plan's rows were changed: exactly one, unless the commit contradicts what is stored. */
  write(row: CommitRow): number;
};

export function createPlanApply(
  db: DatabaseSync,
  cellAt: Readonly<Record<CommitCell, number>>,
  run: Readonly<Record<'insertPlan' | 'movePlan' | 'insertRun', Run>>,
): PlanApply {
  const findRevision = db.prepare('SELECT revision FROM schedule WHERE merchant_id = ?1 AND id = ?2');
  const findRun = db.prepare('SELECT 1 FROM schedule_run WHERE merchant_id = ?1 AND schedule_id = ?2 AND due_at = ?3');
  return {
    isOvertaken: (row) => {
      const [merchantId, planId, dueAt] = [row[cellAt.merchant_id], row[cellAt.schedule_id], row[cellAt.schedule_due_at]] as [
        string,
        string,
        number | null,
      ];
      const before = Number(findRevision.get(merchantId, planId)?.revision ?? 0);
      if (before + 1 !== row[cellAt.schedule_revision]) return true;
      return dueAt !== null && findRun.get(merchantId, planId, dueAt) !== undefined;
    },
    write: (row) => {
      if (row[cellAt.schedule_due_at] !== null) run.insertRun(row);
      return row[cellAt.schedule_revision] === 1 ? run.insertPlan(row) : run.movePlan(row);
    },
  };
}
