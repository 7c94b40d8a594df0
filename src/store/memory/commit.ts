import type { Payment } from '../../payments/payment.ts';
import { type Commit, type CommitOutcome, NEVER_AGAIN, type RegistrationChange } from '../../payments/ports.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import { registrationTransitions } from '../../registrations/moves.ts';
import type { StoredRegistration } from '../../registrations/ports.ts';
import type { TokenUse } from '../../wallets/ports.ts';
import { stateOf } from '../commit/cells.ts';
import { checkCommit, fixedFields, fixedInRegistration } from '../commit/check.ts';
import { writePosting } from './ledger.ts';
import { queueLine } from './reports.ts';
import { isScheduleBroken, isScheduleOvertaken, writeScheduleChange } from './schedules.ts';
import { join, type Tables } from './tables.ts';
import { eventsOf, isPosted, writeEvent } from './webhooks.ts';

export const membersOf = (tables: Tables, merchantId: string, ids: readonly string[]): Payment[] =>
  ids.flatMap((id) => tables.payments.get(join(merchantId, id)) ?? []);

/**
 * The key first, because a retry must hear of its payment whatever has become of the family; then version and revision; then the
 * checkout; then the wallet's token; then the sums.
 */
export function commit(tables: Tables, change: Commit): CommitOutcome {
  checkCommit(change);
  const { payment, version, idempotencyKey, registration, tokenUse, schedule } = change;
  const { merchantId, id, familyId } = payment;
  const held = idempotencyKey
    ? tables.idempotencyKeys.get(join(merchantId, idempotencyKey.entityId, idempotencyKey.key))
    : undefined;
  if (held && held.paymentId !== id) return { is: 'keyUsed', paymentId: held.paymentId, bodyHash: held.bodyHash };
  const family = tables.families.get(join(merchantId, familyId)) ?? { version: 0, ids: [] };
  const stored = tables.payments.get(join(merchantId, id));
  if (family.version !== version || (version === 0 && stored)) return { is: 'moved' };
  const registered = registration ? tables.registrations.get(join(merchantId, registration.registration.id)) : undefined;
  const revisionBefore = registered?.registration.revision ?? 0;
  if (registration && registration.registration.revision !== revisionBefore + 1) return { is: 'moved' };
  if (schedule && isScheduleOvertaken(tables, schedule)) return { is: 'moved' };
  if (!stored && isBusy(tables, payment)) return { is: 'busy' };
  if (tokenUse && tables.tokenUses.has(tokenUseAt(merchantId, tokenUse))) return { is: 'tokenUsed' };
  if (!continues(stored, payment) || eventsOf(change).some(([event]) => isPosted(tables, event))) {
    throw new BrokenCommit(`commit of payment ${id}: the stored payment is not the one that the commit continues`);
  }
  if (registration && registered && !continuesRegistration(registered, registration)) {
    throw new BrokenCommit(`commit of payment ${id}: the stored registration is not the one that the commit continues`);
  }
  if (schedule && isScheduleBroken(tables, schedule)) {
    throw new BrokenCommit(`commit of payment ${id}: the stored schedule is not the one that the commit continues`);
  }
  const others = membersOf(tables, merchantId, family.ids).filter((other) => other.id !== id);
  if (isOverrun([...others, payment], payment)) return { is: 'overrun' };
  write(tables, change, { version: version + 1, ids: stored ? family.ids : [...family.ids, id] });
  return { is: 'kept' };
}

export const attemptsAt = (tables: Tables, merchantId: string, checkoutId: string): Payment[] =>
  membersOf(tables, merchantId, tables.attempts.get(join(merchantId, checkoutId)) ?? []);

/** A payment that is declined from the start blocks no other. */
function isBusy(tables: Tables, payment: Payment): boolean {
  const { merchantId, checkoutId } = payment;
  if (checkoutId === null || payment.revision > 1 || stateOf(payment) === 'declined') return false;
  return attemptsAt(tables, merchantId, checkoutId).some((other) => stateOf(other) !== 'declined');
}

