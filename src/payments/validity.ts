import type { Channel } from '../merchants/channel.ts';
import { DAY_MS, HOUR_MS } from '../spec/time.ts';
import { RELEASE_WAIT_MS, type Validity, validityIn, validityOf } from '../spec/validity.ts';
import { balanceOf, isApproved, isIncrement } from './balance.ts';
import { isOpen, type Payment } from './payment.ts';
import { type Capability, NEVER_AGAIN, type World } from './ports.ts';

/** The end until which an authorisation may be captured or reversed, and the release of the rest after it. */

type Authorised = Pick<Payment, 'paymentType' | 'paymentBrand' | 'method' | 'fields'>;

/** The validity of a new authorisation; null: it is none. */
export function validityFor(
  payment: Authorised,
  capability: Pick<Capability, 'validity'> | null,
  channel: Pick<Channel, 'authorisationDays'> | null,
): Validity | null {
  if (payment.paymentType !== 'PA') return null;
  const { method, paymentBrand: brand, fields } = payment;
  return validityIn(capability?.validity ?? validityOf('default', method), {
    method,
    brand,
    isMIT: fields['standingInstruction.source'] === 'MIT',
    days: channel?.authorisationDays ?? undefined,
  });
}

/** The payment with the validity that it has at this account. */
export function withValidity(
  payment: Payment,
  capability: Pick<Capability, 'validity'> | null,
  channel: Pick<Channel, 'authorisationDays'> | null,
): Payment {
  const validity = validityFor(payment, capability, channel);
  return validity === null ? payment : { ...payment, validity };
}

/** Sources of the validity of an authorisation that was stored without one. */
export type ValiditySources = Pick<World, 'connector'> & {
  readonly channel: (entityId: string) => Pick<Channel, 'authorisationDays'> | null;
};

const isWithoutValidity = ({ paymentType, validity }: Payment): boolean => paymentType === 'PA' && validity === undefined;

/**
 * The payments, each authorisation with its validity: the one kept with it, and for one from before validities were kept that of its
 * account and channel now. Every decision about an end and every reply reads the family by this, so that all name the same end.
 */
export function withKnownValidities(payments: readonly Payment[], { connector, channel }: ValiditySources): readonly Payment[] {
  if (!payments.some(isWithoutValidity)) return payments;
  return payments.map((payment) => {
    if (!isWithoutValidity(payment)) return payment;
    const capability = connector(payment.connector, payment.entityId)?.supports[payment.method] ?? null;
    return withValidity(payment, capability, channel(payment.entityId));
  });
}

const isAuthorisation = (payment: Payment): boolean => payment.paymentType === 'PA' && isApproved(payment);

/** An increment that raises another authorisation; one that references nothing is an authorisation of its own. */
const isRaising = (payment: Payment): boolean => isIncrement(payment) && payment.referencedId !== null;

/** An end that the acquirer names is believed within this time after the authorisation. */
const NAMED_MS_MAX = 400 * DAY_MS;

/** The end that the acquirer named; null: none, or none that can be. */
function namedEnd({ details: { captureBefore }, createdAt }: Payment): number | null {
  const isPossible =
    captureBefore !== undefined &&
    Number.isSafeInteger(captureBefore) &&
    captureBefore > createdAt &&
    captureBefore <= createdAt + NAMED_MS_MAX;
  return isPossible ? captureBefore : null;
}

/** The end of an approved authorisation by its own approval, without its increments; null: it is none, or its validity is not known. */
export function ownEnd(payment: Payment): number | null {
  if (!isAuthorisation(payment)) return null;
  return namedEnd(payment) ?? (payment.validity ? payment.movedAt + payment.validity.days * DAY_MS : null);
}

const incrementsOf = (family: readonly Payment[], { id }: Payment): readonly Payment[] =>
  family.filter((other) => other.referencedId === id && isIncrement(other));

