import { amountText } from '../../../money/amount.ts';
import { codeOf } from '../../../payments/commitPayment.ts';
import type { Payment } from '../../../payments/payment.ts';
import { statusOf } from '../../../payments/reply/paymentView.ts';
import { stateOf } from '../../../payments/search/search.ts';
import { last4Of } from '../../../registrations/registration.ts';
import type { FoundPayment } from '../../../spec/answers/payments.ts';
import { resultCodes } from '../../../spec/resultCodes.ts';
import type { Services } from '../../services.ts';

export const instant = (at: number): string => new Date(at).toISOString();

/** A payment in lists of the back office. */
export function foundShown(
  { directory }: Pick<Services, 'directory'>,
  payment: Payment,
  family: readonly Payment[],
): FoundPayment {
  const code = codeOf(payment);
  return {
    id: payment.id,
    shortId: payment.shortId,
    merchantTransactionId: payment.merchantTransactionId,
    merchantId: payment.merchantId,
    entityId: payment.entityId,
    channel: directory.entity(payment.entityId)?.name ?? '',
    createdAt: instant(payment.createdAt),
    paymentType: payment.paymentType,
    paymentBrand: payment.paymentBrand,
    amount: amountText(payment.amount),
    currency: payment.currency,
    state: stateOf(payment),
    status: statusOf(family, payment),
    code,
    description: resultCodes[code].text,
    last4: last4Of(payment.instrument),
    email: payment.fields['customer.email'] ?? null,
    referencedId: payment.referencedId,
  };
}
