import { allowSkew, matchesMerchant, SKEW_MS_MAX } from '../../merchants/merchantFilter.ts';
import type { Payment } from '../../payments/payment.ts';
import type { ScheduleChange } from '../../payments/ports.ts';
import type { Schedule, ScheduleRun } from '../../payments/schedule.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { ScheduleStore } from '../../schedules/ports.ts';
import { byMovedAt, byNextAt, checkSchedule } from '../areas/schedules.ts';
import { continuesSchedule } from '../commit/check.ts';
import { join, type Tables, type WhileOpen } from './tables.ts';
import { scheduleEvent, writeEvent } from './webhooks.ts';

const placeOf = ({ merchantId, id }: Schedule): string => join(merchantId, id);
const newestFirst = (one: Schedule, other: Schedule): number => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1);

/** Schedules in memory. */
export function scheduleMethods(tables: Tables, whileOpen: WhileOpen): ScheduleStore {
  const { schedules, runs } = tables;
  const all = () => [...schedules.values()];
  return {
    schedule: whileOpen((merchantId, scheduleId) => schedules.get(join(merchantId, scheduleId))?.schedule ?? null),
    schedulesOf: whileOpen((merchantId, registrationId, limit) =>
      all()
        .map(({ schedule }) => schedule)
        .filter((schedule) => schedule.merchantId === merchantId && schedule.registrationId === registrationId)
        .sort(newestFirst)
        .slice(0, limit),
    ),
    claimSchedules: whileOpen(({ now, until, limit, merchants }) => {
      const isFree = ({ schedule, claimedUntil }: { schedule: Schedule; claimedUntil: number }) =>
        schedule.nextAt !== null &&
        schedule.nextAt <= now &&
        (claimedUntil <= now || claimedUntil - SKEW_MS_MAX > until) &&
        matchesMerchant(merchants, schedule.merchantId);
      const claimed = all()
        .filter(isFree)
        .map(({ schedule }) => schedule)
        .sort(byNextAt)
        .slice(0, limit);
      for (const schedule of claimed) schedules.set(placeOf(schedule), { schedule, claimedUntil: until });
      return claimed;
    }),
    misdatedSchedules: whileOpen((query) => {
      const { now, limit, merchants } = allowSkew(query);
      return all()
        .map(({ schedule }) => schedule)
        .filter(({ charge, movedAt }) => charge !== null && movedAt > now)
        .filter(({ nextAt, merchantId }) => nextAt !== null && nextAt > now && matchesMerchant(merchants, merchantId))
        .sort(byMovedAt)
        .slice(0, limit);
    }),
    saveSchedule: whileOpen((schedule, skipped, event = null) => {
      checkSchedule(schedule, skipped);
      if (isScheduleMoved(tables, schedule) || skipped.some((run) => isTaken(tables, schedule, run.dueAt))) return false;
      if (!continuesStored(tables, schedule))
        throw new BrokenCommit(`schedule ${schedule.id}: the stored schedule is not the one that is continued`);
      writeSchedule(tables, schedule, skipped);
      if (event) writeEvent(tables, scheduleEvent(schedule, event), schedule.movedAt);
      return true;
    }),
    runs: whileOpen((merchantId, scheduleId, limit) =>
      [...(runs.get(join(merchantId, scheduleId))?.values() ?? [])].sort((one, other) => other.dueAt - one.dueAt).slice(0, limit),
    ),
    nextRunAt: whileOpen((merchantId) => {
      const instants = all().flatMap(({ schedule }) =>
        schedule.merchantId === merchantId && schedule.nextAt !== null ? [schedule.nextAt] : [],
      );
      return instants.length > 0 ? instants.reduce((one, other) => Math.min(one, other)) : null;
    }),
  };
}

const isScheduleMoved = ({ schedules }: Tables, schedule: Schedule): boolean =>
  (schedules.get(placeOf(schedule))?.schedule.revision ?? 0) + 1 !== schedule.revision;

const isTaken = ({ runs }: Tables, schedule: Schedule, dueAt: number): boolean =>
  runs.get(placeOf(schedule))?.has(dueAt) === true;

function continuesStored({ schedules }: Tables, schedule: Schedule): boolean {
  const stored = schedules.get(placeOf(schedule))?.schedule;
  return stored === undefined || continuesSchedule(stored, schedule);
}

/** A new one is not claimed, and a change ends the claim. */
function writeSchedule({ schedules, runs }: Tables, schedule: Schedule, some: readonly ScheduleRun[]): void {
  const at = placeOf(schedule);
  schedules.set(at, { schedule, claimedUntil: Number.NEGATIVE_INFINITY });
  if (some.length > 0) runs.set(at, new Map([...(runs.get(at) ?? []), ...some.map((run) => [run.dueAt, run] as const)]));
}

/** Whether another commit was first with the schedule, or with its due instant. */
export const isScheduleOvertaken = (tables: Tables, { schedule, dueAt }: ScheduleChange): boolean =>
  isScheduleMoved(tables, schedule) || (dueAt !== null && isTaken(tables, schedule, dueAt));

export const isScheduleBroken = (tables: Tables, { schedule }: ScheduleChange): boolean => !continuesStored(tables, schedule);

/** The schedule of a commit, and the run for which its payment is taken. */
export function writeScheduleChange(tables: Tables, { schedule, dueAt }: ScheduleChange, payment: Payment): void {
  const run = { scheduleId: schedule.id, dueAt: dueAt ?? 0, at: payment.movedAt, paymentId: payment.id, skipped: null };
  writeSchedule(tables, schedule, dueAt === null ? [] : [run]);
}
