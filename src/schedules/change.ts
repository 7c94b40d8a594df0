import { check } from '../form/check.ts';
import type { Checked, Fault } from '../form/checked.ts';
import { decode } from '../form/decode.ts';
import type { Channel } from '../merchants/channel.ts';
import { amountOf } from '../money/amount.ts';
import { commitPayment, scheduleEventFor } from '../payments/commitPayment.ts';
import { refusalOfAmount } from '../payments/decide.ts';
import { openRegistration } from '../payments/instrument.ts';
import { type Environment, type OpenedRegistration, orderOf, type Refusal } from '../payments/order.ts';
import type { Payment } from '../payments/payment.ts';
import type { IdempotencyKey, NewOutboxEvent, World } from '../payments/ports.ts';
import { registrationTransaction } from '../payments/registration/changeRegistration.ts';
import type { Schedule, ScheduleCharge } from '../payments/schedule.ts';
import { instructionForScheme } from '../payments/series.ts';
import { replay } from '../payments/take.ts';
import type { ScheduleType } from '../spec/paymentTypes.ts';
import type { ResultCode } from '../spec/resultCodes.ts';
import { MINUTE_MS } from '../spec/time.ts';
import type { JobFault } from './fault.ts';
import { endAfterCancellation } from './period.ts';
import type { ScheduleStore, SkippedRun } from './ports.ts';
import { chargeOf, jobOf, mergeFields, scheduleRequestOf, timetableOf } from './scheduleRequest.ts';
import { nextDue, readTimetable, type Timetable } from './timetable.ts';

/** The outcome of an open charge is checked again after this time. */
const CHECK_MS = 5 * MINUTE_MS;

/** The schedule after a change, with the time of its next step. */
export function reviseSchedule(schedule: Schedule, change: Partial<Schedule>, now: number): Schedule {
  const { regularAt, charge, state } = { ...schedule, ...change };
  const chargeAt = charge && (charge.againAt ?? now + CHECK_MS);
  const soonest = Math.min(regularAt ?? Number.POSITIVE_INFINITY, chargeAt ?? Number.POSITIVE_INFINITY);
  const isOver = state === 'over' || soonest === Number.POSITIVE_INFINITY;
  return {
    ...schedule,
    ...change,
    ...(isOver ? { state: 'over', regularAt: null, charge: null, nextAt: null } : { nextAt: soonest }),
    movedAt: now,
    revision: schedule.revision + 1,
  };
}

const isRetry = ({ charge }: Schedule, dueAt: number): boolean => charge !== null && charge.againAt === dueAt;

/**
 * The regular run after the instant. A retry leaves it as it is: its own date says nothing about the timetable, and a clock that was
 * corrected may have put it before runs that are done.
 */
const regularAfter = (schedule: Schedule, timetable: Timetable, dueAt: number): number | null =>
  isRetry(schedule, dueAt) ? schedule.regularAt : nextDue(timetable, dueAt, schedule.endsAt ?? undefined);

/** The schedule after a charge was taken for the instant. */
export function afterCharge(
  schedule: Schedule,
  timetable: Timetable,
  run: { readonly dueAt: number; readonly now: number },
): Schedule {
  const { dueAt, now } = run;
  const before: Pick<ScheduleCharge, 'dueAt' | 'tries' | 'firstTriedAt'> =
    isRetry(schedule, dueAt) && schedule.charge ? schedule.charge : { dueAt, tries: 0, firstTriedAt: now };
  return reviseSchedule(
    schedule,
    {
      regularAt: regularAfter(schedule, timetable, dueAt),
      // The commit adds the id of the payment.
      charge: { ...before, paymentId: '', tries: before.tries + 1, againAt: null },
    },
    now,
  );
}

/** The schedule after a run, or the retry of one, was skipped. */
export const afterSkip = (
  schedule: Schedule,
  timetable: Timetable,
  run: { readonly dueAt: number; readonly now: number },
): Schedule => reviseSchedule(schedule, { regularAt: regularAfter(schedule, timetable, run.dueAt), charge: null }, run.now);

/**
 * The schedule after a cancellation. Inside the notice period it goes on until it may end. Runs that are due before that are still charged;
 * declined charges are not retried.
 */
