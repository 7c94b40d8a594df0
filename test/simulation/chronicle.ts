import type { CheckoutStore } from '../../src/checkouts/ports.ts';
import { isApproved } from '../../src/payments/balance.ts';
import { isOpen, type Payment, type Phase } from '../../src/payments/payment.ts';
import type { Commit, NewOutboxEvent, PaymentStore } from '../../src/payments/ports.ts';
import type { RegistrationStore } from '../../src/registrations/ports.ts';
import { REFUSED_BY_ACCOUNT } from './acquirer.ts';
import type { Lookout } from './awayInvariants.ts';
import type { CheckoutWatch } from './checkoutInvariants.ts';
import { boundFurther, type FurtherStore } from './further.ts';
import { createRegister, type Register } from './register.ts';
import type { RiskWatch } from './riskWatch.ts';
import type { Guard } from './secureInvariants.ts';
import { holdsSecret } from './shops.ts';
import { breaks, type Sim, START } from './sim.ts';

/** What the production code reads and writes. */
export type Store = PaymentStore & RegistrationStore & CheckoutStore & FurtherStore;

/** A message as it stands in the outbox, with the revision it tells of. `about`: whose id and revision these are. */
export type Outgoing = NewOutboxEvent & {
  readonly subjectId: string;
  readonly revision: number;
  readonly about: 'payment' | 'registration' | 'schedule';
  readonly transactionId: string | null;
};

/** What the store has kept, written down beside it by a watcher. */
export type Chronicle = {
  readonly store: Store;
  /** The latest kept state of every payment, in the order of their first commits. */
  readonly payments: ReadonlyMap<string, Payment>;
  /** When each payment was first kept, in virtual time. */
  readonly takenAt: ReadonlyMap<string, number>;
  readonly register: Register;
  isAtRest(): boolean;
  /** When a payment last moved, in virtual time. */
  movedAt(): number;
};

type Watched = {
  readonly store: Store;
  settle(payment: Payment): void;
  readonly lookout: Pick<Lookout, 'kept'>;
  readonly guard: Pick<Guard, 'kept'>;
  readonly risk: Pick<RiskWatch, 'kept'>;
  readonly checkouts: Pick<CheckoutWatch, 'kept'>;
};

export function createChronicle(sim: Sim, { store, settle, lookout, guard, risk, checkouts }: Watched): Chronicle {
  const payments = new Map<string, Payment>();
  const takenAt = new Map<string, number>();
  const register = createRegister(sim);
  const open = new Set<string>();
  let movedAt = START;
  const kept = (change: Commit) => {
    const { payment } = change;
    checkMove(sim, payments.get(payment.id), payment);
    const text = textOf(change);
    checkSecrets(sim, change, text);
    lookout.kept(payment);
    guard.kept(payment, text);
    risk.kept(payment);
    checkouts.kept(payment);
    payments.set(payment.id, payment);
    if (!takenAt.has(payment.id)) takenAt.set(payment.id, sim.scheduler.now());
    // A schedule has hours to charge what was declined once more: the run does not wait for that.
    if (payment.scheduleId === undefined) movedAt = sim.scheduler.now();
    if (isOpen(payment)) open.add(payment.id);
    else open.delete(payment.id);
    register.kept(change);
    if (payment.revision === 1 && !isOpen(payment) && sim.weather.isInProcess && !isOwn(payment)) settle(payment);
  };
  return {
    payments,
    takenAt,
    register,
    isAtRest: () => open.size === 0,
    movedAt: () => movedAt,
    store: {
      ...bound(store),
      async commit(change) {
        const outcome = await store.commit(change);
        if (outcome.is === 'kept') kept(change);
        return outcome;
      },
    },
  };
}

/** What is done to stored details and plans, and an authentication alone: no acquirer hears of it. */
export const isOwn = ({ paymentType }: Payment): boolean => ['DR', 'TE', 'TK', '3D', 'SD', 'RS', 'DS'].includes(paymentType);

/** The methods of a store as free functions, so that a wrapper can replace one of them. */
export const bound = (store: Store): Store => ({ ...boundPayments(store), ...boundCheckouts(store), ...boundFurther(store) });