const tokenUseAt = (merchantId: string, { wallet, tokenId }: TokenUse): string => join(merchantId, wallet, tokenId);

/** Only an open payment moves, one revision at a time, and nothing that records money changes. */
function continues(stored: Payment | undefined, payment: Payment): boolean {
  if (!stored) return payment.revision === 1;
  const isNext = payment.revision === stored.revision + 1 && stateOf(stored) === 'open';
  return isNext && fixedFields.every((name) => stored[name] === payment[name]);
}

const continuesRegistration = ({ registration: stored }: StoredRegistration, { registration }: RegistrationChange): boolean =>
  registrationTransitions[stored.state].includes(registration.state) &&
  fixedInRegistration.every((name) => stored[name] === registration[name]);

function write(tables: Tables, change: Commit, family: { readonly version: number; readonly ids: readonly string[] }): void {
  const { payment, sealed, idempotencyKey, registration, tokenUse, schedule } = change;
  const { merchantId, id, familyId, movedAt, checkoutId } = payment;
  const at = join(merchantId, id);
  if (checkoutId !== null && !tables.payments.has(at)) {
    const place = join(merchantId, checkoutId);
    tables.attempts.set(place, [...(tables.attempts.get(place) ?? []), id]);
  }
  tables.payments.set(at, payment);
  tables.families.set(join(merchantId, familyId), family);
  if (stateOf(payment) === 'open') tables.open.set(at, payment);
  else tables.open.delete(at);
  writeRelease(tables, change);
  if (sealed) tables.sealed.set(at, sealed);
  if (change.emailHash !== null) tables.emailHashes.set(at, change.emailHash);
  if (idempotencyKey)
    tables.idempotencyKeys.set(join(merchantId, idempotencyKey.entityId, idempotencyKey.key), {
      ...idempotencyKey,
      paymentId: id,
      createdAt: movedAt,
    });
  if (registration) writeRegistration(tables, registration);
  if (tokenUse) tables.tokenUses.set(tokenUseAt(merchantId, tokenUse), tokenUse);
  if (schedule) writeScheduleChange(tables, schedule, payment);
  writePosting(tables, change);
  if (change.statisticsLine !== null)
    queueLine(tables, { merchantId, subjectId: id, revision: payment.revision, line: change.statisticsLine });
  for (const [event, at] of eventsOf(change)) writeEvent(tables, event, at);
}

function writeRelease({ releases }: Tables, { payment, releaseAt }: Commit): void {
  const { merchantId, id, paymentType } = payment;
  if (paymentType !== 'PA' || stateOf(payment) !== 'approved') return;
  if (releaseAt !== NEVER_AGAIN) releases.set(join(merchantId, id), { merchantId, id, releaseAt });
}

function writeRegistration({ registrations }: Tables, { registration, sealed }: RegistrationChange): void {
  const at = join(registration.merchantId, registration.id);
  const kept = registrations.get(at)?.sealed ?? null;
  registrations.set(at, { registration, sealed: sealed === 'kept' ? kept : sealed });
}

/** The rules of balance and payment_reference in the baseline schema: the memory store refuses what the databases refuse. */

type Sums = {
  readonly available: bigint;
  readonly captured: bigint;
  readonly refunded: bigint;
  readonly reversed: bigint;
  readonly chargedBack: bigint;
};

const isIncrement = ({ paymentType, industryPractice }: Payment): boolean =>
  paymentType === 'PA' && industryPractice === 'INCREMENTAL_AUTH';

const carriers: Readonly<Record<string, readonly string[]>> = {
  CP: ['PA'],
  RF: ['DB', 'CD', 'CP', 'RB', 'RC'],
  RV: ['PA', 'DB', 'CD', 'CP'],
  CB: ['DB', 'CP', 'RF', 'RB', 'CR'],
  CR: ['CB'],
  RB: ['DB'],
  RC: ['PA'],
};

/** Whether a payment takes from, or adds to, the one it references. */
const counts = (payment: Payment): boolean =>
  payment.referencedId !== null && stateOf(payment) !== 'declined' && (payment.paymentType in carriers || isIncrement(payment));

