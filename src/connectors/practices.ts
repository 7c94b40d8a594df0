import type { AcquirerAnswer, Attempt } from '../payments/ports.ts';
import type { NegativeCode } from '../spec/resultCodes.ts';
import type { LimitRow } from './kind.ts';

const CODE: NegativeCode = '100.150.100';

/**
 * The gateway keeps no number of a card that was not stored, and these acquirers take no other name of the card of an earlier payment. So a
 * payment that only names the one it follows has nothing to charge.
 */
export const practiceLimit: LimitRow = {
  what: '`standingInstruction.industryPractice` other than INCREMENTAL_AUTH with `referenceUuid`, without card or registration',
  code: CODE,
  why:
    'The number of a card is not kept, and the acquirer does not charge the card of an earlier payment by its reference: ' +
    'send the card or a registrationId',
};

/** The decline of a payment by an industry practice that brings nothing to charge; null: it is another payment. */
export function declineWithoutCard({ payment, registration }: Attempt): (AcquirerAnswer & { readonly is: 'declined' }) | null {
  const hasInstrument = payment.instrument !== null || registration !== null;
  if (payment.industryPractice === null || hasInstrument) return null;
  return { is: 'declined', code: CODE, details: { resultDetails: { ExtendedDescription: practiceLimit.why } } };
}
