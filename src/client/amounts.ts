const AMOUNT = /^(-?)([0-9]{1,18})(?:\.([0-9]{2}))?$/;

/** `92.00` of 9200n: the API writes amounts with two decimals in every currency. */
export function formatAmount(hundredths: bigint): string {
  const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(3, '0');
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** 9200n of `92.00`. Throws a RangeError for anything that is not an amount: a wrong sum must not pass silently. */
export function parseAmount(text: string): bigint {
  const [, sign, whole = '', decimals = '00'] = AMOUNT.exec(text) ?? [];
  if (sign === undefined) throw new RangeError(`${JSON.stringify(text)} is not an amount such as 92.00`);
  const hundredths = BigInt(whole + decimals);
  return sign === '-' ? -hundredths : hundredths;
}
