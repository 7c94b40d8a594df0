/**
 * An amount on the wire has two decimals in every currency of this API, so inside it is a count of hundredths, exact, never a float.
 * What a currency's own smallest unit is matters only to an acquirer: see minorUnits.
 */
export type Amount = bigint;

/** ISO 4217 for "no currency": of what moves no money. */
export const NO_CURRENCY = 'XXX';

const SHAPE = /^([0-9]{1,13})(?:\.([0-9]{2}))?$/;

/** `92`, `92.00` → 9200n; anything else → undefined. */
export function amountOf(text: string): Amount | undefined {
  const parts = SHAPE.exec(text);
  if (!parts) return undefined;
  return BigInt(`${parts[1]}${parts[2] ?? '00'}`);
}

/** 9200n → `92.00`. */
export function amountText(amount: Amount): string {
  const sign = amount < 0n ? '-' : '';
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Hundredths in the smallest unit of a currency with `digits` decimals, for an acquirer that wants it so; undefined when the amount
 * cannot be paid in that currency (92.50 yen).
 */
export function minorUnits(amount: Amount, digits: number): bigint | undefined {
  if (digits >= 2) return amount * 10n ** BigInt(digits - 2);
  const step = 10n ** BigInt(2 - digits);
  return amount % step === 0n ? amount / step : undefined;
}
