import { type Amount, minorUnits } from '../../money/amount.ts';
import { digitsOf } from '../../spec/currencies.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';

/** Digits that differ from ISO 4217. ISK stays at two for old clients, with zeros behind; MGA has none. */
const digitsByCurrency: Readonly<Record<string, number>> = { ISK: 2, MGA: 0 };

/** No charge has more digits than this. */
const UNITS_MAX = 99_999_999n;

/** How the account counts UGX: pages of the acquirer contradict each other, so an account must be tried before it is set. */
export type UgxDecimals = 'unknown' | '0' | '2';

export type Units = { readonly is: 'units'; readonly units: bigint } | { readonly is: 'refused'; readonly code: NegativeCode };

/** The amount in the acquirer's smallest unit, or why it cannot be sent. */
export function unitsOf(amount: Amount, currency: string, ugxDecimals: UgxDecimals): Units {
  const digits = digitsFor(currency, ugxDecimals);
  if (digits === null) return { is: 'refused', code: '100.550.401' };
  // A currency without decimals stays whole, also where the acquirer adds two zeros.
  const isWhole = digitsOf(currency) !== 0 || amount % 100n === 0n;
  const units = isWhole ? minorUnits(amount, digits) : undefined;
  if (units === undefined) return { is: 'refused', code: '100.550.303' };
  return units > UNITS_MAX ? { is: 'refused', code: '100.550.301' } : { is: 'units', units };
}

/** The acquirer's amount in hundredths; null: not expressible, or no currency of ours. */
export function amountFrom(units: bigint, currency: string, ugxDecimals: UgxDecimals): Amount | null {
  const digits = digitsFor(currency, ugxDecimals);
  if (digits === null) return null;
  if (digits <= 2) return units * 10n ** BigInt(2 - digits);
  const step = 10n ** BigInt(digits - 2);
  return units % step === 0n ? units / step : null;
}

function digitsFor(currency: string, ugxDecimals: UgxDecimals): number | null {
  if (currency === 'UGX') return ugxDecimals === 'unknown' ? null : Number(ugxDecimals);
  return digitsByCurrency[currency] ?? digitsOf(currency) ?? null;
}