function afterCancellation(schedule: Schedule, timetable: Timetable, now: number): Schedule {
  const endsAt = Math.min(endAfterCancellation(timetable.period, now), schedule.endsAt ?? Number.POSITIVE_INFINITY);
  const regularAt = schedule.regularAt !== null && schedule.regularAt < endsAt ? schedule.regularAt : null;
  return reviseSchedule(schedule, { state: regularAt === null ? 'over' : 'ending', endsAt, regularAt, charge: null }, now);
}

/** The ports of the schedules module. */
export type ScheduleService = { readonly world: World; readonly store: ScheduleStore; readonly environment: Environment };

/** A checked request, and the channel of the charges. */
type ScheduleRequest = {
  readonly channel: Channel;
  readonly checked: Checked;
  readonly idempotencyKey: IdempotencyKey | null;
};

export type ScheduleOutcome =
  | { readonly is: 'done'; readonly payment: Payment; readonly schedule: Schedule; readonly isReplayed?: true }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  | { readonly is: 'faulty'; readonly code: ResultCode; readonly faults: readonly Fault[] }
  | { readonly is: 'otherBody' };

type AttemptOutcome = ScheduleOutcome | { readonly is: 'moved' };

const ATTEMPTS_MAX = 64;

/** Repeats an attempt on the new state after every concurrent change. */
async function untilSaved(attempt: () => Promise<AttemptOutcome>): Promise<ScheduleOutcome> {
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
    const outcome = await attempt();
    if (outcome.is !== 'moved') return outcome;
  }
  throw new Error('the schedule changed too often to be saved');
}

/** Creates a schedule (SD) that charges a registration. */
export const createSchedule = (service: ScheduleService, request: ScheduleRequest): Promise<ScheduleOutcome> =>
  untilSaved(() => applyRequest(service, request, { earlier: null, now: service.world.clock.now() }));

/** Changes a schedule (RS). Fields that are not sent stay. */
export const changeSchedule = (
  service: ScheduleService,
  request: ScheduleRequest,
  transactionId: string,
): Promise<ScheduleOutcome> =>
  untilSaved(async () => {
    const schedule = await loadSchedule(service, request.channel.merchantId, transactionId);
    if (schedule?.state !== 'active') return refused(service, request, '100.360.300');
    const timetable = timetableOf(schedule, service.world.channel(schedule.entityId)?.timeZone ?? request.channel.timeZone);
    // Runs missed under the earlier fields are recorded before the fields change.
    const now = instantOfChange(service, schedule);
    const caught = await catchUp(service, schedule, { now, timetable });
    return caught === schedule ? applyRequest(service, request, { earlier: schedule, now }) : { is: 'moved' };
  });

/** Ends a schedule (DS), immediately or when its notice period allows. */
export const endSchedule = (
  service: ScheduleService,
  request: ScheduleRequest,
  transactionId: string,
): Promise<ScheduleOutcome> =>
  untilSaved(async () => {
    const schedule = await loadSchedule(service, request.channel.merchantId, transactionId);
    if (schedule?.state !== 'active') return refused(service, request, '100.360.303');
    const zone = service.world.channel(schedule.entityId)?.timeZone ?? request.channel.timeZone;
    const changed = afterCancellation(schedule, timetableOf(schedule, zone), instantOfChange(service, schedule));
    return save(service, request, { type: 'DS', schedule: changed, earlier: schedule });
  });

/**
 * A change or an end is never earlier than the change before it: a clock that is behind would forget runs that were due between the two.
 */
const instantOfChange = ({ world }: ScheduleService, { since }: Schedule): number => Math.max(world.clock.now(), since);

/** The schedule that a transaction created, changed or ended. */
export async function loadSchedule(
  { world, store }: Pick<ScheduleService, 'world' | 'store'>,
  merchantId: string,
  transactionId: string,
): Promise<Schedule | null> {
  const transaction = await world.store.payment(merchantId, transactionId);
  return transaction && store.schedule(merchantId, transaction.familyId);
}

/** Every charge takes all of them, in one tick of the event loop. Five parameters for each of a thousand items. */
export const SCHEDULE_FIELDS_MAX = 5_000;

const tooManyFields = (count: number): ScheduleOutcome => ({
  is: 'faulty',
  code: '200.300.404',
  faults: [
    {
      name: 'cart.items',
      value: null,
      message: `a schedule takes at most ${SCHEDULE_FIELDS_MAX} parameters, and these would be ${count}. Send fewer items`,
    },
  ],
});

