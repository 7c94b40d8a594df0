import { isApproved } from '../../src/payments/balance.ts';
import type { Commit, Outcome } from '../../src/payments/needs.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { columnOf, isAway } from './away.ts';
import type { Store } from './chronicle.ts';
import { cross, currentOperation, type Life } from './machine.ts';
import { brief, Injected, note, type Sim, strikes } from './sim.ts';
import type { Operation } from './tally.ts';

const SLOW_MS_MAX = 40_000;

/**
 * The store as one life of a node reaches it: over a wire that delays, fails, and loses the news of a commit that was kept. What
 * was kept is never lost; that is the store's contract and other tests hold it to it.
 */
export function faultyStore(sim: Sim, life: Life, store: Store): Store {
  const { chance, weather } = sim;
  const wireMs = () => chance.between(1, 15);
  const read = <T>(effect: () => Promise<T>) => reading(sim, life, effect);

  return {
    family: (merchantId, paymentId) => read(() => store.family(merchantId, paymentId)),
    payment: (merchantId, paymentId) => read(() => store.payment(merchantId, paymentId)),
    sealed: (merchantId, paymentId) => read(() => store.sealed(merchantId, paymentId)),
    claim: (entityId, key) => read(() => store.claim(entityId, key)),
    due: (now, limit) => read(() => store.due(now, limit)),
    forgetClaims: (before) => read(() => store.forgetClaims(before)),
    registration: (merchantId, registrationId) => read(() => store.registration(merchantId, registrationId)),
    touch: (merchantId, registrationId, at) => read(() => store.touch(merchantId, registrationId, at)),
    outlived: (now, limit) => read(() => store.outlived(now, limit)),
    awaitingToken: (now, limit) => read(() => store.awaitingToken(now, limit)),
    forgetSpent: (now) => read(() => store.forgetSpent(now)),
    commit: (change) => {
      const operation = columnOf(change.payment);
      const isSlow = strikes(sim, weather.storeSlow, ['commit: slow', operation]);
      // Slow on the way there is a commit that others overtake; slow on the way back is news that comes late.
      const isLateThere = isSlow && chance.hits(0.5);
      return cross(sim, life, {
        operation,
        thereMs: isLateThere ? chance.below(SLOW_MS_MAX) : wireMs(),
        backMs: isSlow && !isLateThere ? chance.below(SLOW_MS_MAX) : wireMs(),
        effect: committing(sim, life, { change, keep: () => store.commit(change) }),
      });
    },
  };
}

/** One reading of the store. */
export function reading<T>(sim: Sim, life: Life, effect: () => Promise<T>): Promise<T> {
  const { chance, weather } = sim;
  const operation = currentOperation();
  const isBroken = strikes(sim, weather.readFails, ['read: fails', operation]);
  const isSlow = !isBroken && strikes(sim, weather.storeSlow, ['read: slow', operation]);
  const wireMs = () => chance.between(1, 15);
  return cross(sim, life, {
    operation,
    thereMs: wireMs(),
    backMs: isSlow ? chance.below(SLOW_MS_MAX) : wireMs(),
    effect: isBroken ? () => Promise.reject(new Injected('the store could not be read')) : effect,
  });
}

type Committing = { readonly change: Commit; readonly keep: () => Promise<Outcome> };

/** What happens to a commit on the store's side, chosen when it is sent. */
function committing(sim: Sim, life: Life, { change, keep }: Committing): () => Promise<Outcome> {
  const { payment, version } = change;
  const operation = columnOf(payment);
  const rate = sim.weather.commitFails / 3;
  const which = `${operation} ${brief(payment.id)} r${payment.revision} ${payment.phase.at}`;
  const by = currentOperation();
  const kept = async () => {
    const outcome = await keep();
    if (outcome.is === 'kept') countErrand(sim, payment, by);
    note(sim, `${life.machine.name} commit ${which} on v${version}: ${outcome.is}`);
    return outcome;
  };
  if (strikes(sim, rate, ['commit: refused by an error', operation])) {
    return () => Promise.reject(new Injected('the commit was refused'));
  }
  if (strikes(sim, rate, ['commit: answer lost', operation])) {
    return async () => {
      await kept();
      throw new Injected('the connection broke after the commit');
    };
  }
  if (strikes(sim, rate, ['commit: kept after the error', operation])) {
    const ms = sim.chance.below(20_000);
    return () => {
      sim.scheduler.after(ms, () => void kept());
      return Promise.reject(new Injected('the connection broke during the commit'));
    };
  }
  return kept;
}

/** By whose doing a payment that is decided elsewhere ends. */
function countErrand({ tally }: Sim, payment: Payment, by: Operation): void {
  if (!isAway(payment)) return;
  const { at } = payment.phase;
  if (at === 'cancelling' && by === 'hear') tally.hit('gateway: hears of it during the cancellation', by);
  if (at === 'final') tally.hit(isApproved(payment) ? 'gateway: an errand succeeds' : 'gateway: an errand fails', by);
}
