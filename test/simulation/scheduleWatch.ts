import { codeOf } from '../../src/payments/commitPayment.ts';
import { isOpen, type Payment } from '../../src/payments/payment.ts';
import type { Commit } from '../../src/payments/ports.ts';
import type { Schedule } from '../../src/payments/schedule.ts';
import { bound, type Store } from './chronicle.ts';
import { isSuccess } from './invariants.ts';
import { closesAt, endOf, instantsOf, nextAfter, stepOf } from './scheduleTimes.ts';
import { channelOf } from './shops.ts';
import { breaks, brief, note, type Sim } from './sim.ts';

/** What was seen of schedules, commit by commit. */
export type ScheduleWatch = {
  /** The same store, watched. */
  over(store: Store): Store;
  isAtRest(): boolean;
  check(store: Store): Promise<void>;
};

/** A stretch of a plan's life in which the same wishes hold. */
type Term = { readonly since: number; readonly stepMs: number; readonly after: number; readonly amount: string; before: number };
type Charge = { readonly dueAt: number; readonly at: number; readonly tries: number; readonly regularAt: number };
type Life = {
  schedule: Schedule;
  readonly terms: Term[];
  /** By the instant that was due: the payment, or null where there is none. */
  readonly records: Map<number, string | null>;
  readonly charges: Charge[];
  /** What was declined is not tried again before that. */
  changedAt: number;
  /** From when on it is not due any more, because it was ended. */
  endsAt: number;
};

const HOUR_MS = 3_600_000;
const SOFT = '800.100.155';
/** As the channels of shops.ts have it. */
const TRIES_MAX = Number(channelOf('5eeda000000000000000000000000001')?.schedules.triesMax ?? 3);

/**
 * I9: each due instant of a plan has one payment or one recorded skip, none twice, none lost, and no other instant has one. P1: charges are
 * what was asked for, as later payments of the series that the merchant starts. P2: what is over is not charged. P3: what was declined is
 * tried again as the channel has it, and not beyond. P4: a notice is kept. P5: nothing is charged before its time.
 */
export function createScheduleWatch(sim: Sim): ScheduleWatch {
  const lives = new Map<string, Life>();
  const payments = new Map<string, Payment>();
  const kept = (change: Commit) => {
    const { payment, schedule: moved } = change;
    if (payment.scheduleId !== undefined) payments.set(payment.id, payment);
    if (!moved) return;
    const { schedule, dueAt } = moved;
    const life = lives.get(schedule.id) ?? {
      schedule: schedule,
      terms: [],
      records: new Map(),
      charges: [],
      changedAt: 0,
      endsAt: Infinity,
    };
    lives.set(schedule.id, life);
    if (dueAt === null) wished(sim, life, { schedule: schedule, payment });
    else charged(sim, { life, schedule: schedule, payment, dueAt, payments });
    life.schedule = schedule;
  };
  const saved = (schedule: Schedule, skipped: readonly { readonly dueAt: number; readonly skipped: string }[]) => {
    const life = lives.get(schedule.id);
    if (!life) {
      breaks(sim, 'I9', `${schedule.id} was saved and never made`);
      return;
    }
    for (const { dueAt, skipped: why } of skipped) {
      record(sim, life, { dueAt, paymentId: null });
      if (!isRegular(life, dueAt) && !isAgain(life, dueAt))
        breaks(sim, 'I9', `${schedule.id} skipped ${dueAt}, when it was not due`);
      // A node whose clock is behind may have dated the retry before its charge.
      if (isAgain(life, dueAt)) life.changedAt = sim.scheduler.now();
      const last = life.terms.at(-1);
      const isGone = why === 'the registration no longer exists';
      if (isGone && last) last.before = Math.min(last.before, dueAt + 1);
      sim.tally.hit(isGone ? 'schedule: its registration is gone' : 'schedule: skipped', 'schedule');
    }
    life.schedule = schedule;
  };
  return {
    over: (store) => ({
      ...bound(store),
      async commit(change) {
        const outcome = await store.commit(change);
        if (outcome.is === 'kept') kept(change);
        return outcome;
      },
      async saveSchedule(schedule, skipped, event) {
        const isKept = await store.saveSchedule(schedule, skipped, event);
        if (isKept) saved(schedule, skipped);
        return isKept;
      },
    }),
    isAtRest: () => [...lives.values()].every(({ schedule }) => schedule.nextAt === null),
    async check(store) {
      for (const life of lives.values()) {
        checkInstants(sim, life);
        checkRetries(sim, life, payments);
        await checkRuns(sim, life, store);
      }
      for (const { id, scheduleId } of payments.values()) {
        const isKnown = [...(lives.get(scheduleId ?? '')?.records.values() ?? [])].includes(id);
        if (!isKnown) breaks(sim, 'I9', `${id} was charged for ${scheduleId}, and for no instant of it`);
      }
    },
  };
}