/** Decisions use one instant: a run that becomes due during the store's reads is due by the new fields. */
type Revision = { readonly earlier: Schedule | null; readonly now: number };

/** Creates a schedule, or replaces the fields of the earlier one. */
async function applyRequest(
  service: ScheduleService,
  request: ScheduleRequest,
  { earlier, now }: Revision,
): Promise<AttemptOutcome> {
  const { world, environment } = service;
  const { channel, checked } = request;
  if (checked.fields.size > SCHEDULE_FIELDS_MAX) return tooManyFields(checked.fields.size);
  const registrationId = checked.text('registrationId') ?? earlier?.registrationId ?? '';
  const stored = await openRegistration(world, channel.merchantId, registrationId);
  if (stored.refusal !== null) return refused(service, request, stored.refusal);
  const ordered = orderOf(checked, { channel, environment, referencedId: null, stored });
  if (ordered.is === 'faulty') return { is: 'faulty', code: '200.300.404', faults: ordered.faults };
  const { order } = ordered;
  if (order.isTestInLive) return refused(service, request, '600.200.701');
  const sent = scheduleRequestOf(checked, order);
  const fields = mergeFields(earlier?.fields ?? {}, sent);
  const count = Object.keys(fields).length;
  if (count > SCHEDULE_FIELDS_MAX) return tooManyFields(count);
  const allowsBothDays = channel.isLenient || Object.keys(jobOf(sent)).length === 0;
  const reading = { zone: channel.timeZone, createdAt: now, allowsSubMinute: environment === 'test', allowsBothDays };
  const timetable = readTimetable(jobOf(fields), reading);
  if ('faults' in timetable) return faulty(timetable.faults, fields);
  const hopeless = faultOfCharges(service, { channel, fields, stored });
  if (hopeless !== null) return { is: 'faulty', code: '200.300.404', faults: hopeless };
  const { merchantId, entityId, mode } = order;
  const regularAt = earlier ? await nextAfterChange(service, earlier, { now, timetable }) : nextDue(timetable, now);
  const requested = { entityId, registrationId, mode, fields, since: now, regularAt, charge: null };
  const start: Schedule = earlier ?? {
    ...requested,
    id: '',
    transactionId: '',
    merchantId,
    state: 'active',
    endsAt: null,
    nextAt: null,
    createdAt: now,
    movedAt: now,
    revision: 0,
  };
  return save(service, request, { type: earlier ? 'RS' : 'SD', schedule: reviseSchedule(start, requested, now), earlier });
}

type PlannedCharges = { readonly channel: Channel; readonly fields: Schedule['fields']; readonly stored: OpenedRegistration };

/**
 * Why every charge would fail; null: they can be taken. The first one is checked as it will be sent: a series that never began, or that
 * lacks a field which the card's network requires, is refused now and not with each run.
 */
function faultOfCharges({ environment }: ScheduleService, { channel, fields, stored }: PlannedCharges): readonly Fault[] | null {
  const request = decode(new URLSearchParams(chargeOf({ fields, entityId: channel.entityId })).toString());
  const checked = check(request, { endpoint: 'payRegistered', isLenient: channel.isLenient, source: 'server', environment });
  if (checked.is === 'faulty') return checked.faults;
  const ordered = orderOf(checked, { channel, environment, referencedId: null, stored });
  if (ordered.is === 'faulty') return ordered.faults;
  const { instruction, registration, method } = ordered.order;
  if (refusalOfAmount(ordered.order) !== null) return [{ name: 'amount', value: fields.amount ?? null, message: NO_AMOUNT }];
  const series = instructionForScheme(instruction, { registration, referenced: null });
  const hasBegun = series && (series.initialTransactionId ?? series.agreementId ?? series.migration) !== null;
  if (hasBegun || (method !== 'CC' && method !== 'DC')) return null;
  return [{ name: 'registrationId', value: registration?.id ?? null, message: NO_SERIES }];
}

const NO_AMOUNT = 'must be more than 0.00: every charge would be refused';
const NO_SERIES =
  'must be of details with which a series has begun: store them, or pay with them once, with standingInstruction.mode INITIAL';

