import type { AcquirerAnswer } from '../../../payments/ports.ts';
import type { Ticket } from './ticket.ts';

/** What a shopper can do at the bank; `later` leaves the payment open. */
export type ShopperChoice = 'pay' | 'decline' | 'cancel' | 'later';

type Named = Pick<Ticket, 'paymentId'>;

/** The answer to each choice; null: none yet. */
export const answerByChoice = {
  pay: ({ paymentId }) => ({ is: 'approved', details: { resultDetails: { ...detailsOf(paymentId), AcquirerResponse: '00' } } }),
  decline: ({ paymentId }) => ({ is: 'declined', code: '800.100.152', details: { resultDetails: detailsOf(paymentId) } }),
  cancel: ({ paymentId }) => ({ is: 'declined', code: '100.396.101', details: { resultDetails: detailsOf(paymentId) } }),
  later: () => null,
} as const satisfies Readonly<Record<ShopperChoice, (ticket: Named) => AcquirerAnswer | null>>;

const detailsOf = (paymentId: string) => ({
  clearingInstituteName: 'Turnpike Simulator',
  ConnectorTxID1: paymentId,
  ConnectorTxID2: paymentId.slice(0, 8),
  ConnectorTxID3: paymentId.slice(-22),
});