/** It was made, changed or ended. */
function wished(sim: Sim, life: Life, { schedule, payment }: { readonly schedule: Schedule; readonly payment: Payment }): void {
  const last = life.terms.at(-1);
  const { paymentType } = payment;
  note(sim, `plan ${brief(schedule.id)} r${schedule.revision} ${paymentType} ${schedule.state}`);
  life.changedAt = sim.scheduler.now();
  if (paymentType === 'DS') {
    if (!last) throw new Error(`${schedule.id} was ended and never made`);
    const end = Math.min(endOf(schedule, schedule.movedAt), last.before);
    sim.tally.hit(schedule.state === 'ending' ? 'schedule: ends later' : 'schedule: ended', 'schedule');
    if (schedule.endsAt !== end)
      breaks(sim, 'P4', `${schedule.id} was ended at ${schedule.movedAt} and goes on until ${schedule.endsAt}, not ${end}`);
    last.before = end;
    life.endsAt = end;
    return;
  }
  sim.tally.hit(last ? 'schedule: changed' : 'schedule: made', 'schedule');
  if (last) last.before = Math.min(last.before, schedule.since + 1);
  const after = Math.max(schedule.since, ...life.records.keys());
  const { since, fields } = schedule;
  life.terms.push({ since, stepMs: stepOf(schedule), after, before: closesAt(schedule), amount: fields.amount ?? '' });
}

/** Due by the wishes that hold, or was due by earlier ones before they were changed. */
const isRegular = ({ terms }: Life, dueAt: number): boolean =>
  terms.some(({ stepMs, after, before }) => dueAt % stepMs === 0 && dueAt > after && dueAt < before);

const isAgain = ({ schedule }: Life, dueAt: number): boolean => schedule.charge?.againAt === dueAt;

function record(sim: Sim, life: Life, { dueAt, paymentId }: { readonly dueAt: number; readonly paymentId: string | null }): void {
  const { schedule, records } = life;
  if (records.has(dueAt))
    breaks(sim, 'I9', `${schedule.id} was due once at ${dueAt} and done twice: ${records.get(dueAt)}, ${paymentId}`);
  if (schedule.state === 'over' || dueAt >= life.endsAt) breaks(sim, 'P2', `${schedule.id} was over and goes on at ${dueAt}`);
  records.set(dueAt, paymentId);
}

type Charging = {
  readonly life: Life;
  readonly schedule: Schedule;
  readonly payment: Payment;
  readonly dueAt: number;
  readonly payments: ReadonlyMap<string, Payment>;
};

function charged(sim: Sim, charging: Charging): void {
  const { life, schedule, payment, dueAt } = charging;
  const now = sim.scheduler.now();
  record(sim, life, { dueAt, paymentId: payment.id });
  checkCharge(sim, charging);
  const { skewMsMax, jumps, awayMs } = sim.weather;
  // A clock that is ahead charges early: nothing tells it that it is.
  const earlyMs = dueAt - now - skewMsMax - (jumps > 0 ? HOUR_MS : 0) - Math.max(0, awayMs);
  if (earlyMs > 0) breaks(sim, 'P5', `${payment.id} was charged ${earlyMs} ms before ${schedule.id} was due`);
  const last = life.charges.at(-1);
  if (isRegular(life, dueAt)) {
    sim.tally.hit('schedule: charged', 'schedule');
    life.charges.push({ dueAt, at: now, tries: 1, regularAt: dueAt });
    return;
  }
  if (!last) {
    breaks(sim, 'I9', `${payment.id} was charged at ${dueAt}, when ${schedule.id} was not due`);
    return;
  }
  sim.tally.hit('schedule: tried again', 'schedule');
  checkAgain(sim, charging, last);
  life.charges.push({ dueAt, at: now, tries: last.tries + 1, regularAt: last.regularAt });
}

