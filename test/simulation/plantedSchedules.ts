import { exceptMerchants } from '../../src/merchants/merchantFilter.ts';
import type { Commit } from '../../src/payments/ports.ts';
import type { Schedule } from '../../src/payments/schedule.ts';
import { join } from '../../src/store/memory/tables.ts';
import { bound, type Store } from './chronicle.ts';
import type { Tools } from './plantedStores.ts';
import { nextAfter, stepOf } from './scheduleTimes.ts';

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest] ? Rest : never;

/** Bugs in what is done to schedules. */

/** Each commit with a schedule, changed. */
const changing = (change: (schedule: Schedule, asked: Commit) => Schedule) => (store: Store) => ({
  ...bound(store),
  commit: (asked: Commit) =>
    store.commit(
      asked.schedule ? { ...asked, schedule: { ...asked.schedule, schedule: change(asked.schedule.schedule, asked) } } : asked,
    ),
});

const isCharge = ({ schedule }: Commit): boolean => schedule != null && schedule.dueAt !== null;

/** A claimed schedule is charged although it has changed. */
export const believingTheClaim = (store: Store, { tables }: Tools): Store => ({
  ...bound(store),
  async commit(change) {
    const outcome = await store.commit(change);
    if (outcome.is !== 'moved' || !isCharge(change) || !change.schedule) return outcome;
    const { schedule, dueAt } = change.schedule;
    const at = join(schedule.merchantId, schedule.id);
    const others = [...(tables.runs.get(at) ?? [])].filter(([instant]) => instant !== dueAt);
    tables.runs.set(at, new Map(others));
    const revision = (tables.schedules.get(at)?.schedule.revision ?? 0) + 1;
    return store.commit({ ...change, schedule: { schedule: { ...schedule, revision }, dueAt, event: null } });
  },
});

/** The payment is taken for the instant, and then it is written down which instant comes next. */
export const nextInstantLater = (store: Store): Store => ({
  ...bound(store),
  async commit(change) {
    if (!isCharge(change) || !change.schedule) return store.commit(change);
    const { schedule, dueAt } = change.schedule;
    const before = await store.schedule(schedule.merchantId, schedule.id);
    if (before?.revision !== schedule.revision - 1) return { is: 'moved' };
    const outcome = await store.commit({
      ...change,
      schedule: { schedule: { ...before, revision: schedule.revision }, dueAt, event: null },
    });
    if (outcome.is === 'kept') await store.saveSchedule({ ...schedule, revision: schedule.revision + 1 }, []);
    return outcome;
  },
});

export const skipsForgotten = (store: Store): Store => ({
  ...bound(store),
  saveSchedule: (schedule, _skipped, event) => store.saveSchedule(schedule, [], event),
});

/** As it was until the simulation found it. */
export const changedFromNow = changing((schedule, { payment }) => {
  if (payment.paymentType !== 'RS' || schedule.regularAt === null) return schedule;
  const regularAt = nextAfter(stepOf(schedule), schedule.since);
  return { ...schedule, regularAt, nextAt: regularAt };
});

/** What is written down of how often a charge was tried. */
const counting = (tries: (tries: number) => number) => (store: Store) => {
  const counted = (schedule: Schedule): Schedule =>
    schedule.charge?.againAt == null
      ? schedule
      : { ...schedule, charge: { ...schedule.charge, tries: tries(schedule.charge.tries) } };
  return {
    ...bound(store),
    saveSchedule: (schedule: Schedule, ...others: Tail<Parameters<Store['saveSchedule']>>) =>
      store.saveSchedule(counted(schedule), ...others),
  };
};

export const countedTwice = counting((tries) => tries + 1);
export const neverCounted = counting(() => 0);

/** It is told when a plan ends, and it is not kept to. */
export const endForgotten = changing((schedule, { payment }) => {
  if (payment.paymentType !== 'DS') return schedule;
  const regularAt = schedule.regularAt ?? nextAfter(stepOf(schedule), schedule.movedAt);
  return { ...schedule, state: 'active', regularAt, nextAt: regularAt };
});

export const withoutNotice = changing((schedule, { payment }) =>
  payment.paymentType === 'DS'
    ? { ...schedule, state: 'over', endsAt: schedule.movedAt, regularAt: null, charge: null, nextAt: null }
    : schedule,
);

/** `only` one merchant means all others. */
export const merchantsMixedUp = (store: Store): Store => ({
  ...bound(store),
  claimSchedules: (asked) =>
    store.claimSchedules({
      ...asked,
      merchants: asked.merchants.kind === 'only' ? exceptMerchants([asked.merchants.merchantId]) : asked.merchants,
    }),
});
