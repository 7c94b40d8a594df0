import { type Amount, minorUnits } from '../money/amount.ts';
import { digitsOf } from '../spec/currencies.ts';

/** Currencies that an acquirer counts in other units than ISO 4217 says: the number of decimals, by currency. */
export type Exponents = Readonly<Partial<Record<string, number>>>;

/**
 * An amount in the acquirer's smallest units. Undefined: it cannot be expressed exactly, or the currency is unknown, and must not be sent.
 */
export function amountFor(amount: Amount, currency: string, exceptions: Exponents = {}): bigint | undefined {
  const digits = exceptions[currency] ?? digitsOf(currency);
  return digits === undefined ? undefined : minorUnits(amount, digits);
}

/** An amount of the acquirer's in ours; undefined where hundredths cannot express it. */
export function amountFrom(units: bigint, currency: string, exceptions: Exponents = {}): Amount | undefined {
  const digits = exceptions[currency] ?? digitsOf(currency);
  if (digits === undefined) return undefined;
  if (digits <= 2) return units * 10n ** BigInt(2 - digits);
  const factor = 10n ** BigInt(digits - 2);
  return units % factor === 0n ? units / factor : undefined;
}
