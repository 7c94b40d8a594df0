import { formatAmount, parseAmount } from 'turnpike/client';

const DECIMAL = /^([0-9]{1,16})(?:\.([0-9]+))?$/;

type Wrapped = {
  readonly raw?: { readonly value?: unknown };
  readonly value?: unknown;
  readonly bigNumber?: unknown;
  readonly numeric?: unknown;
  readonly toFixed?: () => string;
};

/** The digits of an amount in any of Medusa's forms: a number, a text, a raw value, a BigNumber of Medusa or of bignumber.js. */
function digitsOf(amount: unknown): string {
  if (typeof amount === 'string') return amount;
  if (typeof amount === 'number') return String(amount);
  if (typeof amount !== 'object' || amount === null) return '';
  const { raw, value, bigNumber, numeric } = amount as Wrapped;
  const inner = raw?.value ?? value ?? bigNumber ?? numeric;
  if (inner !== undefined) return digitsOf(inner);
  return typeof (amount as Wrapped).toFixed === 'function' ? ((amount as Wrapped).toFixed?.() ?? '') : '';
}

function decimalsOf(currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return maximumFractionDigits ?? 2;
}

/**
 * The amount as the API counts it, in hundredths, rounded half up to the decimals of the currency: totals with taxes and discounts have more.
 * No digit passes through a float. Throws a RangeError for what is no amount, and for one that hundredths cannot express.
 */
export function hundredthsOf(amount: unknown, currency: string): bigint {
  const digits = digitsOf(amount);
  const [, whole, fraction = ''] = DECIMAL.exec(digits) ?? [];
  if (whole === undefined) throw new RangeError(`${JSON.stringify(digits)} is not an amount`);
  const decimals = decimalsOf(currency);
  const padded = fraction.padEnd(decimals + 1, '0');
  const kept = BigInt(whole + padded.slice(0, decimals));
  const rounded = kept + (padded.charAt(decimals) >= '5' ? 1n : 0n);
  const hundredths = decimals < 2 ? rounded * 10n ** BigInt(2 - decimals) : rounded / 10n ** BigInt(decimals - 2);
  if (decimals > 2 && rounded % 10n ** BigInt(decimals - 2) !== 0n)
    throw new RangeError(`${digits} ${currency} has more decimals than the gateway takes`);
  return hundredths;
}

/** Whether two amounts of the API are the same: `92` is `92.00`. */
export const isSameAmount = (one: string, other: string): boolean => parseAmount(one) === parseAmount(other);

export { formatAmount };
