import type { ScheduleStore } from '../../schedules/ports.ts';
import { BrokenCommit } from '../errors.ts';
import {
  byNextAt,
  checkPlan,
  ownCellsOf,
  planOf,
  planReads,
  planWrites,
  type RunRow,
  runOf,
  type ScheduleRow,
} from '../tables/schedules.ts';
import { postgresClaims } from './claims.ts';
import type { Pool } from './pool.ts';
import { rowsFrom, transact } from './transact.ts';

/** Plans in PostgreSQL. */
export function postgresPlans(pool: Pool): ScheduleStore {
  return {
    schedule: async (merchantId, planId) => {
      const [row] = await pool.read<ScheduleRow>(planReads.plan, [merchantId, planId]);
      return row ? planOf(row) : null;
    },
    schedulesOf: async (merchantId, registrationId, limit) =>
      (await pool.read<ScheduleRow>(planReads.plansOf, [merchantId, registrationId, limit])).map(planOf),
    claimSchedules: async ({ now, until, limit, merchants }) => {
      const rows =
        'only' in merchants
          ? rowsFrom<ScheduleRow>(pool, postgresClaims.claimPlansOf, [now, until, limit, merchants.only])
          : rowsFrom<ScheduleRow>(pool, postgresClaims.claimPlans, [now, until, limit, JSON.stringify(merchants.except)]);
      return (await rows).map(planOf).sort(byNextAt);
    },
    schedulesFrom: async ({ nextAt, id }, limit) =>
      (await pool.read<ScheduleRow>(planReads.plansFrom, [nextAt, id, limit])).map(planOf),
    saveSchedule: (plan, skipped) => savePlan(pool, plan, skipped),
    runs: async (merchantId, planId, limit) => (await pool.read<RunRow>(planReads.runs, [merchantId, planId, limit])).map(runOf),
    nextRunAt: async (merchantId) => {
      const [row] = await pool.read<{ readonly number: string }>(planReads.nextRunAt, [merchantId]);
      return row ? Number(row.number) : null;
    },
  };
}

/** The plan first: whoever changes it waits for us, and we have waited for whoever was quicker. Nothing is left of a half. */
async function savePlan(
  pool: Pool,
  plan: Parameters<ScheduleStore['saveSchedule']>[0],
  skipped: Parameters<ScheduleStore['saveSchedule']>[1],
): Promise<boolean> {
  checkPlan(plan, skipped);
  const { merchantId, id, revision } = plan;
  try {
    return await transact(pool, async (step) => {
      if ((await step(planWrites.savePlan, [merchantId, ...ownCellsOf(plan)])) === 0) return false;
      for (const run of skipped) await step(planWrites.skipRun, [merchantId, id, run.dueAt, run.at, run.skipped, revision + 1]);
      return true;
    });
  } catch (error) {
    if (error instanceof BrokenCommit && error.message.includes('schedule_run_pkey')) return false;
    throw error;
  }
}
