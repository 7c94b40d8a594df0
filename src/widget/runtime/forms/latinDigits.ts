/** Arabic-Indic, Persian and full-width digits as the wire writes them. */
export const latinDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06F0-\u06F9\uFF10-\uFF19]/g, (digit) => String(digit.charCodeAt(0) & 15));
