import { isApproved } from '../../src/payments/balance.ts';
import type { Payment } from '../../src/payments/payment.ts';
import type { Commit, CommitOutcome } from '../../src/payments/ports.ts';
import { columnOf, isAway } from './away.ts';
import type { Store } from './chronicle.ts';
import { faultyFurther } from './further.ts';
import { cross, currentOperation, type Life } from './machine.ts';
import { brief, Injected, note, type Sim, strikes } from './sim.ts';
import type { Operation } from './tally.ts';

const SLOW_MS_MAX = 40_000;

/**
 * The store as one life of a node reaches it: over a wire that delays, fails, and loses the result of a commit that was kept. What
 * was kept is never lost; that is the store's contract and other tests hold it to it.
 */
export function faultyStore(sim: Sim, life: Life, store: Store): Store {
  const read = <T>(effect: () => Promise<T>) => reading(sim, life, effect);
  const write = <T>(operation: Operation, keep: () => Promise<T>) => writing(sim, life, { operation, keep });

  return {
    family: (merchantId, paymentId) => read(() => store.family(merchantId, paymentId)),
    familyVersion: (merchantId, familyId) => read(async () => store.familyVersion(merchantId, familyId)),
    payment: (merchantId, paymentId) => read(() => store.payment(merchantId, paymentId)),
    sealed: (merchantId, paymentId) => read(() => store.sealed(merchantId, paymentId)),
    idempotencyKey: (merchantId, entityId, key) => read(() => store.idempotencyKey(merchantId, entityId, key)),
    due: (asked) => read(() => store.due(asked)),
    claimDue: (asked) => read(() => store.claimDue(asked)),
    releaseSwept: (release) => read(() => store.releaseSwept(release)),
    deleteClaims: (before) => read(() => store.deleteClaims(before)),
    misdated: (asked) => read(() => store.misdated(asked)),
    releasesDue: (asked) => read(() => store.releasesDue(asked)),
    markReleases: (marks) => read(() => store.markReleases(marks)),
    deleteIdempotencyKeys: (before) => read(() => store.deleteIdempotencyKeys(before)),
    registration: (merchantId, registrationId) => read(() => store.registration(merchantId, registrationId)),
    touch: (merchantId, registrationId, at) => read(() => store.touch(merchantId, registrationId, at)),
    outlived: (asked) => read(() => store.outlived(asked)),
    awaitingToken: (asked) => read(() => store.awaitingToken(asked)),
    deleteTokenUses: (now) => read(() => store.deleteTokenUses(now)),
    checkout: (id) => read(() => store.checkout(id)),
    attempts: (merchantId, checkoutId) => read(() => store.attempts(merchantId, checkoutId)),
    callsDue: (asked) => read(() => store.callsDue(asked)),
    deleteCheckouts: (before) => read(() => store.deleteCheckouts(before)),
    addCheckout: (checkout) => write('checkout', () => store.addCheckout(checkout)),
    saveCheckout: (checkout) => write('checkout', () => store.saveCheckout(checkout)),
    saveCheckoutWithKey: (checkout, claim, at) => write('checkout', () => store.saveCheckoutWithKey(checkout, claim, at)),
    ...faultyFurther(store, { read, write }),
    commit: (change) => write(columnOf(change.payment), committing(sim, life, { change, keep: () => store.commit(change) })),
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

type Writing<T> = { readonly operation: Operation; readonly keep: () => Promise<T> };

/** One thing that is written. */
function writing<T>(sim: Sim, life: Life, { operation, keep }: Writing<T>): Promise<T> {
  const { chance, weather } = sim;
  const wireMs = () => chance.between(1, 15);
  const isSlow = strikes(sim, weather.storeSlow, ['commit: slow', operation]);
  // Slow on the way there is a commit that others overtake; slow on the way back is a result that comes late.
  const isLateThere = isSlow && chance.hits(0.5);
  return cross(sim, life, {
    operation,
    thereMs: isLateThere ? chance.below(SLOW_MS_MAX) : wireMs(),
    backMs: isSlow && !isLateThere ? chance.below(SLOW_MS_MAX) : wireMs(),
    effect: keeping(sim, { operation, keep }),
  });
}

/** What happens to a commit on the store's side, chosen when it is sent. */
function keeping<T>(sim: Sim, { operation, keep }: Writing<T>): () => Promise<T> {
  const rate = sim.weather.commitFails / 3;
  if (strikes(sim, rate, ['commit: refused by an error', operation])) {
    return () => Promise.reject(new Injected('the commit was refused'));
  }
  if (strikes(sim, rate, ['commit: answer lost', operation])) {
    return async () => {
      await keep();
      throw new Injected('the connection broke after the commit');
    };
  }
  if (strikes(sim, rate, ['commit: kept after the error', operation])) {
    const ms = sim.chance.below(20_000);
    return () => {
      sim.scheduler.after(ms, () => void keep());
      return Promise.reject(new Injected('the connection broke during the commit'));
    };
  }
  return keep;
}

type Committing = { readonly change: Commit; readonly keep: () => Promise<CommitOutcome> };

/** A commit that is told. */
function committing(sim: Sim, life: Life, { change, keep }: Committing): () => Promise<CommitOutcome> {
  const { payment, version } = change;
  const which = `${columnOf(payment)} ${brief(payment.id)} r${payment.revision} ${payment.phase.at}`;
  const by = currentOperation();
  return async () => {
    const outcome = await keep();
    if (outcome.is === 'kept') countEnd(sim, payment, by);
    if (outcome.is === 'busy') sim.tally.hit('checkout: something is in the way', 'checkout');
    note(sim, `${life.machine.name} commit ${which} on v${version}: ${outcome.is}`);
    return outcome;
  };
}

const GIVEN_UP = '100.396.101';

/** By whose doing a payment ends that is decided elsewhere, or that its shopper has turned away from. */
function countEnd({ tally }: Sim, payment: Payment, by: Operation): void {
  const { phase } = payment;
  const { at } = phase;
  const isOver = at === 'cancelling' || (phase.at === 'final' && phase.code === GIVEN_UP);
  if (by === 'checkout' && isOver) tally.hit('checkout: what was begun is given up', by);
  if (!isAway(payment)) return;
  if (at === 'cancelling' && by === 'callback') tally.hit('gateway: hears of it during the cancellation', by);
  if (at === 'final') tally.hit(isApproved(payment) ? 'gateway: an errand succeeds' : 'gateway: an errand fails', by);
}
