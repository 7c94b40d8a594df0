import type { PaymentAction } from '../../../spec/areas/payments.ts';
import type { Right } from '../../../spec/rights.ts';

/** The right and the endpoint of each action. */
export const actionRows = {
  capture: { right: 'capture', endpoint: 'capturePayment', says: 'captureSays', isDangerous: false },
  refund: { right: 'refund', endpoint: 'refundPayment', says: 'refundSays', isDangerous: true },
  reverse: { right: 'reverse', endpoint: 'reversePayment', says: 'reverseSays', isDangerous: true },
  chargeback: { right: 'chargeback', endpoint: 'chargebackPayment', says: 'chargebackSays', isDangerous: true },
  chargebackReversal: { right: 'chargeback', endpoint: 'reverseChargeback', says: 'chargebackReversalSays', isDangerous: true },
} as const satisfies Readonly<Record<PaymentAction, { readonly right: Right; readonly [name: string]: unknown }>>;
