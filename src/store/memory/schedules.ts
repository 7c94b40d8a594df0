import { matchesMerchant, SKEW_MS_MAX } from '../../merchants/merchantFilter.ts';
import type { Payment } from '../../payments/payment.ts';
import type { Schedule, ScheduleChange, ScheduleRun } from '../../payments/schedule.ts';
import type { ScheduleStore } from '../../schedules/ports.ts';
import { BrokenCommit } from '../errors.ts';
import { byNextAt, checkPlan, continuesPlan } from '../tables/schedules.ts';
import { join, type Tables, type WhileOpen } from './tables.ts';

const placeOf = ({ merchantId, id }: Schedule): string => join(merchantId, id);
const newestFirst = (one: Schedule, other: Schedule): number => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1);

/** Plans in memory. */
export function planMethods(tables: Tables, whileOpen: WhileOpen): ScheduleStore {
  const { plans, runs } = tables;
  const all = () => [...plans.values()];
  return {
    schedule: whileOpen((merchantId, planId) => plans.get(join(merchantId, planId))?.plan ?? null),
    schedulesOf: whileOpen((merchantId, registrationId, limit) =>
      all()
        .map(({ plan }) => plan)
        .filter((plan) => plan.merchantId === merchantId && plan.registrationId === registrationId)
        .sort(newestFirst)
        .slice(0, limit),
    ),
    claimSchedules: whileOpen(({ now, until, limit, merchants }) => {
      const isFree = ({ plan, claimedUntil }: { plan: Schedule; claimedUntil: number }) =>
        plan.nextAt !== null &&
        plan.nextAt <= now &&
        (claimedUntil <= now || claimedUntil - SKEW_MS_MAX > until) &&
        matchesMerchant(merchants, plan.merchantId);
      const claimed = all()
        .filter(isFree)
        .map(({ plan }) => plan)
        .sort(byNextAt)
        .slice(0, limit);
      for (const plan of claimed) plans.set(placeOf(plan), { plan, claimedUntil: until });
      return claimed;
    }),
    schedulesFrom: whileOpen(({ nextAt, id }, limit) =>
      all()
        .map(({ plan }) => plan)
        .filter((plan) => plan.nextAt !== null && (plan.nextAt > nextAt || (plan.nextAt === nextAt && plan.id > id)))
        .sort(byNextAt)
        .slice(0, limit),
    ),
    saveSchedule: whileOpen((plan, skipped) => {
      checkPlan(plan, skipped);
      if (isPlanMoved(tables, plan) || skipped.some((run) => isTaken(tables, plan, run.dueAt))) return false;
      if (!continuesStored(tables, plan))
        throw new BrokenCommit(`plan ${plan.id}: the stored plan is not the one that is continued`);
      writePlan(tables, plan, skipped);
      return true;
    }),
    runs: whileOpen((merchantId, planId, limit) =>
      [...(runs.get(join(merchantId, planId))?.values() ?? [])].sort((one, other) => other.dueAt - one.dueAt).slice(0, limit),
    ),
    nextRunAt: whileOpen((merchantId) => {
      const instants = all().flatMap(({ plan }) => (plan.merchantId === merchantId && plan.nextAt !== null ? [plan.nextAt] : []));
      return instants.length > 0 ? instants.reduce((one, other) => Math.min(one, other)) : null;
    }),
  };
}

const isPlanMoved = ({ plans }: Tables, plan: Schedule): boolean =>
  (plans.get(placeOf(plan))?.plan.revision ?? 0) + 1 !== plan.revision;

const isTaken = ({ runs }: Tables, plan: Schedule, dueAt: number): boolean => runs.get(placeOf(plan))?.has(dueAt) === true;

function continuesStored({ plans }: Tables, plan: Schedule): boolean {
  const stored = plans.get(placeOf(plan))?.plan;
  return stored === undefined || continuesPlan(stored, plan);
}

/** A new one is not claimed, and a change ends the claim. */
function writePlan({ plans, runs }: Tables, plan: Schedule, some: readonly ScheduleRun[]): void {
  const at = placeOf(plan);
  plans.set(at, { plan, claimedUntil: Number.NEGATIVE_INFINITY });
  if (some.length > 0) runs.set(at, new Map([...(runs.get(at) ?? []), ...some.map((run) => [run.dueAt, run] as const)]));
}

/** Whether somebody was quicker with the plan of a commit, or with its due instant. */
export const isPlanOvertaken = (tables: Tables, { schedule, dueAt }: ScheduleChange): boolean =>
  isPlanMoved(tables, schedule) || (dueAt !== null && isTaken(tables, schedule, dueAt));

export const isPlanBroken = (tables: Tables, { schedule }: ScheduleChange): boolean => !continuesStored(tables, schedule);

/** The plan of a commit, and the run for which its payment is taken. */
export function writePlanChange(tables: Tables, { schedule, dueAt }: ScheduleChange, payment: Payment): void {
  const run = { scheduleId: schedule.id, dueAt: dueAt ?? 0, at: payment.movedAt, paymentId: payment.id, skipped: null };
  writePlan(tables, schedule, dueAt === null ? [] : [run]);
}
