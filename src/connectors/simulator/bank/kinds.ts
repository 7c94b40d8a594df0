import { brands } from '../../../spec/brands.ts';
import { DAY_MS, MINUTE_MS } from '../../../spec/time.ts';
import type { Choice } from './choices.ts';
import type { Ticket } from './ticket.ts';

/** How a shopper pays at the bank of the sandbox: on the spot, by himself with a slip, or later by an invoice. */
export type Kind = 'spot' | 'slip' | 'invoice';

/** How long he may take, and what he can do. An invoice is agreed to on the spot; nobody can decline what he transfers himself. */
export const kinds: Readonly<Record<Kind, { readonly patienceMs: number; readonly choices: readonly Choice[] }>> = {
  spot: { patienceMs: 30 * MINUTE_MS, choices: ['pay', 'decline', 'cancel', 'later'] },
  slip: { patienceMs: 14 * DAY_MS, choices: ['pay', 'cancel', 'later'] },
  invoice: { patienceMs: 30 * MINUTE_MS, choices: ['pay', 'decline', 'cancel', 'later'] },
};

/** Who lets his account be stored pays nothing yet, whatever the brand: he agrees on the spot. */
export const kindOf = ({ brand, paymentType }: Pick<Ticket, 'brand' | 'paymentType'>): Kind =>
  paymentType === 'RG' ? 'spot' : (brands[brand]?.paidBy ?? 'spot');
