import { brands } from '../../../spec/cards/brands.ts';
import { DAY_MS, MINUTE_MS } from '../../../spec/time.ts';
import type { ShopperChoice } from './shopperChoices.ts';
import type { Ticket } from './ticket.ts';

/** How a shopper pays at the bank of the sandbox: immediately, by a transfer with a payment slip, or later by invoice. */
export type BankFlow = 'spot' | 'slip' | 'invoice';

/** The time limit and the choices. An invoice is accepted immediately; a bank cannot decline a transfer by slip. */
export const bankFlows: Readonly<Record<BankFlow, { readonly patienceMs: number; readonly choices: readonly ShopperChoice[] }>> =
  {
    spot: { patienceMs: 30 * MINUTE_MS, choices: ['pay', 'decline', 'cancel', 'later'] },
    slip: { patienceMs: 14 * DAY_MS, choices: ['pay', 'cancel', 'later'] },
    invoice: { patienceMs: 30 * MINUTE_MS, choices: ['pay', 'decline', 'cancel', 'later'] },
  };

/** Storing an account is agreed to immediately, whatever the brand, because nothing is paid yet. */
export const bankFlowOf = ({ brand, paymentType }: Pick<Ticket, 'brand' | 'paymentType'>): BankFlow =>
  paymentType === 'RG' ? 'spot' : (brands[brand]?.paidBy ?? 'spot');
