import type { AcquirerAnswer, Inquiry } from '../../payments/ports.ts';
import { detailsOf } from './answers.ts';
import { cancelIntent, retrieveIntent } from './intents.ts';
import type { Intent } from './objects.ts';
import { isId, type Session, unitsIn, waiting } from './session.ts';

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
