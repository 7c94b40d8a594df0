import { check } from '../form/check.ts';
import { decode } from '../form/decode.ts';
import { type MerchantFilter, matchesMerchant, SKEW_MS_MAX } from '../merchants/merchantFilter.ts';
import { codeOf } from '../payments/outboxEvent.ts';
import { isMisdated, isOpen, type Payment } from '../payments/payment.ts';
import { chargeSchedule } from '../payments/perform.ts';
import type { Schedule } from '../payments/schedule.ts';
import { refusalOfUse } from '../registrations/moves.ts';
import { catchUp, type DueRun, saveSchedule, skippedRun } from './catchUp.ts';
import type { ScheduleService } from './change.ts';
import { retryAfter } from './retry.ts';
import { chargeOf, timetableOf } from './scheduleRequest.ts';
import { policyOf } from './settings.ts';
import { afterCharge, afterSkip, reviseSchedule } from './transitions.ts';

/** Whoever has claimed a plan has so long before others look at it. */
const CLAIM_MS = 60_000;
/** A plan that is due again at once, as after a long standstill, gets so many turns before others. */
const TURNS_MAX = 4;

export type RunSummary = { readonly looked: number; readonly failed: number };

/** How many plans are worked on side by side. */
const AT_ONCE = 64;

/** Does what plans have due: charges, tries again what was declined, and looks what became of charges. */
export async function runDue(
  service: ScheduleService,
  { limit, merchants }: { readonly limit: number; readonly merchants: MerchantFilter },
): Promise<RunSummary> {
  const now = service.world.clock.now();
  const plans = await service.store.claimSchedules({ now, until: now + CLAIM_MS, limit, merchants });
  let failed = 0;
  const queue = [...plans];
  const work = async (): Promise<void> => {
    for (let plan = queue.shift(); plan; plan = queue.shift()) {
      await runPlan(service, plan).catch((error: unknown) => {
        failed += 1;
        service.world.alarm('a plan could not be run', { planId: plan?.id ?? '', why: String(error) });
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, plans.length) }, work));
  return { looked: plans.length, failed };
}

/** Plans that are read at once while those of a clock that was ahead are looked for. */
const PAGE = 500;

/**
 * Puts right what a clock that was put back since has dated: it is looked now what became of a charge, and another try comes as soon as
 * it was meant to. Regular runs have instants of their own. Goes through all plans page by page, because few are ever meant; answers how
 * many.
 */
export async function correctMisdatedSchedules(
  service: ScheduleService,
  { merchants, rest }: { readonly merchants: MerchantFilter; readonly rest: () => Promise<void> },
): Promise<number> {
  const now = service.world.clock.now();
  let count = 0;
  for (let place = { nextAt: now + SKEW_MS_MAX, id: '' }; ; ) {
    const page = await service.store.schedulesFrom(place, PAGE);
    for (const plan of page) {
      if (plan.charge === null || !isMisdated(plan, now) || !matchesMerchant(merchants, plan.merchantId)) continue;
      await redated(service, plan, now);
      count += 1;
    }
    const last = page.at(-1);
    if (page.length < PAGE || last === undefined || last.nextAt === null) return count;
    place = { nextAt: last.nextAt, id: last.id };
    await rest();
  }
}

function redated(service: ScheduleService, plan: Schedule, now: number): Promise<Schedule | null> {
  const { charge } = plan;
  if (charge === null || charge.againAt === null) return look(service, plan, now);
  return saveSchedule(
    service,
    reviseSchedule(plan, { charge: { ...charge, againAt: charge.againAt - (plan.movedAt - now) } }, now),
  );
}

async function runPlan(service: ScheduleService, due: Schedule): Promise<void> {
  let plan: Schedule | null = due;
  for (let turn = 0; turn < TURNS_MAX && plan; turn += 1) {
    const now = service.world.clock.now();
    if (plan.nextAt === null || plan.nextAt > now) return;
    plan = await step(service, plan, now);
  }
}

