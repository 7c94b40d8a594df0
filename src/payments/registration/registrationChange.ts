import { joined, retainedUntil, settled } from '../../registrations/moves.ts';
import { type Registration, sealedRecordOf, secretsText } from '../../registrations/registration.ts';
import { isApproved } from '../balance.ts';
import { codeOf, storingEventFor } from '../commitPayment.ts';
import type { Order } from '../order.ts';
import { isOpen, type Payment } from '../payment.ts';
import type { Attempt, RegistrationChange, World } from '../ports.ts';
import { instructionIn, seriesAfter } from '../series.ts';

type PaymentAttempt = { readonly order: Order; readonly attempt: Attempt };

/** The change of a registration by a new payment, in the same commit; null: none. */
export function registrationChangeBy(world: World, payment: Payment, made: PaymentAttempt): RegistrationChange | null {
  if (payment.registrationId === null) return null;
  const { registration } = made.order;
  return registration ? joinSeries(payment, registration) : storeInstrument(world, payment, made);
}

/** The change of a registration by a payment that has moved. */
export function registrationChangeAfter(world: World, payment: Payment, registration: Registration): RegistrationChange | null {
  if (isOpen(payment)) return null;
  if (registration.paymentId !== payment.id) return joinSeries(payment, registration);
  // Deleted while its payment was under way: it stays deleted.
  if (registration.state !== 'open') return null;
  const isGood = isApproved(payment);
  const series = seriesAfter(registration.series, payment.details);
  const { connector } = payment;
  const moved = settled(registration, payment.movedAt, { isApproved: isGood, code: codeOf(payment), series, connector });
  return { registration: moved, sealed: isGood ? 'kept' : null, event: storingEventFor(world, payment, isGood) };
}

function storeInstrument(world: World, payment: Payment, { order, attempt }: PaymentAttempt): RegistrationChange | null {
  const { instrument, registrationId: id } = payment;
  if (instrument === null || id === null) return null;
  const isGood = isApproved(payment);
  const isKept = isGood || isOpen(payment);
  const now = payment.createdAt;
  const registration: Registration = {
    id,
    merchantId: payment.merchantId,
    entityId: payment.entityId,
    paymentId: payment.id,
    paymentBrand: payment.paymentBrand,
    method: payment.method,
    mode: payment.mode,
    connector: payment.connector,
    instrument,
    fingerprint: payment.fingerprint,
    state: isOpen(payment) ? 'open' : isGood ? 'active' : 'rejected',
    code: codeOf(payment),
    series: isKept ? seriesAfter(attempt.series, payment.details) : null,
    networkToken: null,
    tokenDueAt: isKept && wantsToken(world, payment, order) ? now : null,
    tokenTries: 0,
    createdAt: now,
    movedAt: now,
    usedAt: now,
    expiresAt: retainedUntil({ instrument, usedAt: now, extendedUntil: null }),
    extendedUntil: null,
    revision: 1,
    ndc: payment.ndc,
    fields: payment.fields,
  };
  const clear = isKept ? secretsText(order.secrets) : null;
  return {
    registration,
    sealed: clear === null ? null : world.vault.seal(sealedRecordOf(registration), clear),
    event: storingEventFor(world, payment, isGood),
  };
}

/** A network token is requested for a card's own number; a device number of a wallet is a token already. */
function wantsToken(world: World, { connector, entityId, instrument }: Payment, { tokenUse, fields }: Order): boolean {
  if (instrument?.kind !== 'card' || tokenUse !== null || fields['card.numberType'] === 'DPAN') return false;
  return world.connector(connector, entityId)?.tokens !== undefined;
}

/** The first payment of a series with an existing registration: the later ones will name it. */
function joinSeries(payment: Payment, registration: Registration): RegistrationChange | null {
  if (registration.state !== 'active' || !isApproved(payment)) return null;
  const instruction = instructionIn(payment);
  if (instruction?.mode !== 'INITIAL') return null;
  const series = seriesAfter(instruction, payment.details);
  return series && { registration: joined(registration, payment.movedAt, series), sealed: 'kept', event: null };
}
