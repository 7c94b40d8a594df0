import type { Commit } from '../payments/needs.ts';
import { last4Of } from '../payments/search.ts';

/** What a payment is found by, in columns of its own. */
export const searchCells = ['last4', 'brand', 'code', 'email_hash'] as const;

/** The code of what is still open. */
const OPEN = '000.200.000';

export function searchCellsOf({ payment, emailHash }: Pick<Commit, 'payment' | 'emailHash'>) {
  const { phase, paymentBrand } = payment;
  return [last4Of(payment), paymentBrand, phase.at === 'final' ? phase.code : OPEN, emailHash ?? null] as const;
}
