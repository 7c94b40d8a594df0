import { check } from '../form/check.ts';
import { decode } from '../form/decode.ts';
import type { MerchantFilter } from '../merchants/merchantFilter.ts';
import { codeOf } from '../payments/commitPayment.ts';
import { SUCCESS } from '../payments/lifecycle.ts';
import { isOpen, type Payment } from '../payments/payment.ts';
import type { NewOutboxEvent, World } from '../payments/ports.ts';
import type { Schedule } from '../payments/schedule.ts';
import { chargeSchedule } from '../payments/take.ts';
import { refusalOfUse } from '../registrations/moves.ts';
import { instantText } from '../spec/formats/dates.ts';
import { resultCodes } from '../spec/resultCodes.ts';
import {
  afterCharge,
  afterSkip,
  catchUp,
  type DueRun,
  reviseSchedule,
  type ScheduleService,
  saveSchedule,
  skippedRun,
} from './change.ts';
import { policyOf, type Retry, type RetryStop, retryAfter } from './retry.ts';
import { chargeOf, timetableOf } from './scheduleRequest.ts';

/** Other nodes leave a claimed schedule alone for so long. */
const CLAIM_MS = 60_000;
/** Steps of one schedule in a run: after a long outage it is immediately due again, but other schedules must get their turn. */
const STEPS_MAX = 4;

/** `looked`: schedules with something due; `runs`: charges taken, retries among them, and runs that were skipped. */
type RunSummary = { readonly looked: number; readonly runs: number; readonly failed: number };

/** Schedules that are run concurrently. */
const AT_ONCE = 64;

