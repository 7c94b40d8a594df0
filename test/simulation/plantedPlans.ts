import type { Plan } from '../../src/payments/plan.ts';
import type { Commit } from '../../src/payments/ports.ts';
import { join } from '../../src/store/memory/tables.ts';
import { bound, type Store } from './chronicle.ts';
import { nextAfter, stepOf } from './planTimes.ts';
import type { Tools } from './plantedStores.ts';

/** Bugs in what is done to plans. */

/** Each commit with a plan, as another one. */
const changing = (change: (plan: Plan, asked: Commit) => Plan) => (store: Store) => ({
  ...bound(store),
  commit: (asked: Commit) =>
    store.commit(asked.plan ? { ...asked, plan: { ...asked.plan, plan: change(asked.plan.plan, asked) } } : asked),
});

const isCharge = ({ plan }: Commit): boolean => plan != null && plan.dueAt !== null;

/** Whoever has claimed a plan charges it, whatever has become of it. */
export const believingTheClaim = (store: Store, { tables }: Tools): Store => ({
  ...bound(store),
  async commit(change) {
    const outcome = await store.commit(change);
    if (outcome.is !== 'moved' || !isCharge(change) || !change.plan) return outcome;
    const { plan, dueAt } = change.plan;
    const at = join(plan.merchantId, plan.id);
    const others = [...(tables.runs.get(at) ?? [])].filter(([instant]) => instant !== dueAt);
    tables.runs.set(at, new Map(others));
    const revision = (tables.plans.get(at)?.plan.revision ?? 0) + 1;
    return store.commit({ ...change, plan: { plan: { ...plan, revision }, dueAt } });
  },
});

/** The payment is taken for the instant, and then it is written down which instant comes next. */
export const nextInstantLater = (store: Store): Store => ({
  ...bound(store),
  async commit(change) {
    if (!isCharge(change) || !change.plan) return store.commit(change);
    const { plan, dueAt } = change.plan;
    const before = await store.plan(plan.merchantId, plan.id);
    if (before?.revision !== plan.revision - 1) return { is: 'moved' };
    const outcome = await store.commit({ ...change, plan: { plan: { ...before, revision: plan.revision }, dueAt } });
    if (outcome.is === 'kept') await store.savePlan({ ...plan, revision: plan.revision + 1 }, []);
    return outcome;
  },
});

export const skipsForgotten = (store: Store): Store => ({ ...bound(store), savePlan: (plan) => store.savePlan(plan, []) });

/** As it was until the simulation found it. */
export const changedFromNow = changing((plan, { payment }) => {
  if (payment.paymentType !== 'RS' || plan.regularAt === null) return plan;
  const regularAt = nextAfter(stepOf(plan), plan.since);
  return { ...plan, regularAt, nextAt: regularAt };
});

/** What is written down of how often a charge was tried. */
const counting = (tries: (tries: number) => number) => (store: Store) => {
  const counted = (plan: Plan): Plan =>
    plan.charge?.againAt == null ? plan : { ...plan, charge: { ...plan.charge, tries: tries(plan.charge.tries) } };
  return {
    ...bound(store),
    savePlan: (plan: Plan, skipped: Parameters<Store['savePlan']>[1]) => store.savePlan(counted(plan), skipped),
  };
};

export const countedTwice = counting((tries) => tries + 1);
export const neverCounted = counting(() => 0);

/** It is told when a plan ends, and it is not kept to. */
export const endForgotten = changing((plan, { payment }) => {
  if (payment.paymentType !== 'DS') return plan;
  const regularAt = plan.regularAt ?? nextAfter(stepOf(plan), plan.movedAt);
  return { ...plan, state: 'active', regularAt, nextAt: regularAt };
});

export const withoutNotice = changing((plan, { payment }) =>
  payment.paymentType === 'DS'
    ? { ...plan, state: 'over', endsAt: plan.movedAt, regularAt: null, charge: null, nextAt: null }
    : plan,
);

/** `only` one means all but him. */
export const whoseMixedUp = (store: Store): Store => ({
  ...bound(store),
  claimPlans: (asked) =>
    store.claimPlans({ ...asked, whose: 'only' in asked.whose ? { except: [asked.whose.only] } : asked.whose }),
});
