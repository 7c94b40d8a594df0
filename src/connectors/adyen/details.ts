import { createHmac } from 'node:crypto';
import { acquirerKey, type Payment } from '../../payments/payment.ts';
import { MINUTE_MS } from '../../spec/time.ts';
import { type ResultContext, type ResultReading, readResult } from './answers.ts';
import type { AdyenReply } from './client.ts';
import type { AdyenParts } from './parts.ts';
import { referenceText } from './references.ts';
import { moneyOf } from './requests.ts';

const MASTERCARD: ReadonlySet<string | null> = new Set(['MASTER', 'MASTERDEBIT', 'MAESTRO']);

export const isInitial = ({ fields }: Payment): boolean =>
  fields['standingInstruction.mode'] === 'INITIAL' || fields.recurringType === 'INITIAL';

type Money = NonNullable<ReturnType<typeof moneyOf>>;

/** By which an answer about a payment is read. */
export function contextOf({ needs, settings }: AdyenParts, payment: Payment, money: Money): ResultContext {
  return {
    reference: referenceText(payment, money.value),
    ...money,
    isMastercard: MASTERCARD.has(payment.paymentBrand),
    isInitial: isInitial(payment),
    until: shopperUntil({ needs, settings }, payment),
    mustName: false,
    takesSteps: settings.clientKey !== '',
  };
}

/** Until when a shopper may pay elsewhere. */
export const shopperUntil = ({ needs, settings }: Pick<AdyenParts, 'needs' | 'settings'>, { merchantId }: Payment): number =>
  needs.clockOf(merchantId).now() + settings.shopperMinutes * MINUTE_MS;

/**
 * Sends what a browser brought. The same text has the same key: however often it is sent, Adyen works on it once. `reading` is null
 * without an answer of Adyen to it.
 */
export async function askDetails(
  parts: AdyenParts,
  payment: Payment,
  details: Readonly<Record<string, string>>,
): Promise<{ readonly reply: AdyenReply; readonly reading: ResultReading | null }> {
  const money = moneyOf(payment, parts.settings);
  if (money === null) return { reply: { is: 'unknown' }, reading: null };
  const digest = createHmac('sha256', payment.id).update(Object.values(details).join()).digest('hex').slice(0, 16);
  const reply = await parts.post({
    step: 'details',
    path: '/payments/details',
    body: { details },
    key: `${acquirerKey(payment)}-d${digest}`,
  });
  if (reply.is !== 'ok') return { reply, reading: null };
  const context = { ...contextOf(parts, payment, money), mustName: { pspReference: payment.reference } };
  return { reply, reading: readResult(reply.body, context) };
}
