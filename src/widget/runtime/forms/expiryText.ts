import { latinDigits } from './checks.ts';

export type Expiry = { readonly month: string; readonly year: string };
export type Today = { readonly year: number; readonly month: number };

const SEPARATOR = ' / ';

/** Parses an expiry date as typed or autofilled, with any separator; null: incomplete. */
function partsOf(text: string): Expiry | null {
  const plain = latinDigits(text).trim();
  const iso = /^(20\d{2})-(\d{1,2})$/.exec(plain);
  if (iso) return { month: iso[2] ?? '', year: iso[1] ?? '' };
  const found = /^(\d{1,2})\s*[\s/.\-\u2013]\s*(\d{4}|\d{2})$/.exec(plain) ?? /^(\d{2})(\d{4}|\d{2})$/.exec(plain);
  return found ? { month: found[1] ?? '', year: found[2] ?? '' } : null;
}

type ExpiryError = 'expiryEmptyError' | 'expiryShortError' | 'expiryMonthError' | 'expiryYearError' | 'expiryPastError';

/** Month and year as the wire has them, or the error to show. A card is good to the end of its month. */
export function readExpiry(text: string, today: Today | null): Expiry | ExpiryError {
  const parts = partsOf(text);
  if (!parts) {
    if (text.trim() === '') return 'expiryEmptyError';
    const [first = ''] = latinDigits(text).match(/\d{1,2}/) ?? [];
    return first.length === 2 && (first === '00' || first > '12') ? 'expiryMonthError' : 'expiryShortError';
  }
  const month = parts.month.padStart(2, '0');
  const year = parts.year.length === 2 ? `20${parts.year}` : parts.year;
  if (month < '01' || month > '12') return 'expiryMonthError';
  if (!year.startsWith('20')) return 'expiryYearError';
  const isPast = today !== null && `${year}${month}` < `${today.year}${String(today.month).padStart(2, '0')}`;
  return isPast ? 'expiryPastError' : { month, year };
}

/** Digits of a month and of a year that may still grow. */
function digitsOf(text: string): readonly [month: string, year: string, hasMonth: boolean] {
  const plain = latinDigits(text);
  const iso = /^\s*(20\d{2})-(\d{1,2})\s*$/.exec(plain);
  if (iso) return [(iso[2] ?? '').padStart(2, '0'), (iso[1] ?? '').slice(2), true];
  const [left = '', ...rest] = plain.split(/[^\d]+/).filter((part, at) => part !== '' || at > 0);
  const isCut = /^\s*\d[^\d]/.test(plain) || /^[2-9]/.test(left);
  const month = isCut ? left.slice(0, 1).padStart(2, '0') : left.slice(0, 2);
  const year = (isCut ? left.slice(1) : left.slice(2)) + rest.join('');
  return [month, year.slice(0, /^(?:20|19)/.test(year) ? 4 : 2), month.length === 2];
}

/**
 * The text as it is shown during typing: the slash comes by itself. A backspace at its right takes it away together with the digit
 * before it, since a slash that comes back immediately could never be passed.
 */
export function showExpiry(text: string, isDeleting: boolean): string {
  const [month, year, hasMonth] = digitsOf(text);
  if (isDeleting && year === '') return /\/\s*$/.test(text) && !/\s$/.test(text) ? month.slice(0, 1) : month;
  return hasMonth ? `${month}${SEPARATOR}${year}` : month;
}
