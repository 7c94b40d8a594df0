import type { ScheduleStore } from '../../schedules/ports.ts';
import { BrokenCommit } from '../errors.ts';
import { byNextAt, checkPlan, ownCellsOf, planOf, type RunRow, runOf, type ScheduleRow } from '../tables/schedules.ts';
import type { WriteStep } from './jobs.ts';
import type { Reads } from './reads.ts';
import { write } from './registrations.ts';
import type { Writer } from './threads.ts';

/** Plans in SQLite. */
export function sqlitePlans(read: Reads, writer: Writer): ScheduleStore {
  return {
    schedule: async (merchantId, planId) => {
      const [row] = read.all<ScheduleRow>('plan', merchantId, planId);
      return row ? planOf(row) : null;
    },
    schedulesOf: async (merchantId, registrationId, limit) =>
      read.all<ScheduleRow>('plansOf', merchantId, registrationId, limit).map(planOf),
    claimSchedules: async ({ now, until, limit, merchants }) => {
      const cells = [now, until, limit] as const;
      const rows = await ('only' in merchants
        ? writer.rows<ScheduleRow>('claimPlansOf', ...cells, merchants.only)
        : writer.rows<ScheduleRow>('claimPlans', ...cells, JSON.stringify(merchants.except)));
      return rows.map(planOf).sort(byNextAt);
    },
    schedulesFrom: async ({ nextAt, id }, limit) => read.all<ScheduleRow>('plansFrom', nextAt, id, limit).map(planOf),
    saveSchedule: (plan, skipped) => savePlan(writer, plan, skipped),
    runs: async (merchantId, planId, limit) => read.all<RunRow>('runs', merchantId, planId, limit).map(runOf),
    nextRunAt: async (merchantId) => read.all<{ readonly number: number }>('nextRunAt', merchantId)[0]?.number ?? null,
  };
}

/** An instant that was taken meanwhile undoes the whole step. */
async function savePlan(
  writer: Writer,
  plan: Parameters<ScheduleStore['saveSchedule']>[0],
  skipped: Parameters<ScheduleStore['saveSchedule']>[1],
) {
  checkPlan(plan, skipped);
  const { merchantId, id, revision } = plan;
  const runs = skipped.map((run): WriteStep => ['skipRun', merchantId, id, run.dueAt, run.at, run.skipped, revision]);
  try {
    return (await write(writer, ...runs, ['savePlan', merchantId, ...ownCellsOf(plan)])) > 0;
  } catch (error) {
    if (error instanceof BrokenCommit && error.message.includes('schedule_run_no_replace')) return false;
    throw error;
  }
}
