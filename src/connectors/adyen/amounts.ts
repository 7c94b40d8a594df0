import { type Amount, minorUnits } from '../../money/amount.ts';
import { digitsOf } from '../../spec/currencies.ts';

/** Where Adyen counts in another unit than ISO 4217. */
const exceptions: Readonly<Record<string, number>> = { CLP: 2, CVE: 0, IDR: 0, ISK: 2 };

/** Fits the 80 characters of a reference, which carries it. */
const VALUE_DIGITS_MAX = 14;

const decimalsOf = (currency: string): number | undefined =>
  Object.hasOwn(exceptions, currency) ? exceptions[currency] : digitsOf(currency);

/** The amount in Adyen's smallest unit of the currency; undefined when it cannot be expressed in it. */
export function adyenValue(amount: Amount, currency: string): bigint | undefined {
  const decimals = decimalsOf(currency);
  const value = decimals === undefined ? undefined : minorUnits(amount, decimals);
  return value !== undefined && String(value).length <= VALUE_DIGITS_MAX ? value : undefined;
}

/** Hundredths of a value of Adyen; null when it is not exact in hundredths or no value. */
export function amountOfValue(value: string, currency: string): Amount | null {
  const decimals = decimalsOf(currency);
  if (decimals === undefined || !/^[0-9]{1,18}$/.test(value)) return null;
  const units = BigInt(value);
  if (decimals <= 2) return units * 10n ** BigInt(2 - decimals);
  const step = 10n ** BigInt(decimals - 2);
  return units % step === 0n ? units / step : null;
}