/**
 * A run that was due before the change is still charged, by the new fields. An instant that was already run, by a node whose clock was
 * ahead, never comes again: the store would refuse it, and the schedule would wait for it for ever.
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
  const shown = faults.map(({ field, message }) => ({ name: field, value: fields[field] ?? null, message }));
  return { is: 'faulty', code: faults[0]?.code ?? '100.250.250', faults: shown };
}

type Change = { readonly type: ScheduleType; readonly schedule: Schedule; readonly earlier: Schedule | null };

/** Commits the schedule with the transaction that creates, changes or ends it. */
async function save(service: ScheduleService, request: ScheduleRequest, change: Change): Promise<AttemptOutcome> {
  const { store } = service.world;
  const { type, earlier } = change;
  const { merchantId, registrationId } = change.schedule;
  const [family, registered] = await Promise.all([
    earlier && store.family(merchantId, earlier.id),
    store.registration(merchantId, registrationId),
  ]);
  if (!registered) throw new Error(`the registration ${registrationId} of a schedule does not exist`);
  const { registration } = registered;
  const { channel, idempotencyKey } = request;
  const bare = registrationTransaction(service.world, registration, {
    type,
    entityId: channel.entityId,
    mode: change.schedule.mode,
  });
  const schedule = type === 'DS' ? change.schedule : { ...change.schedule, id: earlier?.id ?? bare.id, transactionId: bare.id };
  const payment = withFields(bare, schedule, channel);
  const outcome = await commitPayment(service.world, {
    payment,
    version: family?.version ?? 0,
    idempotencyKey,
    event: null,
    schedule: { schedule, dueAt: null, event: scheduleEventFor(service.world, payment) },
  });
  if (outcome.is === 'keyUsed') return refused(service, request, '100.360.300');
  return outcome.is === 'kept' ? { is: 'done', payment, schedule } : { is: 'moved' };
}

/** The transaction with the fields of its schedule. */
function withFields(bare: Payment, { id, fields }: Schedule, { name }: Channel): Payment {
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

/** A retry with the idempotency key of a successful request gets that result again, not the refusal. */
async function refused({ world, store }: ScheduleService, request: ScheduleRequest, refusal: Refusal): Promise<ScheduleOutcome> {
  const { idempotencyKey, channel } = request;
  const known =
    idempotencyKey && (await world.store.idempotencyKey(channel.merchantId, idempotencyKey.entityId, idempotencyKey.key));
  if (!idempotencyKey || !known) return { is: 'refused', refusal };
  const taken = await replay(world, channel, { ...known, bodySent: idempotencyKey.bodyHash });
  if (taken.is !== 'replayed') return { is: 'otherBody' };
  const schedule = await store.schedule(channel.merchantId, taken.payment.familyId);
  return schedule ? { is: 'done', payment: taken.payment, schedule, isReplayed: true } : { is: 'refused', refusal };
}

/** Missed runs that one step records. The rest follows in the next step. */
const MISSED_MAX = 500;

export type DueRun = { readonly dueAt: number; readonly now: number; readonly timetable: Timetable };

/** Of several missed runs only the last one is charged. The others are recorded as skipped. */
export async function catchUp(
  service: Pick<ScheduleService, 'store'>,
  schedule: Schedule,
  { now, timetable }: Omit<DueRun, 'dueAt'>,
): Promise<Schedule | null> {
  const missed: number[] = [];
  let regularAt = schedule.regularAt;
  for (let count = 0; regularAt !== null && count < MISSED_MAX; count += 1) {
    const after = nextDue(timetable, regularAt, schedule.endsAt ?? undefined);
    if (after === null || after > now) break;
    missed.push(regularAt);
    regularAt = after;
  }
  if (missed.length === 0) return schedule;
  const runs = missed.map((dueAt) => skippedRun(schedule, { dueAt, now }, 'missed: a later run was due already'));
  return saveSchedule(service, reviseSchedule(schedule, { regularAt }, now), runs);
}

export const skippedRun = ({ id }: Schedule, { dueAt, now }: Pick<DueRun, 'dueAt' | 'now'>, why: string): SkippedRun => ({
  scheduleId: id,
  dueAt,
  at: now,
  paymentId: null,
  skipped: why,
});

export async function saveSchedule(
  { store }: Pick<ScheduleService, 'store'>,
  schedule: Schedule,
  runs: readonly SkippedRun[] = [],
  event: NewOutboxEvent | null = null,
): Promise<Schedule | null> {
  return (await store.saveSchedule(schedule, runs, event)) ? schedule : null;
}
