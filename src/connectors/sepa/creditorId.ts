/** Lengths by country, where the register fixes them. */
const LENGTHS: Readonly<Record<string, number>> = { DE: 18, AT: 18, FR: 13, NL: 19, ES: 16, IT: 23 };

/** Letters as numbers, A = 10 to Z = 35. */
const digitsOf = (text: string): string => text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));

/** The remainder of a number of any length. */
export const mod97 = (digits: string): number => Number(BigInt(digits) % 97n);

/** The two check digits of a creditor identifier. The business code is not part of the check. */
export function creditorCheckDigits(country: string, nationalId: string): string {
  const digits = digitsOf(`${nationalId.toUpperCase().replace(/[^A-Z0-9]/g, '')}${country}00`);
  return String(98 - mod97(digits)).padStart(2, '0');
}

/** Country, check digits, business code of three characters, national identifier. */
export function isCreditorId(text: string): boolean {
  const parts = /^([A-Z]{2})([0-9]{2})([A-Z0-9]{3})([A-Z0-9+?/:().,'-]{1,28})$/.exec(text);
  const [, country = '', check, , nationalId = ''] = parts ?? [];
  if (!parts || !/[A-Z0-9]/.test(nationalId)) return false;
  const length = LENGTHS[country];
  return (length === undefined || length === text.length) && creditorCheckDigits(country, nationalId) === check;
}