/** One thing that is due; null when somebody else was faster. */
async function step(service: ScheduleService, plan: Schedule, now: number): Promise<Schedule | null> {
  const { charge, regularAt } = plan;
  const timetable = timetableOf(plan, service.world.channel(plan.entityId)?.timeZone ?? 'UTC');
  if (charge && charge.againAt === null) return look(service, plan, now);
  if (charge?.againAt && charge.againAt <= now) return take(service, plan, { dueAt: charge.againAt, now, timetable });
  if (regularAt === null || regularAt > now) return saveSchedule(service, reviseSchedule(plan, {}, now));
  const caught = await catchUp(service, plan, { now, timetable });
  return caught?.regularAt ? take(service, caught, { dueAt: caught.regularAt, now, timetable }) : caught;
}

/** What became of a charge. */
async function look(service: ScheduleService, plan: Schedule, now: number): Promise<Schedule | null> {
  const { charge, regularAt } = plan;
  const payment = charge && (await service.world.store.payment(plan.merchantId, charge.paymentId));
  // The next regular run does not wait for it.
  const isLate = regularAt !== null && regularAt <= now;
  if (payment && isOpen(payment) && !isLate) return saveSchedule(service, reviseSchedule(plan, {}, now));
  return saveSchedule(
    service,
    payment && !isLate ? settled(service, plan, { payment, now }) : reviseSchedule(plan, { charge: null }, now),
  );
}

/** The plan once its charge has an outcome: to be tried again, or done with. */
function settled(
  service: ScheduleService,
  plan: Schedule,
  { payment, now }: { readonly payment: Payment; readonly now: number },
): Schedule {
  const { charge, regularAt, state } = plan;
  if (!charge || state !== 'active') return reviseSchedule(plan, { charge: null }, now);
  const retry = retryAfter(
    {
      code: codeOf(payment),
      adviceCode: payment.details.resultDetails?.MerchantAdviceCode ?? null,
      tries: charge.tries,
      firstTriedAt: charge.firstTriedAt,
      now,
      nextRegularAt: regularAt,
    },
    policyOf(service.world.channel(plan.entityId)?.schedules ?? {}),
  );
  // The cardholder has taken back his word: to ask again would be against it, next month too.
  if (retry.is === 'stop' && retry.why === 'recurring cancelled') return reviseSchedule(plan, { state: 'over' }, now);
  return reviseSchedule(plan, { charge: retry.is === 'retry' ? { ...charge, againAt: retry.at } : null }, now);
}

/** Takes the payment for one instant, or writes down why not. */
async function take(service: ScheduleService, plan: Schedule, due: DueRun): Promise<Schedule | null> {
  const { world, environment } = service;
  const channel = world.channel(plan.entityId);
  const registered = await world.store.registration(plan.merchantId, plan.registrationId);
  const leave = (why: string, change = afterSkip(plan, due.timetable, due)) =>
    saveSchedule(service, change, [skippedRun(plan, due, why)]);
  if (!registered || registered.registration.state === 'deleted')
    return leave('the stored details are gone', reviseSchedule(plan, { state: 'over' }, due.now));
  const refusal = refusalOfUse[registered.registration.state];
  if (refusal !== null) return leave(`the stored details cannot be charged (${refusal})`);
  if (channel?.state !== 'active') return leave('the channel takes no payments');
  const request = decode(new URLSearchParams(chargeOf(plan)).toString());
  const checked = check(request, { endpoint: 'payRegistered', isLenient: channel.isLenient, source: 'server', environment });
  if ('faults' in checked) return leave(`what is to be charged is not valid any more (${checked.faults[0]?.name})`);
  const change = { schedule: afterCharge(plan, due.timetable, due), dueAt: due.dueAt };
  const performed = await chargeSchedule(world, {
    channel,
    environment,
    checked,
    idempotencyKey: null,
    referencedId: null,
    registrationId: plan.registrationId,
    schedule: change,
  });
  if (performed.is === 'overtaken') return null;
  if (performed.is !== 'payment') return leave('what is to be charged was refused');
  return afterwards(service, change.schedule, { payment: performed.payment, now: due.now });
}

/** An approval needs nothing more; what was declined is planned again at once. Whoever dies before it is looked after by `look`. */
async function afterwards(
  service: ScheduleService,
  plan: Schedule,
  { payment, now }: { readonly payment: Payment; readonly now: number },
): Promise<Schedule | null> {
  const known = plan.charge && { ...plan, charge: { ...plan.charge, paymentId: payment.id } };
  if (!known || isOpen(payment)) return known;
  const after = settled(service, known, { payment, now });
  return after.charge || after.state === 'over' ? saveSchedule(service, after) : known;
}