export function boundPayments(store: PaymentStore & RegistrationStore): PaymentStore & RegistrationStore {
  return {
    family: (merchantId, paymentId) => store.family(merchantId, paymentId),
    familyVersion: (merchantId, familyId) => store.familyVersion(merchantId, familyId),
    payment: (merchantId, paymentId) => store.payment(merchantId, paymentId),
    sealed: (merchantId, paymentId) => store.sealed(merchantId, paymentId),
    idempotencyKey: (merchantId, entityId, key) => store.idempotencyKey(merchantId, entityId, key),
    commit: (change) => store.commit(change),
    due: (asked) => store.due(asked),
    claimDue: (asked) => store.claimDue(asked),
    releaseSwept: (release) => store.releaseSwept(release),
    deleteClaims: (before) => store.deleteClaims(before),
    misdated: (asked) => store.misdated(asked),
    releasesDue: (asked) => store.releasesDue(asked),
    markReleases: (marks) => store.markReleases(marks),
    deleteIdempotencyKeys: (before) => store.deleteIdempotencyKeys(before),
    registration: (merchantId, registrationId) => store.registration(merchantId, registrationId),
    touch: (merchantId, registrationId, at) => store.touch(merchantId, registrationId, at),
    outlived: (asked) => store.outlived(asked),
    awaitingToken: (asked) => store.awaitingToken(asked),
    deleteTokenUses: (now) => store.deleteTokenUses(now),
  };
}

function boundCheckouts(store: CheckoutStore): CheckoutStore {
  return {
    addCheckout: (checkout) => store.addCheckout(checkout),
    checkout: (id) => store.checkout(id),
    saveCheckout: (checkout) => store.saveCheckout(checkout),
    saveCheckoutWithKey: (checkout, claim, at) => store.saveCheckoutWithKey(checkout, claim, at),
    attempts: (merchantId, checkoutId) => store.attempts(merchantId, checkoutId),
    callsDue: (asked) => store.callsDue(asked),
    deleteCheckouts: (before) => store.deleteCheckouts(before),
  };
}

/** Written from the picture of a payment's life, not from the table in the code. */
const FOLLOWS: Readonly<Record<Phase['at'], readonly Phase['at'][]>> = {
  authentication: ['authentication', 'acquirer', 'final'],
  acquirer: ['acquirer', 'shopper', 'doubt', 'final'],
  shopper: ['shopper', 'cancelling', 'final'],
  doubt: ['shopper', 'doubt', 'cancelling', 'final'],
  cancelling: ['cancelling', 'final'],
  final: [],
};

const FIXED = ['merchantId', 'entityId', 'familyId', 'referencedId', 'paymentType', 'amount', 'currency', 'createdAt'] as const;

function checkMove(sim: Sim, before: Payment | undefined, after: Payment): void {
  const revision = (before?.revision ?? 0) + 1;
  if (after.revision !== revision) breaks(sim, 'I6', `${after.id} went to revision ${after.revision} instead of ${revision}`);
  if (!before) return;
  const from = before.phase.at;
  if (!FOLLOWS[from].includes(after.phase.at)) breaks(sim, 'I6', `${after.id} went from ${from} to ${after.phase.at}`);
  const isRerouted = (after.earlier?.length ?? 0) === (before.earlier?.length ?? 0) + 1 && after.connector !== before.connector;
  if (from === 'acquirer' && after.phase.at === 'acquirer' ? !isRerouted : after.connector !== before.connector)
    breaks(sim, 'F1', `${after.id} went from ${from} at ${before.connector} to ${after.phase.at} at ${after.connector}`);
  const { phase } = before;
  const isUnderWay = phase.at === 'acquirer' && phase.hasOthers === true && after.movedAt < phase.dueAt;
  if (isUnderWay && isRefusedByAccount(after))
    breaks(sim, 'F3', `${after.id} ended by a decline that another account could have followed`);
  if (from === 'cancelling' && isApproved(after)) breaks(sim, 'I6', `${after.id} was approved while it was being cancelled`);
  const changed = FIXED.filter((name) => before[name] !== after[name]);
  if (changed.length > 0) breaks(sim, 'I6', `${after.id} changed its ${changed.join(', ')}`);
}

/** By code of the simulated accounts; the answer itself goes on to the second account. */
const isRefusedByAccount = ({ phase }: Payment): boolean => phase.at === 'final' && phase.code === REFUSED_BY_ACCOUNT;

/** All that a commit writes down, but for what is sealed: that is opened and looked into when everything is over. */
function textOf({ payment, idempotencyKey, event, registration, tokenUse }: Commit): string {
  const { amount, ...rest } = payment;
  return JSON.stringify([rest, idempotencyKey, event, registration?.registration, registration?.event, tokenUse]);
}

function checkSecrets(sim: Sim, { payment }: Commit, text: string): void {
  if (holdsSecret(text)) breaks(sim, 'I12', `${payment.id} or what it stores holds a card number or security code`);
  if (typeof payment.amount !== 'bigint') breaks(sim, 'I13', `the amount of ${payment.id} is no integer of hundredths`);
}
