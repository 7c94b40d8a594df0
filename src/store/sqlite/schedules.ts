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
} from '../tables/schedules.ts';
import type { WriteStep } from './jobs.ts';
import { dueRows, type Reads } from './reads.ts';
import { write } from './registrations.ts';
import type { Writer } from './threads.ts';

/** Schedules in SQLite. */
export function sqliteSchedules(read: Reads, writer: Writer): ScheduleStore {
  return {
    schedule: async (merchantId, scheduleId) => {
      const [row] = read.all<ScheduleRow>('schedule', merchantId, scheduleId);
      return row ? scheduleOf(row) : null;
    },
    schedulesOf: async (merchantId, registrationId, limit) =>
      read.all<ScheduleRow>('schedulesOf', merchantId, registrationId, limit).map(scheduleOf),
    claimSchedules: async ({ now, until, limit, merchants }) => {
      const cells = [now, until, limit] as const;
      const rows = await (merchants.kind === 'only'
        ? writer.rows<ScheduleRow>('claimSchedulesOf', ...cells, merchants.merchantId)
        : writer.rows<ScheduleRow>('claimSchedules', ...cells, JSON.stringify(merchants.merchantIds)));
      return rows.map(scheduleOf).sort(byNextAt);
    },
    misdatedSchedules: async (query) => dueRows<ScheduleRow>(read, 'misdatedSchedules', allowSkew(query)).map(scheduleOf),
    saveSchedule: (...change) => saveSchedule(writer, ...change),
    runs: async (merchantId, scheduleId, limit) => read.all<RunRow>('runs', merchantId, scheduleId, limit).map(runOf),
    nextRunAt: async (merchantId) => read.all<{ readonly number: number }>('nextRunAt', merchantId)[0]?.number ?? null,
  };
}

/** An instant that was taken meanwhile undoes the whole step. */
async function saveSchedule(
  writer: Writer,
  ...[schedule, skipped, event = null]: Parameters<ScheduleStore['saveSchedule']>
): Promise<boolean> {
  checkSchedule(schedule, skipped);
  const { merchantId, id, revision } = schedule;
  const runs = skipped.map((run): WriteStep => ['skipRun', merchantId, id, run.dueAt, run.at, run.skipped, revision]);
  const events = event ? [['addScheduleEvent', ...scheduleEventCells(schedule, event), revision - 1] satisfies WriteStep] : [];
  try {
    return (await write(writer, ...runs, ...events, ['saveSchedule', merchantId, ...ownCellsOf(schedule)])) > 0;
  } catch (error) {
    if (error instanceof BrokenCommit && error.constraint === 'schedule_run_no_replace') return false;
    throw error;
  }
}
