import type { Checked, Fault } from '../form/checked.ts';
import type { Channel } from '../merchants/channel.ts';
import { amountOf } from '../money/amount.ts';
import { registrationTransaction } from '../payments/changeRegistration.ts';
import { commitPayment } from '../payments/commitPayment.ts';
import { openRegistration } from '../payments/instrument.ts';
import { type Environment, orderOf } from '../payments/order.ts';
import { eventFor } from '../payments/outboxEvent.ts';
import type { Payment } from '../payments/payment.ts';
import type { IdempotencyKey, World } from '../payments/ports.ts';
import type { Refusal } from '../payments/refusal.ts';
import type { Schedule } from '../payments/schedule.ts';
import { replay } from '../payments/take.ts';
import type { ScheduleType } from '../spec/paymentTypes.ts';
import type { ResultCode } from '../spec/resultCodes.ts';
import { catchUp } from './catchUp.ts';
import type { JobFault } from './fault.ts';
import type { ScheduleStore } from './ports.ts';
import { jobOf, mergeFields, scheduleRequestOf, timetableOf } from './scheduleRequest.ts';
import { nextDue, readTimetable, type Timetable } from './timetable.ts';
import { afterCancellation, reviseSchedule } from './transitions.ts';

/** Everything the schedules room lives in. */
export type ScheduleService = { readonly world: World; readonly store: ScheduleStore; readonly environment: Environment };

/** What is asked for, by a channel that will take the charges. */
export type ScheduleRequest = {
  readonly channel: Channel;
  readonly checked: Checked;
  readonly idempotencyKey: IdempotencyKey | null;
};

export type ScheduleOutcome =
  | { readonly is: 'done'; readonly payment: Payment; readonly schedule: Schedule }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  | { readonly is: 'faulty'; readonly code: ResultCode; readonly faults: readonly Fault[] }
  | { readonly is: 'otherBody' };

type Kept = ScheduleOutcome | { readonly is: 'moved' };

const TRIES_MAX = 64;

/** Decides anew on what a plan has become, until nobody was quicker. */
async function settled(attempt: () => Promise<Kept>): Promise<ScheduleOutcome> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const kept = await attempt();
    if (kept.is !== 'moved') return kept;
  }
  throw new Error('a plan did not hold still');
}

/** Makes a plan (SD) that charges stored details. */
export const schedule = (service: ScheduleService, request: ScheduleRequest): Promise<ScheduleOutcome> =>
  settled(() => wish(service, request, { earlier: null, now: service.world.clock.now() }));

/** Puts other wishes in the place of those of a plan (RS); what is not said stays. */
export const reschedule = (service: ScheduleService, request: ScheduleRequest, transactionId: string): Promise<ScheduleOutcome> =>
  settled(async () => {
    const plan = await loadSchedule(service, request.channel.merchantId, transactionId);
    if (plan?.state !== 'active') return refused(service, request, '100.360.300');
    const timetable = timetableOf(plan, service.world.channel(plan.entityId)?.timeZone ?? request.channel.timeZone);
    // What has passed by the earlier wishes is written down before they are gone.
    const now = service.world.clock.now();
    const caught = await catchUp(service, plan, { now, timetable });
    return caught === plan ? wish(service, request, { earlier: plan, now }) : { is: 'moved' };
  });

/** Ends a plan (DS), at once or when its notice allows. */
export const deschedule = (service: ScheduleService, request: ScheduleRequest, transactionId: string): Promise<ScheduleOutcome> =>
  settled(async () => {
    const plan = await loadSchedule(service, request.channel.merchantId, transactionId);
    if (plan?.state !== 'active') return refused(service, request, '100.360.303');
    const zone = service.world.channel(plan.entityId)?.timeZone ?? request.channel.timeZone;
    const changed = afterCancellation(plan, timetableOf(plan, zone), service.world.clock.now());
    return keep(service, request, { type: 'DS', plan: changed, earlier: plan });
  });

/** The plan that a transaction made, changed or ended. */
export async function loadSchedule(
  { world, store }: Pick<ScheduleService, 'world' | 'store'>,
  merchantId: string,
  transactionId: string,
): Promise<Schedule | null> {
  const made = await world.store.payment(merchantId, transactionId);
  return made && store.schedule(merchantId, made.familyId);
}

/** Everything is decided as of one instant: what becomes due while the store is asked is due by the new wishes. */
type Moment = { readonly earlier: Schedule | null; readonly now: number };