/** The end of an approved authorisation: its own, or that of an approved increment which extends it. Null: not known. */
export function validUntil(family: readonly Payment[], payment: Payment): number | null {
  const own = ownEnd(payment);
  if (own === null) return null;
  const ends = incrementsOf(family, payment).map((increment) =>
    increment.validity?.isExtended ? ownEnd(increment) : namedEndOf(increment),
  );
  return Math.max(own, ...ends.filter((end) => end !== null));
}

const namedEndOf = (payment: Payment): number | null => (isAuthorisation(payment) ? namedEnd(payment) : null);

/** The end that a reply names: of the payment by itself where the family is not read. Null: there is none to name. */
export function captureBeforeOf(payment: Payment, family: readonly Payment[] | null): number | null {
  if (payment.amount === 0n) return null;
  if (isRaising(payment)) return payment.validity?.isExtended ? ownEnd(payment) : namedEndOf(payment);
  return family ? validUntil(family, payment) : ownEnd(payment);
}

/** Recorded by the gateway when the validity of an authorisation has ended: the rest is not reserved any more. */
export const isRelease = ({ paymentType, details }: Payment): boolean => paymentType === 'RV' && details.isRelease === true;

/** The rest of an authorisation was released. */
export const wasReleased = (family: readonly Payment[], { id }: Payment): boolean =>
  family.some((other) => other.referencedId === id && isRelease(other));

/** Whether nothing may be captured or reversed any more. A release is final, whatever a clock says. */
export function hasEnded(family: readonly Payment[], payment: Payment, now: number): boolean {
  const until = validUntil(family, payment);
  return wasReleased(family, payment) || (until !== null && now >= until);
}

/** The next step for an authorisation: look again later, release the rest, or nothing ever again. */
export type ReleasePlan =
  | { readonly is: 'wait'; readonly until: number }
  | { readonly is: 'release'; readonly amount: bigint }
  | { readonly is: 'done' };

/** An open capture, reversal or increment is asked about by others; its authorisation waits as long. */
const OPEN_WAIT_MS = HOUR_MS;

/** Looks are on full hours, so that many authorisations are due together: a test clock stops at each instant. */
const lookAt = (end: number): number => Math.ceil((end + RELEASE_WAIT_MS) / HOUR_MS) * HOUR_MS;

/**
 * Pure: decides about the rest of an authorisation. Nothing is released while a capture, a reversal or an increment of it is open: an
 * acquirer in doubt may still book it.
 */
export function planRelease(family: readonly Payment[], payment: Payment, now: number): ReleasePlan {
  const until = validUntil(family, payment);
  if (until === null) return { is: 'done' };
  if (now < lookAt(until)) return { is: 'wait', until: lookAt(until) };
  const ids = new Set([payment.id, ...incrementsOf(family, payment).map(({ id }) => id)]);
  const isPart = (other: Payment) => ['CP', 'RC', 'RV'].includes(other.paymentType) || isIncrement(other);
  const isUndecided = family.some(
    (other) => other.referencedId !== null && ids.has(other.referencedId) && isPart(other) && isOpen(other),
  );
  if (isUndecided) return { is: 'wait', until: now + OPEN_WAIT_MS };
  const { available, captured, reversed } = balanceOf(family, payment);
  const rest = available.least - captured.most - reversed.most;
  return rest > 0n ? { is: 'release', amount: rest } : { is: 'done' };
}

/** The authorisation that a release is about: of an increment the one that it raised. */
export const releasedBy = (family: readonly Payment[], payment: Payment): Payment =>
  isRaising(payment) ? (family.find(({ id }) => id === payment.referencedId) ?? payment) : payment;

/**
 * The instant of the first release check of an authorisation, a column of the store; null: it is none, or its validity is not known and
 * it is checked soon.
 */
export function releaseAtOf(payment: Payment): number | null {
  if (!isAuthorisation(payment)) return null;
  if (payment.amount === 0n) return NEVER_AGAIN;
  const end = ownEnd(payment);
  return end === null ? null : lookAt(end);
}
