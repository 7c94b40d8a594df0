import type { Attempt } from '../../payments/ports.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import type { ApiReply } from './client.ts';
import type { Intent } from './objects.ts';
import { instrumentForm } from './requests.ts';
import { isId, type Session, STEP_MS } from './session.ts';

/** The payment method that is confirmed with. */
export type ChargedMethod =
  | { readonly is: 'method'; readonly id: string; readonly isKept: boolean }
  | { readonly is: 'refused'; readonly code: NegativeCode }
  | { readonly is: 'failed'; readonly reply: Exclude<ApiReply, { is: 'object' }> };

/** Makes a payment method of the instrument in the request. */
export async function chargedMethod(session: Session, attempt: Attempt, _intent: Intent): Promise<ChargedMethod> {
  const instrument = instrumentForm(attempt);
  if (instrument.is === 'refused') return instrument;
  const reply = await session.client.call({
    method: 'POST',
    path: 'payment_methods',
    form: instrument.form,
    key: `${attempt.payment.id}-pm`,
    withinMs: STEP_MS,
  });
  if (reply.is !== 'object') return { is: 'failed', reply };
  const { id } = reply.value;
  if (typeof id !== 'string' || !isId(id, 'pm')) return { is: 'failed', reply: { is: 'unknown' } };
  return { is: 'method', id, isKept: false };
}

export async function keepMethod(_session: Session, _attempt: Attempt, _intent: Intent): Promise<void> {}
