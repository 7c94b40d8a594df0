import { type Payment, paymentRefText } from '../../payments/payment.ts';
import type { AcquirerAnswer, Attempt, Inquiry } from '../../payments/ports.ts';
import { answerOfRefund, answerToBooking, declinedByRepeat, detailsOf, objectFrom } from './answers.ts';
import type { ApiReply, FormFields } from './client.ts';
import { type Intent, type Refund, readList, readRefund } from './objects.ts';
import { cancelIntent, retrieveIntent } from './payments.ts';
import { isId, isRepeatable, METADATA_PAYMENT, metadataOf, type Session, Silence, STEP_MS, unitsIn, waiting } from './session.ts';

/** The target of a refund: the charge of a capture, or the intent of a debit. */
function targetOf(referenced: Payment | null): FormFields | null {
  const reference = referenced?.reference;
  if (isId(reference, 'pi')) return { payment_intent: reference };
  return isId(reference, 'ch') || isId(reference, 'py') ? { charge: reference } : null;
}

const refund = (session: Session, payment: Payment, target: FormFields, amount: bigint): Promise<ApiReply> =>
  session.client.call({
    step: 'refund',
    method: 'POST',
    path: 'refunds',
    form: { ...target, amount, metadata: metadataOf(payment) },
    key: `${payment.id}-refund`,
    withinMs: STEP_MS,
  });

export async function sendRefund(session: Session, { payment, referenced }: Attempt): Promise<AcquirerAnswer> {
  const target = targetOf(referenced);
  if (target === null) return { is: 'declined', code: '700.400.520', details: {} };
  const units = unitsIn(session, payment);
  if (units.is === 'refused') return { is: 'declined', code: units.code, details: {} };
  const reply = await refund(session, payment, target, units.units);
  return answerToBooking(session, reply, (executed) => answerOfRefund(objectFrom(executed, readRefund)));
}

/** By its id; otherwise the refund is repeated while its key lives; afterwards, or without an answer, the list of refunds decides. */
export async function inquireRefund(session: Session, { payment, referenced }: Inquiry): Promise<AcquirerAnswer> {
  if (isId(payment.reference, 're')) return answerOfRefund(await retrieveRefund(session, payment.reference));
  const target = targetOf(referenced);
  const units = unitsIn(session, payment);
  if (target === null || units.is === 'refused') return { is: 'absent' };
  const reply = isRepeatable(payment, session.now()) ? await refund(session, payment, target, units.units) : null;
  if (reply?.is === 'object') return answerOfRefund(objectFrom(reply, readRefund));
  const made = await findRefund(session, payment, target);
  if (made) return answerOfRefund(made);
  return reply === null ? { is: 'absent' } : declinedByRepeat(session, reply);
}

/** A refund cannot be taken back: only one that was never made is cancelled. */
export async function cancelRefund(session: Session, { payment, referenced }: Inquiry): Promise<AcquirerAnswer> {
  const target = targetOf(referenced);
  if (target === null) return { is: 'cancelled' };
  const made = isId(payment.reference, 're')
    ? await retrieveRefund(session, payment.reference)
    : await findRefund(session, payment, target);
  if (made === null) return { is: 'cancelled' };
  const answer = answerOfRefund(made);
  if (answer.is === 'declined') return answer;
  session.needs.alarm('a refund that failed here was made there and cannot be taken back', {
    paymentId: payment.id,
    refund: made.id,
  });
  return waiting(made.id);
}

async function retrieveRefund(session: Session, id: string): Promise<Refund> {
  return objectFrom(
    await session.client.call({ step: 'retrieve', method: 'GET', path: `refunds/${id}`, withinMs: STEP_MS }),
    readRefund,
  );
}

/** The refunds of a payment are listed without delay, the newest first. */
async function findRefund(session: Session, payment: Payment, target: FormFields): Promise<Refund | null> {
  const reply = await session.client.call({
    step: 'search',
    method: 'GET',
    path: 'refunds',
    query: { ...target, limit: 100 },
    withinMs: STEP_MS,
  });
  const { items, hasMore } = objectFrom(reply, readList);
  const refunds = items.flatMap((item) => readRefund(item) ?? []);
  const made = refunds.find(({ metadata }) => metadata[METADATA_PAYMENT] === paymentRefText(payment));
  if (!made && hasMore) throw new Silence('more refunds than one list holds');
  return made ?? null;
}

/**
 * RV of an authorisation. The acquirer releases all that is left of it, so a reversal of a part is declined. To cancel an intent again
 * changes nothing: inquiring is the same as sending.
 */
export async function sendReversal(session: Session, { payment, referenced }: Inquiry): Promise<AcquirerAnswer> {
  const intentId = referenced?.reference;
  const units = unitsIn(session, payment);
  if (isId(intentId, 'seti')) return { is: 'approved', details: {} };
  if (!isId(intentId, 'pi') || units.is === 'refused') return { is: 'declined', code: '700.400.530', details: {} };
  const intent = await retrieveIntent(session, intentId);
  if (isReleased(intent)) return approvedBy(intent);
  if (intent.status !== 'requires_capture' || intent.amountCapturable !== units.units) {
    return { is: 'declined', code: '700.400.300', details: { resultDetails: { ConnectorTxID1: intent.id } } };
  }
  const after = await cancelIntent(session, intent);
  return isReleased(after) ? approvedBy(after) : waiting(after.id);
}

/** Nothing is left to capture: it was cancelled, it lapsed, or a last capture released the rest. */
const isReleased = ({ status, amountCapturable }: Intent): boolean =>
  status === 'canceled' || (status === 'succeeded' && amountCapturable === 0n);

const approvedBy = (intent: Intent): AcquirerAnswer => ({ is: 'approved', details: detailsOf(intent), reference: intent.id });

/** A release cannot be taken back. */
export async function cancelReversal(session: Session, { referenced }: Inquiry): Promise<AcquirerAnswer> {
  const intentId = referenced?.reference;
  if (!isId(intentId, 'pi')) return { is: 'cancelled' };
  const intent = await retrieveIntent(session, intentId);
  return isReleased(intent) ? waiting(intent.id) : { is: 'cancelled', reference: intent.id };
}
