import type { Amount } from '../../money/amount.ts';
import { amountFor, amountFrom, type Exponents } from '../amounts.ts';

/** Where Adyen counts in another unit than ISO 4217. */
export const adyenExponents: Exponents = { CLP: 2, CVE: 0, IDR: 0, ISK: 2 };

/** Fits the 80 characters of a reference, which carries it. */
const VALUE_DIGITS_MAX = 14;

/** The amount in Adyen's smallest unit of the currency; undefined when it cannot be expressed in it. */
export function adyenValue(amount: Amount, currency: string): bigint | undefined {
  const value = amountFor(amount, currency, adyenExponents);
  return value !== undefined && String(value).length <= VALUE_DIGITS_MAX ? value : undefined;
}

/** Hundredths of a value in a notification; null when it is not exact in hundredths or no value. */
export function amountOfValue(value: string, currency: string): Amount | null {
  if (!/^[A-Z]{3}$/.test(currency) || !/^[0-9]{1,18}$/.test(value)) return null;
  return amountFrom(BigInt(value), currency, adyenExponents) ?? null;
}
