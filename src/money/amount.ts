/**
 * An amount on the wire has two decimals in every currency of this API, so inside it is a count of hundredths, exact, never a float.
 * A currency's own smallest unit matters only to an acquirer: see minorUnits.
 */
export type Amount = bigint;

/** ISO 4217 for "no currency": of what moves no money. */
export const NO_CURRENCY = 'XXX';

/** Thirteen digits and two decimals: as a whole number they are far below 2^53, where a number stops being exact. */
const WHOLE_DIGITS_MAX = 13;
const [POINT, ZERO] = [0x2e, 0x30];

/** `92`, `92.00` → 9200n; anything else → undefined. */
export function amountOf(text: string): Amount | undefined {
  const { length } = text;
  const hasDecimals = text.charCodeAt(length - 3) === POINT;
  const whole = hasDecimals ? length - 3 : length;
  if (whole < 1 || whole > WHOLE_DIGITS_MAX) return undefined;
  let digits = 0;
  for (let at = 0; at < length; at += 1) {
    if (hasDecimals && at === whole) continue;
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    digits = digits * 10 + digit;
  }
  return BigInt(hasDecimals ? digits : digits * 100);
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
