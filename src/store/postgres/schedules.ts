import { allowSkew } from '../../merchants/merchantFilter.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { ScheduleStore } from '../../schedules/ports.ts';
import {
  byNextAt,
  checkSchedule,
  ownCellsOf,
  type RunRow,
  runOf,
  type ScheduleRow,
  scheduleEventCells,
  scheduleOf,
  scheduleReads,
  scheduleWrites,
} from '../tables/schedules.ts';
import { postgresClaims } from './claimStatements.ts';
import { dueRows } from './due.ts';
import type { Pool } from './pool.ts';
import { rowsFrom, transact } from './transact.ts';

/** Schedules in PostgreSQL. */
export function postgresSchedules(pool: Pool): ScheduleStore {
  return {
    schedule: async (merchantId, scheduleId) => {
      const [row] = await pool.read<ScheduleRow>(scheduleReads.schedule, [merchantId, scheduleId]);
      return row ? scheduleOf(row) : null;
    },
    schedulesOf: async (merchantId, registrationId, limit) =>
      (await pool.read<ScheduleRow>(scheduleReads.schedulesOf, [merchantId, registrationId, limit])).map(scheduleOf),
    claimSchedules: async ({ now, until, limit, merchants }) => {
      const rows =
        merchants.kind === 'only'
          ? rowsFrom<ScheduleRow>(pool, postgresClaims.claimSchedulesOf, [now, until, limit, merchants.merchantId])
          : rowsFrom<ScheduleRow>(pool, postgresClaims.claimSchedules, [
              now,
              until,
              limit,
              JSON.stringify(merchants.merchantIds),
            ]);
      return (await rows).map(scheduleOf).sort(byNextAt);
    },
    misdatedSchedules: async (query) => (await dueRows<ScheduleRow>(pool, 'misdatedSchedules', allowSkew(query))).map(scheduleOf),
    saveSchedule: (...change) => saveSchedule(pool, ...change),
    runs: async (merchantId, scheduleId, limit) =>
      (await pool.read<RunRow>(scheduleReads.runs, [merchantId, scheduleId, limit])).map(runOf),
    nextRunAt: async (merchantId) => {
      const [row] = await pool.read<{ readonly number: string }>(scheduleReads.nextRunAt, [merchantId]);
      return row ? Number(row.number) : null;
    },
  };
}

/** The schedule first: its row lock orders concurrent changes. Both writes are in one transaction. */
async function saveSchedule(
  pool: Pool,
  ...[schedule, skipped, event = null]: Parameters<ScheduleStore['saveSchedule']>
): Promise<boolean> {
  checkSchedule(schedule, skipped);
  const { merchantId, id, revision } = schedule;
  try {
    return await transact(pool, async (step) => {
      if ((await step(scheduleWrites.saveSchedule, [merchantId, ...ownCellsOf(schedule)])) === 0) return false;
      for (const run of skipped)
        await step(scheduleWrites.skipRun, [merchantId, id, run.dueAt, run.at, run.skipped, revision + 1]);
      if (event) await step(scheduleWrites.addScheduleEvent, [...scheduleEventCells(schedule, event), revision]);
      return true;
    });
  } catch (error) {
    if (error instanceof BrokenCommit && error.constraint === 'schedule_run_pkey') return false;
    throw error;
  }
}