/** Runs due schedules: takes charges, retries declined ones and checks the outcome of open ones. */
export async function runDue(
  service: ScheduleService,
  { limit, merchants }: { readonly limit: number; readonly merchants: MerchantFilter },
): Promise<RunSummary> {
  const now = service.world.clock.now();
  const schedules = await service.store.claimSchedules({ now, until: now + CLAIM_MS, limit, merchants });
  let [runs, failed] = [0, 0];
  const queue = [...schedules];
  const work = async (): Promise<void> => {
    for (let schedule = queue.shift(); schedule; schedule = queue.shift()) {
      try {
        runs += await runSchedule(service, schedule);
      } catch (error) {
        failed += 1;
        service.world.alarm('a schedule could not be run', { scheduleId: schedule.id, why: String(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, schedules.length) }, work));
  return { looked: schedules.length, runs, failed };
}

/** Misdated schedules that one run reads. */
const PAGE = 500;

/**
 * Corrects dates that a node clock ahead of time has set: open charges are checked now, and a retry keeps its distance. Regular runs have
 * dates of their own. Returns the number of misdated schedules.
 */
export async function correctMisdatedSchedules(
  service: ScheduleService,
  { merchants, rest }: { readonly merchants: MerchantFilter; readonly rest: () => Promise<void> },
): Promise<number> {
  const now = service.world.clock.now();
  for (let count = 0; ; await rest()) {
    const page = await service.store.misdatedSchedules({ now, limit: PAGE, merchants });
    let corrected = 0;
    for (const schedule of page) if (await correctDates(service, schedule, now)) corrected += 1;
    count += page.length;
    // A corrected schedule is not found again. A page of which none was corrected would come back for ever.
    if (page.length < PAGE || corrected === 0) return count;
  }
}

function correctDates(service: ScheduleService, schedule: Schedule, now: number): Promise<Schedule | null> {
  const { charge } = schedule;
  if (charge === null || charge.againAt === null) return checkCharge(service, schedule, now);
  return saveSchedule(
    service,
    reviseSchedule(schedule, { charge: { ...charge, againAt: charge.againAt - (schedule.movedAt - now) } }, now),
  );
}

/** Takes the due steps of a schedule; returns the number of runs. Checking the outcome of a charge is no run. */
async function runSchedule(service: ScheduleService, due: Schedule): Promise<number> {
  let [schedule, runs]: [Schedule | null, number] = [due, 0];
  for (let steps = 0; steps < STEPS_MAX && schedule; steps += 1) {
    const now = service.world.clock.now();
    if (schedule.nextAt === null || schedule.nextAt > now) break;
    const isRun = isRunDue(schedule, now);
    schedule = await step(service, schedule, now);
    if (isRun && schedule !== null) runs += 1;
  }
  return runs;
}

/** Whether the due step takes a charge, again or for the first time. */
const isRunDue = ({ charge, regularAt }: Schedule, now: number): boolean => {
  const isChecked = charge !== null && charge.againAt === null;
  return !isChecked && [charge?.againAt, regularAt].some((at) => at != null && at <= now);
};

/** One due step; null when another node was faster. */
async function step(service: ScheduleService, schedule: Schedule, now: number): Promise<Schedule | null> {
  const { charge, regularAt } = schedule;
  const timetable = timetableOf(schedule, service.world.channel(schedule.entityId)?.timeZone ?? 'UTC');
  if (charge && charge.againAt === null) return checkCharge(service, schedule, now);
  if (charge?.againAt && charge.againAt <= now) return take(service, schedule, { dueAt: charge.againAt, now, timetable });
  if (regularAt === null || regularAt > now) return saveSchedule(service, reviseSchedule(schedule, {}, now));
  const current = await catchUp(service, schedule, { now, timetable });
  return current?.regularAt ? take(service, current, { dueAt: current.regularAt, now, timetable }) : current;
}

/** Checks the outcome of a charge. */
async function checkCharge(service: ScheduleService, schedule: Schedule, now: number): Promise<Schedule | null> {
  const { charge, regularAt } = schedule;
  const payment = charge && (await service.world.store.payment(schedule.merchantId, charge.paymentId));
  // The next regular run does not wait for an open charge.
  const isLate = regularAt !== null && regularAt <= now;
  if (payment && isOpen(payment) && !isLate) return saveSchedule(service, reviseSchedule(schedule, {}, now));
  const outcome = payment && !isLate ? afterOutcome(service, schedule, { payment, now }) : null;
  const after = outcome?.after ?? reviseSchedule(schedule, { charge: null }, now);
  return saveSchedule(
    service,
    after,
    [],
    eventOfChange(service.world, { before: schedule, after, report: outcome?.report ?? null }),
  );
}

type ChargeResult = { readonly after: Schedule; readonly report: ScheduleReport | null };

/** The schedule after the outcome of its charge: with a retry, or without the charge. */
function afterOutcome(
  service: ScheduleService,
  schedule: Schedule,
  { payment, now }: { readonly payment: Payment; readonly now: number },
): ChargeResult {
  const { charge, regularAt, state } = schedule;
  if (!charge || state !== 'active') return { after: reviseSchedule(schedule, { charge: null }, now), report: null };
  const retry = retryAfter(
    {
      code: codeOf(payment),
      adviceCode: payment.details.resultDetails?.MerchantAdviceCode ?? null,
      tries: charge.tries,
      firstTriedAt: charge.firstTriedAt,
      now,
      nextRegularAt: regularAt,
    },
    policyOf(service.world.channel(schedule.entityId)?.schedules ?? {}),
  );
  // The cardholder has withdrawn the mandate: no further charge is allowed, next month either.
  const isCancelled = retry.is === 'stop' && retry.why === 'recurring cancelled';
  const next = retry.is === 'retry' ? { ...charge, againAt: retry.at } : null;
  return {
    after: reviseSchedule(schedule, isCancelled ? { state: 'over' } : { charge: next }, now),
    report: reportOnCharge(schedule, payment, retry),
  };
}

/** Takes the payment of one run, or records why it was skipped. */
async function take(service: ScheduleService, schedule: Schedule, due: DueRun): Promise<Schedule | null> {
  const { world, environment } = service;
  const channel = world.channel(schedule.entityId);
  const registered = await world.store.registration(schedule.merchantId, schedule.registrationId);
  const skipRun = (why: string, change = afterSkip(schedule, due.timetable, due)) => {
    const report = { change: 'RUN_SKIPPED', reason: why, dueAt: due.dueAt } as const;
    const event = eventOfChange(world, { before: schedule, after: change, report });
    return saveSchedule(service, change, [skippedRun(schedule, due, why)], event);
  };
  if (!registered || registered.registration.state === 'deleted')
    return skipRun('the registration no longer exists', reviseSchedule(schedule, { state: 'over' }, due.now));
  const refusal = refusalOfUse[registered.registration.state];
  if (refusal !== null) return skipRun(`the registration cannot be charged (${refusal})`);
  if (channel?.state !== 'active') return skipRun('the channel takes no payments');
  const request = decode(new URLSearchParams(chargeOf(schedule)).toString());
  const checked = check(request, { endpoint: 'payRegistered', isLenient: channel.isLenient, source: 'server', environment });
  if (checked.is === 'faulty') return skipRun(`the request of the charge is no longer valid (${checked.faults[0]?.name})`);
  const change = { schedule: afterCharge(schedule, due.timetable, due), dueAt: due.dueAt, event: null };
  const performed = await chargeSchedule(world, {
    channel,
    environment,
    checked,
    idempotencyKey: null,
    referencedId: null,
    registrationId: schedule.registrationId,
    schedule: change,
  });
  if (performed.is === 'overtaken') return null;
  if (performed.is !== 'payment') return skipRun('the charge was refused');
  return planRetry(service, change.schedule, { payment: performed.payment, now: due.now });
}

/** Schedules the retry of a declined charge immediately. After a crash before that, `checkCharge` does it. */
async function planRetry(
  service: ScheduleService,
  schedule: Schedule,
  { payment, now }: { readonly payment: Payment; readonly now: number },
): Promise<Schedule | null> {
  const known = schedule.charge && { ...schedule, charge: { ...schedule.charge, paymentId: payment.id } };
  if (!known || isOpen(payment)) return known;
  const { after, report } = afterOutcome(service, known, { payment, now });
  if (!after.charge && after.state !== 'over' && report === null) return known;
  return saveSchedule(service, after, [], eventOfChange(service.world, { before: known, after, report }));
}

/** Changes that the gateway itself made to a schedule, and their reasons. */
type ScheduleReport = {
  readonly change: 'RETRY_PLANNED' | 'RUN_GIVEN_UP' | 'RUN_SKIPPED';
  readonly reason: string;
  /** The declined charge. */
  readonly payment?: Payment;
  /** The regular instant of the run, and the number of the attempt. */
  readonly dueAt?: number;
  readonly attempt?: number;
};

const stopReasons: Readonly<Record<RetryStop, string | null>> = {
  'not declined': null,
  'outcome open': null,
  'new data needed': 'the issuer needs other payment details',
  never: 'the issuer has declined for good',
  'token required': 'the issuer requires a network token',
  'recurring cancelled': 'the cardholder has cancelled recurring payments',
  'no instalments': 'the issuer allows no instalments',
  'set-up wrong': 'the set-up of the channel is wrong',
  'tries used up': 'all retries are used up',
  'time used up': 'the time for retries is over',
  'next run is sooner': 'the next run comes before a retry',
};

/** The report about a charge that was declined; null: it was not. */
function reportOnCharge({ charge }: Schedule, payment: Payment, retry: Retry): ScheduleReport | null {
  const run = { payment, ...(charge && { dueAt: charge.dueAt, attempt: charge.tries }) };
  if (retry.is === 'retry') return { ...run, change: 'RETRY_PLANNED', reason: resultCodes[codeOf(payment)].text };
  const reason = stopReasons[retry.why];
  return reason === null ? null : { ...run, change: 'RUN_GIVEN_UP', reason };
}

/** The event of a change that the gateway made by itself; null: the merchant can see nothing of it. */
function eventOfChange(
  { ids }: Pick<World, 'ids'>,
  { before, after, report }: { readonly before: Schedule; readonly after: Schedule; readonly report: ScheduleReport | null },
): NewOutboxEvent | null {
  const hasEnded = after.state === 'over' && before.state !== 'over';
  if (!hasEnded && report === null) return null;
  const { change, reason, payment, dueAt, attempt } = report ?? { change: 'ENDED', reason: 'no further run is due' };
  const againAt = after.charge?.againAt ?? null;
  return {
    id: ids.next(),
    type: 'SCHEDULE',
    action: null,
    code: SUCCESS[after.mode],
    detail: {
      id: after.id,
      change: hasEnded ? 'ENDED' : change,
      reason,
      state: after.state,
      ...(payment && { paymentId: payment.id, resultCode: codeOf(payment) }),
      ...(dueAt !== undefined && { dueAt: instantText(dueAt) }),
      ...(attempt !== undefined && { attempt: String(attempt) }),
      ...(againAt !== null && { nextAttemptAt: instantText(againAt) }),
      ...(after.regularAt !== null && { nextRunAt: instantText(after.regularAt) }),
    },
  };
}