const parentOf = (family: readonly Payment[], { referencedId }: Payment): Payment | undefined =>
  family.find(({ id }) => id === referencedId);

/** Money is taken from, or added to, an approved payment of a fitting type only, in its family and its currency. */
function carries(family: readonly Payment[], carrier: Payment, payment: Payment): boolean {
  // The second chargeback is the last word.
  if (payment.paymentType === 'CR' && parentOf(family, carrier)?.paymentType === 'CR') return false;
  const fits = isIncrement(payment)
    ? carrier.paymentType === 'PA' && !isIncrement(carrier)
    : (carriers[payment.paymentType] ?? []).includes(carrier.paymentType);
  const { familyId, currency } = payment;
  const isApproved = stateOf(carrier) === 'approved' || isEmptyReversal(carrier, payment);
  return fits && carrier.familyId === familyId && carrier.currency === currency && isApproved;
}

/** Of a debit or a credit that was taken back before it left: there is nothing to reverse. */
const isEmptyReversal = (carrier: Payment, { paymentType, amount }: Payment): boolean =>
  paymentType === 'RV' && amount === 0n && stateOf(carrier) === 'declined' && ['DB', 'CD'].includes(carrier.paymentType);

/** The fold: usage counts at its most, availability at its least. Changes of an increment count for its PA too. */
export function sumsOf(family: readonly Payment[], payment: Payment): Sums {
  const increments = family.filter((other) => other.referencedId === payment.id && isIncrement(other));
  const ids = new Set([payment, ...increments].map(({ id }) => id));
  const used = family.filter(
    (other) => other.referencedId !== null && ids.has(other.referencedId) && stateOf(other) !== 'declined',
  );
  const sum = (payments: readonly Payment[]) => payments.reduce((total, { amount }) => total + amount, 0n);
  const ofType = (...types: string[]) => sum(used.filter(({ paymentType }) => types.includes(paymentType)));
  const raised = sum(increments.filter((increment) => stateOf(increment) === 'approved'));
  return {
    available: payment.amount + raised,
    captured: ofType('CP', 'RC'),
    refunded: ofType('RF'),
    reversed: ofType('RV'),
    chargedBack: chargedBackOf(family, payment),
  };
}

/** Chargebacks at their most, less their reversals at their least, and the second chargebacks; of one of these, what is below it. */
function chargedBackOf(family: readonly Payment[], payment: Payment): bigint {
  const below = (parents: readonly Payment[], types: readonly string[], states: readonly string[]) =>
    family.filter(
      (other) =>
        types.includes(other.paymentType) &&
        states.includes(stateOf(other)) &&
        parents.some(({ id }) => id === other.referencedId),
    );
  const sum = (payments: readonly Payment[]) => payments.reduce((total, { amount }) => total + amount, 0n);
  const alive = ['open', 'approved'];
  const first = below([payment], ['CB', 'CR'], alive);
  if (payment.paymentType === 'CB' || payment.paymentType === 'CR') return sum(first);
  const given = below(first, ['CR'], alive);
  return sum(first) - sum(given.filter((one) => stateOf(one) === 'approved')) + sum(below(given, ['CB'], alive));
}

const isOverdrawn = ({ available, captured, refunded, reversed, chargedBack }: Sums): boolean =>
  captured + refunded + reversed + chargedBack > available;

/** Whether a family as it would be with this payment in it is one that the database would refuse. */
export function isOverrun(family: readonly Payment[], payment: Payment): boolean {
  if (!counts(payment)) return false;
  const carrier = family.find(({ id }) => id === payment.referencedId);
  if (!carrier || (payment.revision === 1 && !carries(family, carrier, payment))) return true;
  const raised = isIncrement(carrier) || carrier.paymentType === 'CB' ? parentOf(family, carrier) : undefined;
  const charged = carrier.paymentType === 'CR' ? parentOf(family, parentOf(family, carrier) ?? carrier) : undefined;
  return [carrier, raised, charged].some((one) => one !== undefined && isOverdrawn(sumsOf(family, one)));
}
