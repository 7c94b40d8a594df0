import type { Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer, Attempt, Inquiry } from '../../payments/ports.ts';
import { answerToBooking, declinedByRepeat, detailsOf, objectFrom } from './answers.ts';
import type { ApiReply } from './client.ts';
import { type Intent, readIntent, readRefund } from './objects.ts';
import { retrieveIntent } from './payments.ts';
import { ISSUER_MS, isId, isRepeatable, type Session, STEP_MS, unitsIn, waiting } from './session.ts';

/** The mark that a capture leaves in the metadata of its intent: the proof that it was made. */
const markOf = ({ id }: Payment): string => `cp_${id}`;

const approvedBy = (intent: Intent): AcquirerAnswer => ({
  is: 'approved',
  details: detailsOf(intent),
  // Disputes and refunds name the charge.
  ...(intent.chargeId !== null && { reference: intent.chargeId }),
});

export async function sendCapture(session: Session, { payment, referenced }: Attempt): Promise<AcquirerAnswer> {
  const intentId = referenced?.reference;
  if (!isId(intentId, 'pi')) return { is: 'declined', code: '700.400.510', details: {} };
  const units = unitsIn(session, payment);
  if (units.is === 'refused') return { is: 'declined', code: units.code, details: {} };
  const reply = await capture(session, payment, { intentId, units: units.units });
  return answerToBooking(session, reply, (executed) => answerOf(executed, payment));
}

type Captured = { readonly intentId: string; readonly units: bigint };

async function capture(session: Session, payment: Payment, { intentId, units }: Captured): Promise<ApiReply> {
  const form = {
    amount_to_capture: units,
    metadata: { [markOf(payment)]: String(units) },
    expand: ['latest_charge'],
    ...((await hasMulticapture(session, intentId)) && { final_capture: payment.isLast }),
  };
  const key = `${payment.id}-capture`;
  return session.client.call({
    step: 'capture',
    method: 'POST',
    path: `payment_intents/${intentId}/capture`,
    form,
    key,
    withinMs: ISSUER_MS,
  });
}

/** Whether the card of this authorisation allows several captures; it never changes. Asked only where the account wants them. */
async function hasMulticapture(session: Session, intentId: string): Promise<boolean> {
  if (!session.settings.multicapture) return false;
  return (await retrieveIntent(session, intentId)).charge?.card?.hasMulticapture ?? false;
}

/** Throws when the reply is none. */
function answerOf(reply: ApiReply, payment: Payment): AcquirerAnswer {
  const intent = objectFrom(reply, readIntent);
  return isMarked(intent, payment) ? approvedBy(intent) : waiting(undefined);
}

const isMarked = ({ metadata, amountReceived }: Intent, payment: Payment): boolean =>
  metadata[markOf(payment)] !== undefined && amountReceived > 0n;

/**
 * Repeats the capture while its key lives; afterwards, and when that brings no answer, the mark decides. An error of the server is kept
 * with the key and never changes.
 */
export async function inquireCapture(session: Session, { payment, referenced }: Inquiry): Promise<AcquirerAnswer> {
  const intentId = referenced?.reference;
  const units = unitsIn(session, payment);
  if (!isId(intentId, 'pi') || units.is === 'refused') return { is: 'absent' };
  const reply = isRepeatable(payment, session.now()) ? await capture(session, payment, { intentId, units: units.units }) : null;
  if (reply?.is === 'object') return answerOf(reply, payment);
  const intent = await retrieveIntent(session, intentId);
  if (isMarked(intent, payment)) return approvedBy(intent);
  return reply === null ? { is: 'absent' } : declinedByRepeat(session, reply);
}

/** Refunds a capture that was made after all. */
export async function cancelCapture(session: Session, { payment, referenced }: Inquiry): Promise<AcquirerAnswer> {
  const intentId = referenced?.reference;
  const units = unitsIn(session, payment);
  if (!isId(intentId, 'pi') || units.is === 'refused') return { is: 'cancelled' };
  const intent = await retrieveIntent(session, intentId);
  if (!isMarked(intent, payment)) return { is: 'cancelled', reference: intent.chargeId ?? intent.id };
  const form = { payment_intent: intentId, amount: units.units };
  const reply = await session.client.call({
    step: 'refund',
    method: 'POST',
    path: 'refunds',
    form,
    key: `${payment.id}-undo`,
    withinMs: STEP_MS,
  });
  const refund = objectFrom(reply, readRefund);
  return refund.status === 'succeeded' ? { is: 'cancelled', reference: intent.chargeId ?? intent.id } : waiting(undefined);
}