async function wish(service: ScheduleService, request: ScheduleRequest, { earlier, now }: Moment): Promise<Kept> {
  const { world, environment } = service;
  const { channel, checked } = request;
  const registrationId = checked.text('registrationId') ?? earlier?.registrationId ?? '';
  const stored = await openRegistration(world, channel.merchantId, registrationId);
  if (stored.refusal !== null) return refused(service, request, stored.refusal);
  const order = orderOf(checked, { channel, environment, referencedId: null, stored });
  if ('faults' in order) return { is: 'faulty', code: '200.300.404', faults: order.faults };
  if (order.isTestInLive) return refused(service, request, '600.200.701');
  const fields = mergeFields(earlier?.fields ?? {}, scheduleRequestOf(checked, order));
  const reading = { zone: channel.timeZone, createdAt: now, allowsSubMinute: environment === 'test' };
  const timetable = readTimetable(jobOf(fields), reading);
  if ('faults' in timetable) return faulty(timetable.faults, fields);
  const { merchantId, entityId, mode } = order;
  const regularAt = earlier ? await nextAfterChange(service, earlier, { now, timetable }) : nextDue(timetable, now);
  const asked = { entityId, registrationId, mode, fields, since: now, regularAt, charge: null };
  const start: Schedule = earlier ?? {
    ...{ ...asked, id: '', transactionId: '', merchantId, state: 'active', endsAt: null, nextAt: null },
    ...{ createdAt: now, movedAt: now, revision: 0 },
  };
  return keep(service, request, { type: earlier ? 'RS' : 'SD', plan: reviseSchedule(start, asked, now), earlier });
}

/**
 * What was due before the change is still charged, by the new wishes. No instant that was done by a clock ahead of ours comes again: it
 * could not be written down a second time, and the plan would wait for it for ever.
 */
async function nextAfterChange(
  { store }: ScheduleService,
  { regularAt, merchantId, id }: Schedule,
  { now, timetable }: { readonly now: number; readonly timetable: Timetable },
): Promise<number | null> {
  if (regularAt !== null && regularAt <= now) return regularAt;
  const [newest] = await store.runs(merchantId, id, 1);
  return nextDue(timetable, Math.max(now, newest?.dueAt ?? now));
}

function faulty(faults: readonly JobFault[], fields: Schedule['fields']): ScheduleOutcome {
  const told = faults.map(({ field, message }) => ({ name: field, value: fields[field] ?? null, message }));
  return { is: 'faulty', code: faults[0]?.code ?? '100.250.250', faults: told };
}

type Change = { readonly type: ScheduleType; readonly plan: Schedule; readonly earlier: Schedule | null };

/** Commits the plan with the transaction that makes, changes or ends it. */
async function keep(service: ScheduleService, request: ScheduleRequest, change: Change): Promise<Kept> {
  const { store } = service.world;
  const { type, earlier } = change;
  const { merchantId, registrationId } = change.plan;
  const [family, registered] = await Promise.all([
    earlier && store.family(merchantId, earlier.id),
    store.registration(merchantId, registrationId),
  ]);
  if (!registered) throw new Error(`the stored details ${registrationId} of a plan are not there`);
  const { registration } = registered;
  const { channel, idempotencyKey } = request;
  const bare = registrationTransaction(service.world, registration, { type, entityId: channel.entityId, mode: change.plan.mode });
  const plan = type === 'DS' ? change.plan : { ...change.plan, id: earlier?.id ?? bare.id, transactionId: bare.id };
  const payment = withWish(bare, plan, channel);
  const outcome = await commitPayment(service.world, {
    payment,
    version: family?.version ?? 0,
    idempotencyKey,
    event: eventFor(service.world, payment),
    schedule: { schedule: plan, dueAt: null },
  });
  if (outcome.is === 'claimed') return refused(service, request, '100.360.300');
  return outcome.is === 'kept' ? { is: 'done', payment, schedule: plan } : { is: 'moved' };
}

/** What a transaction about a plan tells of it. */
function withWish(bare: Payment, { id, fields }: Schedule, { name }: Channel): Payment {
  const { amount = '', currency, descriptor, merchantTransactionId, paymentType: _, testMode: __, ...echoed } = fields;
  return {
    ...bare,
    familyId: id,
    referencedId: id === bare.id ? null : id,
    amount: amountOf(amount) ?? 0n,
    currency: currency ?? bare.currency,
    descriptor: descriptor ?? `${bare.shortId} ${name}`,
    merchantTransactionId: merchantTransactionId ?? null,
    fields: echoed,
  };
}

/** A retry of what was done already hears of it again, not that it cannot be done twice. */
async function refused({ world, store }: ScheduleService, request: ScheduleRequest, refusal: Refusal): Promise<ScheduleOutcome> {
  const { idempotencyKey, channel } = request;
  const known =
    idempotencyKey && (await world.store.idempotencyKey(channel.merchantId, idempotencyKey.entityId, idempotencyKey.key));
  if (!idempotencyKey || !known) return { is: 'refused', refusal };
  const taken = await replay(world, channel, { ...known, bodySent: idempotencyKey.bodyHash });
  if (taken.is !== 'replayed') return { is: 'otherBody' };
  const plan = await store.schedule(channel.merchantId, taken.payment.familyId);
  return plan ? { is: 'done', payment: taken.payment, schedule: plan } : { is: 'refused', refusal };
}
