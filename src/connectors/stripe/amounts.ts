import type { Amount } from '../../money/amount.ts';
import { digitsOf } from '../../spec/currencies.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import { amountFor, type Exponents, amountFrom as hundredthsFrom } from '../amounts.ts';

/** Digits that differ from ISO 4217. ISK stays at two for old clients, with zeros behind; MGA has none. */
export const stripeExponents: Exponents = { ISK: 2, MGA: 0 };

/** No charge has more digits than this. */
const UNITS_MAX = 99_999_999n;

/** How the account counts UGX: pages of the acquirer contradict each other, so an account must be tried before it is set. */
export type UgxDecimals = 'unknown' | '0' | '2';

export type Units = { readonly is: 'units'; readonly units: bigint } | { readonly is: 'refused'; readonly code: NegativeCode };

/** Undefined: nothing is known about UGX on this account. */
function exponentsFor(currency: string, ugxDecimals: UgxDecimals): Exponents | undefined {
  if (currency !== 'UGX') return stripeExponents;
  return ugxDecimals === 'unknown' ? undefined : { UGX: Number(ugxDecimals) };
}

/** The amount in the acquirer's smallest unit, or why it cannot be sent. */
export function unitsOf(amount: Amount, currency: string, ugxDecimals: UgxDecimals): Units {
  const known = exponentsFor(currency, ugxDecimals);
  const digits = digitsOf(currency);
  if (known === undefined || digits === undefined) return { is: 'refused', code: '100.550.401' };
  // A currency without decimals stays whole, also where the acquirer adds two zeros.
  const isWhole = digits !== 0 || amount % 100n === 0n;
  const units = isWhole ? amountFor(amount, currency, known) : undefined;
  if (units === undefined) return { is: 'refused', code: '100.550.303' };
  return units > UNITS_MAX ? { is: 'refused', code: '100.550.301' } : { is: 'units', units };
}

/** The acquirer's amount in hundredths; null: not expressible, or no currency of ours. */
export function amountFrom(units: bigint, currency: string, ugxDecimals: UgxDecimals): Amount | null {
  const known = exponentsFor(currency, ugxDecimals);
  return (known && hundredthsFrom(units, currency, known)) ?? null;
}
