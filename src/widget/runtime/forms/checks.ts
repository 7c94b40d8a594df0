/** Each check answers the value as the wire has it, or null when it cannot be right. */
export type Check = (text: string) => string | null;

const trimmed = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** Text that holds something like a card's number, however its digits are parted. */
export const looksLikeCard = (text: string): boolean => /(?:\d[ .,'\u2019-]*){12,}/.test(latinDigits(text));

const HOLDER = /^[\p{L}\p{M} .,'\u2019-]{3,128}$/u;
/** In tests a result code in the holder's place asks for that result. */
const TEST_RESULT = /^\d{3}\.\d{3}\.\d{3}$/;

/** The name on a card: letters of any script and the marks that names have, never a number. */
export const holderCheck =
  (isTest: boolean): Check =>
  (text) => {
    const name = trimmed(text);
    return (HOLDER.test(name) && /\p{L}/u.test(name)) || (isTest && TEST_RESULT.test(name)) ? name : null;
  };

/** Any text of a length, without a card's number in it. */
export const textCheck =
  (min: number, max: number): Check =>
  (text) => {
    const value = trimmed(text);
    return [...value].length >= min && [...value].length <= max && !looksLikeCard(value) ? value : null;
  };

/** Characters in an IBAN by country. */
const IBAN_LENGTHS =
  'AD24 AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GI23 GR27 HR21 HU28 IE22 IS26 IT27 LI21 LT20 LU20 LV21 ' +
  'MC27 MT31 NL18 NO15 PL28 PT25 RO24 SE24 SI19 SK24 SM27 VA22';

const plainIban = (text: string): string => latinDigits(text).replace(/[\s-]/g, '').toUpperCase();

/** How long the accounts of a country are; undefined: not known. */
const ibanLength = (iban: string): number | undefined => {
  const found = /^[A-Z]{2}/.test(iban) ? new RegExp(`\\b${iban.slice(0, 2)}(\\d+)`).exec(IBAN_LENGTHS)?.[1] : undefined;
  return found === undefined ? undefined : Number(found);
};

const IBAN_MIN = 15;

/** Whether characters are missing at the end. */
export const isShortIban = (text: string): boolean => {
  const iban = plainIban(text);
  return iban.length < (ibanLength(iban) ?? IBAN_MIN);
};

/** An account by its international number: length of the country, check digits by 97. */
export const ibanCheck: Check = (text) => {
  const iban = plainIban(text);
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,27}$/.test(iban)) return null;
  if ((ibanLength(iban) ?? iban.length) !== iban.length) return null;
  let rest = 0;
  // Letters count as two digits from 10; the remainder is taken on the way, as the whole would be too large.
  for (const sign of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1 ? iban : null;
};

/** Groups of four, as it stands on paper. */
export const showIban = (text: string): string =>
  latinDigits(text)
    .replace(/\s/g, '')
    .toUpperCase()
    .replace(/(.{4})(?=.)/g, '$1 ');

/** A number that banks and networks give out: its beginning is one of theirs, and its last digit is right. */
function isCardNumber(number: string): boolean {
  if (!/^(?:4|5[1-5]|2[2-7]|3[47])\d{11,17}$/.test(number)) return false;
  const sum = [...number].reverse().reduce((all, sign, at) => {
    const digit = Number.parseInt(sign, 10) * (1 + (at % 2));
    return all + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return sum % 10 === 0;
}

/** The number of a gift card. That of a bank's card is none, and has no place in a field of the page. */
export const giftNumberCheck: Check = (text) => {
  const number = latinDigits(text).trim().replace(/[\s-]/g, '');
  return /^[A-Za-z0-9]{2,255}$/.test(number) && !isCardNumber(number) ? number : null;
};

export const bicCheck: Check = (text) => {
  const bic = text.replace(/\s/g, '').toUpperCase();
  return /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(bic) ? bic : null;
};

export const emailCheck: Check = (text) => {
  const address = text.trim();
  const isWhole = /^[^\s@<>(),;:"]+@[^\s@<>(),;:"]+\.[^\s@.<>(),;:"]{2,}$/.test(address);
  return isWhole && !/\.\.|^\.|\.@|@\./.test(address) && address.length <= 128 ? address : null;
};

export const phoneCheck: Check = (text) => {
  const number = latinDigits(text).trim();
  const digits = number.replace(/\D/g, '').length;
  return /^\+?\(?\d[\d .()/-]{0,23}$/.test(number) && digits >= 6 && digits <= 15 ? number.replace(/^\+?\(/, '+') : null;
};

/** A mobile number of Portugal, with or without its country, as the account of a brand that is at home there. */
export const portuguesePhoneCheck: Check = (text) => {
  const number = /^(?:\+?351|00351)?(9\d{8})$/.exec(latinDigits(text).replace(/[\s().#-]/g, ''))?.[1];
  return number === undefined ? null : `351#${number}`;
};

export const postcodeCheck: Check = (text) => {
  const code = trimmed(latinDigits(text));
  return /^[A-Za-z0-9][A-Za-z0-9 -]{0,15}$/.test(code) ? code : null;
};

/** Day, month and year with dot, slash, hyphen, blank or nothing between them, or the other way round; a day that has been. */
export const birthDateCheck =
  (today: string): Check =>
  (text) => {
    const plain = latinDigits(text).trim();
    const first = /^(\d{1,2})[\s./-]+(\d{1,2})[\s./-]+(\d{4})$/.exec(plain) ?? /^(\d{2})(\d{2})(\d{4})$/.exec(plain);
    const last = /^(\d{4})[\s./-]+(\d{1,2})[\s./-]+(\d{1,2})$/.exec(plain);
    const [, day = '', month = '', year = ''] = first ?? (last ? [last[0], last[3], last[2], last[1]] : []);
    const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    const read = new Date(`${date}T00:00:00Z`);
    // A 31st of April is read as a 1st of May: only a day that comes back as it went in is one.
    const isDay = !Number.isNaN(read.valueOf()) && read.toISOString().startsWith(date);
    return isDay && date >= '1900-01-01' && date < today ? date : null;
  };

/** A tax number of a person: letters, digits and the marks between them. */
export const taxNumberCheck: Check = (text) => {
  const number = latinDigits(text).trim();
  return /^[A-Za-z0-9][A-Za-z0-9 ./-]{7,30}$/.test(number) ? number : null;
};

/** Arabic-Indic, Persian and full-width digits as the wire writes them. */
export const latinDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06F0-\u06F9\uFF10-\uFF19]/g, (digit) => String(digit.charCodeAt(0) & 15));

type Expiry = { readonly month: string; readonly year: string };
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
