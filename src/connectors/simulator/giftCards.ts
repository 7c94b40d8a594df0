import type { Attempt } from '../../payments/ports.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';

/** The behaviour of the sandbox's gift cards. The documentation prints this table. */
export const giftCards = {
  '`giftCard.pin` is all zeros': 'declined with 800.100.166',
  'amount above the balance, which is the last four digits of `giftCard.number`: 6035 7100 0000 0050 holds 50.00':
    'declined with 800.100.203',
  'anything else': 'approved',
} as const;

/** Why a gift card is declined; null when it is accepted or is none. The last four digits of its number are its balance. */
export function objectionToGiftCard({ payment, secrets }: Attempt): NegativeCode | null {
  const { instrument, paymentType, amount } = payment;
  if (instrument?.kind !== 'giftCard' || !['PA', 'DB'].includes(paymentType)) return null;
  if (secrets.pin !== undefined && /^0+$/.test(secrets.pin)) return '800.100.166';
  const holds = instrument.last4Digits ?? '';
  return /^\d{4}$/.test(holds) && amount > BigInt(holds) * 100n ? '800.100.203' : null;
}
