import type { Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer, Attempt, Inquiry } from '../../payments/ports.ts';
import { isRecord } from '../../spec/json.ts';
import { DAY_MS } from '../../spec/time.ts';
import { eventsOf } from './events.ts';
import { modificationAnswer, modificationRequest, modificationSent, planModification } from './modifications.ts';
import { type AdyenParts, failureAnswer } from './parts.ts';
import { isPspReference } from './references.ts';

/** Adyen knows an idempotency key for at least seven days: after that a request is not repeated. */
const KEY_LIFE_MS = 6 * DAY_MS;
/** So many inquiries without a notification are about an hour. */
const INQUIRIES_UNTIL_ALARM = 20;

/** The record of an adjustment: its total is needed to repeat it. */
const adjustmentId = (paymentId: string): string => `adjustment/${paymentId}`;

/** Captures, refunds, reversals, adjustments: Adyen receives them, and a notification decides. */
export async function sendModification(parts: AdyenParts, attempt: Attempt): Promise<AcquirerAnswer> {
  const { payment } = attempt;
  const plan = planModification(attempt);
  if (plan.is === 'impossible') return { is: 'declined', code: plan.code, details: {} };
  const composed = modificationRequest(attempt, plan.modification, parts.settings, plan.total);
  if (composed.is === 'impossible') return { is: 'declined', code: composed.code, details: {} };
  if (plan.total !== null) await keepTotal(parts, payment, plan.total);
  const reply = await parts.post({ step: 'modify', path: composed.path, body: composed.body, key: payment.id });
  return reply.is === 'ok' ? received(reply.body) : failureAnswer(reply, parts.needs);
}

async function keepTotal({ needs }: AdyenParts, { id, familyId, createdAt }: Payment, total: bigint): Promise<void> {
  const document = { id: adjustmentId(id), group: familyId, at: createdAt, revision: 1, body: { total: String(total) } };
  await needs.documents.save([document]);
}

async function totalOf({ needs }: AdyenParts, payment: Payment): Promise<bigint | null> {
  const mayAdjust = payment.paymentType === 'RV' || payment.paymentType === 'PA';
  const document = mayAdjust ? await needs.documents.find(adjustmentId(payment.id)) : null;
  const body = document?.body;
  return isRecord(body) && typeof body.total === 'string' ? BigInt(body.total) : null;
}

const received = ({ pspReference }: Readonly<Record<string, unknown>>): AcquirerAnswer => ({
  is: 'waiting',
  ...(isPspReference(pspReference) && { reference: pspReference }),
});

/** The authorisation behind a capture: Adyen may name a refund by it. */
const authorised = (referenced: Payment | null): Pick<Payment, 'merchantId' | 'id'> | null =>
  referenced?.referencedId ? { merchantId: referenced.merchantId, id: referenced.referencedId } : null;

/** The answer among the notifications. A request whose answer was lost is repeated with its key, which returns the first answer. */
export async function inquireModification(parts: AdyenParts, inquiry: Inquiry): Promise<AcquirerAnswer> {
  const { payment, referenced } = inquiry;
  const { needs, settings } = parts;
  const total = await totalOf(parts, payment);
  const modification = modificationSent(inquiry, total !== null);
  const known = modificationAnswer(inquiry, modification, await eventsOf(needs, payment, referenced, authorised(referenced)));
  if (known) return known;
  if (payment.phase.at === 'doubt' && payment.phase.tries === INQUIRIES_UNTIL_ALARM)
    needs.alarm('no notification of Adyen has come for an hour: is the webhook set up?', { paymentId: payment.id });
  const isKeyOver = needs.clockOf(payment.merchantId).now() >= payment.createdAt + KEY_LIFE_MS;
  if (payment.reference !== undefined || isKeyOver) return { is: 'waiting' };
  const composed = modificationRequest(inquiry, modification, settings, total);
  if (composed.is === 'impossible') return { is: 'waiting' };
  const reply = await parts.post({ step: 'modify', path: composed.path, body: composed.body, key: payment.id });
  if (reply.is === 'ok') return received(reply.body);
  // The first request was never accepted, or the key would have returned its answer. Credentials and load say nothing about it.
  return reply.is === 'refused' && ![401, 403].includes(reply.status) ? failureAnswer(reply, needs) : { is: 'waiting' };
}
