import type { Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer, Attempt, Inquiry } from '../../payments/ports.ts';
import { isRecord } from '../../runtime/json.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import { declinedBy, declinedByRepeat, detailsOf, objectFrom } from './answers.ts';
import type { ApiReply } from './client.ts';
import { type Intent, readIntent } from './objects.ts';
import { retrieveIntent } from './payments.ts';
import { ISSUER_MS, isId, isRepeatable, type Session, unitsIn, waiting } from './session.ts';

/**
 * INCREMENTAL_AUTH. The acquirer wants the new total, so two simultaneous increments would lose one of them. The totals of an
 * authorisation are therefore kept in a record, and while one increment is open there is no second.
 */

export const isIncrement = ({ industryPractice }: Payment): boolean => industryPractice === 'INCREMENTAL_AUTH';

type Entry = { readonly id: string; readonly total: string; readonly isOpen: boolean };
type Totals = { readonly revision: number; readonly entries: readonly Entry[] };

const documentId = (intentId: string): string => `increments/${intentId}`;
const markOf = ({ id }: Payment): string => `inc_${id}`;
const declined = (code: NegativeCode): AcquirerAnswer => ({ is: 'declined', code, details: {} });

async function loadTotals({ needs }: Session, intentId: string): Promise<Totals> {
  const document = await needs.documents.find(documentId(intentId));
  const body = document?.body;
  return { revision: document?.revision ?? 0, entries: isRecord(body) && Array.isArray(body.entries) ? body.entries : [] };
}

const saveTotals = ({ needs, now }: Session, intentId: string, { revision, entries }: Totals): Promise<boolean> =>
  needs.documents.save([{ id: documentId(intentId), group: 'increments', at: now(), revision: revision + 1, body: { entries } }]);

/** The next increment may follow. A change that was lost to another is made by the next inquiry. */
async function close(session: Session, intentId: string, payment: Payment): Promise<void> {
  const { revision, entries } = await loadTotals(session, intentId);
  await saveTotals(session, intentId, {
    revision,
    entries: entries.map((entry) => (entry.id === payment.id ? { ...entry, isOpen: false } : entry)),
  });
}

const approvedBy = (intent: Intent): AcquirerAnswer => ({ is: 'approved', details: detailsOf(intent), reference: intent.id });
const isMarked = ({ metadata }: Intent, payment: Payment): boolean => metadata[markOf(payment)] !== undefined;

export async function sendIncrement(session: Session, { payment, referenced }: Attempt): Promise<AcquirerAnswer> {
  const intentId = referenced?.reference;
  if (!session.settings.incrementalAuthorisation || !isId(intentId, 'pi')) return declined('600.200.202');
  const totals = await loadTotals(session, intentId);
  if (totals.entries.some(({ isOpen }) => isOpen)) return declined('700.400.570');
  const intent = await retrieveIntent(session, intentId);
  if (intent.status !== 'requires_capture') return declined('700.300.300');
  if (!intent.charge?.card?.hasIncrements) return declined('800.100.170');
  const raise = unitsIn(session, payment);
  if (raise.is === 'refused') return declined(raise.code);
  const entry = { id: payment.id, total: String(intent.amount + raise.units), isOpen: true };
  if (!(await saveTotals(session, intentId, { ...totals, entries: [...totals.entries, entry] }))) return declined('700.400.570');
  const reply = await increment(session, payment, { intentId, total: entry.total });
  if (reply.is === 'error' && (reply.status === 402 || reply.isCertain))
    return closed(session, intentId, payment, declinedBy(session, reply));
  return answerOf(session, payment, reply);
}

const increment = (
  session: Session,
  payment: Payment,
  { intentId, total }: { readonly intentId: string; readonly total: string },
) =>
  session.client.call({
    step: 'increment',
    method: 'POST',
    path: `payment_intents/${intentId}/increment_authorization`,
    form: { amount: total, metadata: { [markOf(payment)]: total }, expand: ['latest_charge'] },
    key: `${payment.id}-increment`,
    withinMs: ISSUER_MS,
  });

async function closed(session: Session, intentId: string, payment: Payment, answer: AcquirerAnswer): Promise<AcquirerAnswer> {
  await close(session, intentId, payment);
  return answer;
}

async function answerOf(session: Session, payment: Payment, reply: ApiReply): Promise<AcquirerAnswer> {
  if (reply.is !== 'object') return waiting(undefined);
  const intent = objectFrom(reply, readIntent);
  return isMarked(intent, payment) ? closed(session, intent.id, payment, approvedBy(intent)) : waiting(undefined);
}

/** Repeats the increment while its key lives; afterwards, and when that brings no answer, the mark decides. */
export async function inquireIncrement(session: Session, { payment, referenced }: Inquiry): Promise<AcquirerAnswer> {
  const intentId = referenced?.reference;
  if (!isId(intentId, 'pi')) return { is: 'absent' };
  const entry = (await loadTotals(session, intentId)).entries.find(({ id }) => id === payment.id);
  if (!entry) return { is: 'absent' };
  const reply = isRepeatable(payment, session.now()) ? await increment(session, payment, { intentId, total: entry.total }) : null;
  if (reply?.is === 'object') return answerOf(session, payment, reply);
  const intent = await retrieveIntent(session, intentId);
  if (isMarked(intent, payment)) return closed(session, intentId, payment, approvedBy(intent));
  return reply === null ? { is: 'absent' } : closed(session, intentId, payment, declinedByRepeat(session, reply));
}

/** An increment cannot be lowered again: only one that was never made is cancelled. */
export async function cancelIncrement(session: Session, { payment, referenced }: Inquiry): Promise<AcquirerAnswer> {
  const intentId = referenced?.reference;
  if (!isId(intentId, 'pi')) return { is: 'cancelled' };
  const intent = await retrieveIntent(session, intentId);
  if (!isMarked(intent, payment) || intent.status === 'canceled') {
    return closed(session, intentId, payment, { is: 'cancelled', reference: intentId });
  }
  session.needs.alarm('an increment that failed here was made there and cannot be taken back', { paymentId: payment.id });
  return waiting(intentId);
}