/** P1 */
function checkCharge(sim: Sim, { life, schedule, payment }: Charging): void {
  const { id, fields, scheduleId, registrationId, amount } = payment;
  const isRepeated = fields['standingInstruction.mode'] === 'REPEATED' && fields['standingInstruction.source'] === 'MIT';
  if (!isRepeated || scheduleId !== schedule.id) breaks(sim, 'P1', `${id} is no later payment of the series of ${schedule.id}`);
  const isAsked = life.terms.some((term) => term.amount.replace('.', '') === String(amount).padStart(3, '0'));
  // A registration that is deleted between two reads of a run leaves a declined charge without one; nothing was sent.
  const isDeclinedWithout = registrationId === null && !isOpen(payment) && !isSuccess(payment);
  if (!isAsked || (registrationId !== schedule.registrationId && !isDeclinedWithout))
    breaks(sim, 'P1', `${id} charges what ${schedule.id} was not asked for`);
}

/** P3: the one before was declined, in time, and not too often. */
function checkAgain(sim: Sim, { life, schedule, payment, dueAt, payments }: Charging, last: Charge): void {
  const before = payments.get(life.records.get(last.dueAt) ?? '');
  if (!before || isOpen(before) || isSuccess(before))
    breaks(sim, 'P3', `${payment.id} charges once more for ${schedule.id} what was not declined`);
  if (last.tries >= TRIES_MAX) breaks(sim, 'P3', `${schedule.id} was charged ${last.tries + 1} times for ${last.regularAt}`);
  const term = life.terms.at(-1);
  const next = term ? nextAfter(term.stepMs, last.regularAt) : 0;
  if (term && next < term.before && dueAt >= next) breaks(sim, 'P3', `${payment.id} comes after the next run of ${schedule.id}`);
  if (last.at < life.changedAt)
    breaks(sim, 'P3', `${payment.id} tries again what was asked for before ${schedule.id} was changed`);
}

function checkInstants(sim: Sim, { schedule, terms, records }: Life): void {
  for (const { stepMs, after, before } of terms) {
    const lost = instantsOf(stepMs, { after, before }).filter((dueAt) => !records.has(dueAt));
    if (lost.length > 0) breaks(sim, 'I9', `${schedule.id} was due at ${lost.join(', ')}, and nothing was done`);
  }
  if (schedule.nextAt !== null) breaks(sim, 'I9', `${schedule.id} is still to be looked at, at ${schedule.nextAt}`);
}

/** P3: of the last run, which no other run follows, nothing softly declined is left before it was tried often enough. */
function checkRetries(sim: Sim, life: Life, payments: ReadonlyMap<string, Payment>): void {
  const last = life.charges.at(-1);
  const payment = payments.get(life.records.get(last?.dueAt ?? 0) ?? '');
  if (!last || !payment || codeOf(payment) !== SOFT || last.tries >= TRIES_MAX) return;
  const latest = Math.max(...life.records.keys());
  const isGivenUp =
    life.changedAt >= last.at || latest > last.dueAt || life.schedule.state !== 'over' || life.schedule.endsAt !== null;
  if (!isGivenUp) breaks(sim, 'P3', `${payment.id} was declined for now and ${life.schedule.id} did not try again`);
}

async function checkRuns(sim: Sim, { schedule, records }: Life, store: Store): Promise<void> {
  const runs = await store.runs(schedule.merchantId, schedule.id, 10_000);
  const found = new Map(runs.map(({ dueAt, paymentId }) => [dueAt, paymentId]));
  for (const [dueAt, paymentId] of records) {
    if (found.get(dueAt) !== paymentId) breaks(sim, 'I9', `${schedule.id} has no record of what was done for ${dueAt}`);
  }
  if (found.size !== records.size) breaks(sim, 'I9', `${schedule.id} has ${found.size} records instead of ${records.size}`);
}
