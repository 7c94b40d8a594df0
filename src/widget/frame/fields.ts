import { brandsOf, cardRanges, fitsBrand, hasCheckDigit, passesLuhn } from '../../spec/cards/cardRanges.ts';
import type { FrameFault, FrameField, FrameSetup } from '../protocol.ts';
import { holderCheck, latinDigits, readExpiry, type Today } from '../runtime/forms/checks.ts';

/** The text of an input, and the position of its caret. */
export type Value = { readonly text: string; readonly caret: number };

/** An edit that the browser has just applied to an input; `kind` is its `inputType`, `before` the text before the edit. */
export type Edit = Value & { readonly kind: string; readonly before: string };

/** The groups of digits that blanks separate. */
type Layout = { readonly limit: number; readonly groups: readonly number[] };

/** The longest number of ISO/IEC 7812. */
const DIGITS_MAX = 19;

export const digitsOf = (text: string): string => latinDigits(text).replace(/\D/g, '');

const isDeleting = (kind: string): boolean => kind.startsWith('delete');
const isForward = (kind: string): boolean => kind.endsWith('Forward');
/** Typed digits end at the brand's length. A pasted number is kept whole: cut off, it could pass for another number. */
const isTyped = (kind: string): boolean => kind === 'insertText' || kind === 'insertCompositionText';

/** Where the text is when so many of its digits are behind; `isPast` puts blanks behind it, too. */
function placeAfter(text: string, digits: number, isPast: boolean): number {
  let place = 0;
  for (let status = 0; status < digits && place < text.length; place += 1) if (/\d/.test(text.charAt(place))) status += 1;
  while (isPast && place < text.length && /\D/.test(text.charAt(place))) place += 1;
  return place;
}

/** Digits in groups with blanks between them, none at the end. */
export function grouped(digits: string, groups: readonly number[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const size of groups) {
    if (from < digits.length) parts.push(digits.slice(from, from + size));
    from += size;
  }
  if (from < digits.length) parts.push(digits.slice(from));
  return parts.join(' ');
}

/** Digits on both sides of the caret. A shopper who deletes only a blank means the digit beside it. */
function sidesOf({ text, caret, kind, before }: Edit): readonly [front: string, back: string] {
  const front = digitsOf(text.slice(0, caret));
  const back = digitsOf(text.slice(caret));
  if (!isDeleting(kind) || front + back !== digitsOf(before)) return [front, back];
  return isForward(kind) ? [front, back.slice(1)] : [front.slice(0, -1), back];
}

/** The input after an edit: nothing but digits, in their groups, with the caret between the same two digits. */
export function editDigits(edit: Edit, layoutOf: (digits: string) => Layout): Value {
  const [front, back] = sidesOf(edit);
  const { limit } = layoutOf(front + back);
  const service = isTyped(edit.kind) ? Math.max(limit, digitsOf(edit.before).length) : DIGITS_MAX;
  // Like `maxlength`: surplus digits are dropped where they were inserted, before the caret.
  const surplus = Math.max(0, front.length + back.length - service);
  const kept = front.slice(0, Math.max(0, front.length - surplus));
  const digits = (kept + back).slice(0, service);
  const text = grouped(digits, layoutOf(digits).groups);
  return { text, caret: placeAfter(text, kept.length, !isDeleting(edit.kind)) };
}

/** Brands of the form, and the one that is chosen; null: whichever the number tells. */
export type Choice = { readonly brands: readonly string[]; readonly brand: string | null; readonly isGrouped: boolean };

const DIGITS_MIN = 12;
/** Numbers of this length are whole for nearly every brand: the shopper may be taken on. */
const USUAL = 16;

const isPublished = (brand: string): boolean => cardRanges.some((range) => range.brand === brand);

/**
 * The form's brands that a number, or its beginning, may be of, the most likely first. A brand with unpublished numbers is meant only
 * when none of the others is.
 */
export function candidatesOf(number: string, brands: readonly string[]): readonly string[] {
  if (number === '') return [];
  const known = brandsOf(number).filter((brand) => brands.includes(brand));
  return known.length > 0 ? known : brands.filter((brand) => !isPublished(brand));
}

const FOURS = [4, 4, 4, 4, 3];
/** As it is printed on the card. */
const printed: Readonly<Record<string, readonly number[]>> = { AMEX: [4, 6, 5], DINERS: [4, 6, 4], AIRPLUS: [4, 5, 6] };

function lengthsOf(brand: string | undefined): readonly number[] {
  return cardRanges.filter((range) => range.brand === brand).flatMap(({ lengths }) => lengths);
}

const likely = (number: string, { brands, brand }: Choice): readonly string[] =>
  brand === null ? candidatesOf(number, brands) : [brand];

/** How a number is shown and how long it may grow. */
export function layoutOf(number: string, choice: Choice): Layout {
  const candidates = likely(number, choice);
  const limit = Math.max(0, ...candidates.flatMap(lengthsOf)) || DIGITS_MAX;
  const groups = printed[candidates[0] ?? ''] ?? FOURS;
  // A long number of Diners Club is not grouped like the usual one of fourteen digits.
  const isUsual = groups.reduce((sum, size) => sum + size, 0) >= number.length;
  return { limit, groups: choice.isGrouped ? (isUsual ? groups : FOURS) : [] };
}

/** Whether it can be the number of a card that this form takes. */
export function isCardNumber(number: string, { brands, brand }: Choice): boolean {
  if (number.length < DIGITS_MIN || number.length > DIGITS_MAX) return false;
  const wanted = brand === null ? brands : [brand];
  const isOf = (name: string): boolean => fitsBrand(name, number) && (!hasCheckDigit(name) || passesLuhn(number));
  return wanted.length > 0 ? wanted.some(isOf) : passesLuhn(number);
}

/** Whether digits are missing: it is shorter than such a number usually is. */
export function isShortNumber(number: string, choice: Choice): boolean {
  const usual = printed[likely(number, choice)[0] ?? '']?.reduce((sum, size) => sum + size, 0) ?? USUAL;
  return number.length < Math.min(usual, layoutOf(number, choice).limit);
}

/** Whether nothing more is expected: another digit would make it wrong, or hardly any card is longer. */
export const isWholeNumber = (number: string, choice: Choice): boolean =>
  isCardNumber(number, choice) && number.length >= Math.min(USUAL, layoutOf(number, choice).limit);

const SEPARATOR = ' / ';

type Parts = { readonly month: string; readonly year: string };

/** Where only the slash was deleted, the digit beside it goes too, because the slash alone would reappear. */
function expirySides({ text, caret, kind, before }: Edit): readonly [front: string, back: string] {
  const plain = latinDigits(text);
  const [front, back] = [plain.slice(0, caret), plain.slice(caret)];
  if (!isDeleting(kind) || digitsOf(plain) !== digitsOf(before)) return [front, back];
  return kind.endsWith('Forward') ? [front, back.replace(/\d/, '')] : [front.replace(/\d(\D*)$/, '$1'), back];
}

/** Like `maxlength`: surplus digits are dropped where they were inserted, before the caret, which stands after `at` digits. */
function fitted(digits: string, at: number, service: number): string {
  const surplus = Math.max(0, digits.length - service);
  const from = Math.max(0, Math.min(at, digits.length) - surplus);
  return (digits.slice(0, from) + digits.slice(from + surplus)).slice(0, service);
}

/** Only a year of this century is written with four digits. */
const yearOf = (digits: string, at: number): string => fitted(digits, at, /^(?:20|19)/.test(digits) ? 4 : 2);

/** Month and year that nothing parts yet: a first digit above one is a month by itself. */
function unparted(digits: string, at: number, isGrowing: boolean): Parts {
  const isWhole = isGrowing && /^[2-9]/.test(digits);
  const size = isWhole ? 1 : 2;
  return { month: (isWhole ? '0' : '') + digits.slice(0, size), year: yearOf(digits.slice(size), at - size) };
}

/** Month and year around whatever stands between them. A month that is being written anew is left alone. */
function parted(front: string, back: string, isGrowing: boolean): Parts {
  const [, lead = '', left = '', rest = ''] = /^(\D*)(\d*)(.*)$/s.exec(front + back) ?? [];
  const at = digitsOf(front).length;
  if (/\S/.test(lead)) return { month: '', year: yearOf(left + digitsOf(rest), at) };
  const isClosed = isGrowing && left.length === 1 && front.length > lead.length + 1;
  return { month: isClosed ? `0${left}` : fitted(left, at, 2), year: yearOf(digitsOf(rest), at - left.length) };
}

function partsOf(front: string, back: string, isGrowing: boolean): Parts {
  const text = front + back;
  // As browsers fill it in, after the form of HTML's months.
  const iso = /^\s*20(\d\d)-(\d\d?)\s*$/.exec(text);
  if (iso) return { month: (iso[2] ?? '').padStart(2, '0'), year: iso[1] ?? '' };
  const isUnparted = /^\s*\d*\s*$/.test(text);
  return isUnparted ? unparted(digitsOf(text), digitsOf(front).length, isGrowing) : parted(front, back, isGrowing);
}

/** A month and a year with a slash that comes by itself; the caret stays between the same digits. */
export function editExpiry(edit: Edit): Value {
  const [front, back] = expirySides(edit);
  const isGrowing = !isDeleting(edit.kind);
  const { month, year } = partsOf(front, back, isGrowing);
  const hasSlash = year !== '' || (isGrowing && month.length === 2);
  const text = hasSlash ? month + SEPARATOR + year : month;
  const behind = Math.max(0, digitsOf(text).length - digitsOf(back).length);
  return { text, caret: /\d/.test(back) ? placeAfter(text, behind, isGrowing && behind > 1) : text.length };
}

/** The setup and the day that a field is checked against. */
type FieldContext = { readonly setup: FrameSetup; readonly today: Today };

/** One kind of field. */
export interface Field {
  /** Only digits, and marks between them. */
  readonly isNumeric: boolean;
  edit(edit: Edit, setup: FrameSetup): Value;
  /** The fault of a text that is not empty; null: none. */
  fault(text: string, context: FieldContext): FrameFault | null;
  /** Right, and nothing more is expected. */
  isWhole(text: string, context: FieldContext): boolean;
  /** By the names of the wire. */
  values(text: string, context: FieldContext): Readonly<Record<string, string>>;
}

const CVV_MAX = 4;
const HOLDER_MAX = 128;

const number: Field = {
  isNumeric: true,
  edit: (edit, setup) => editDigits(edit, (digits) => layoutOf(digits, setup)),
  fault(text, { setup }) {
    const digits = digitsOf(text);
    if (isCardNumber(digits, setup)) return null;
    return isShortNumber(digits, setup) ? 'short' : 'wrong';
  },
  isWhole: (text, { setup }) => isWholeNumber(digitsOf(text), setup),
  values: (text) => ({ 'card.number': digitsOf(text) }),
};

const codeFault = (text: string, { setup }: FieldContext): FrameFault | null => {
  const { length } = digitsOf(text);
  const lengths = setup.cvvLength === null ? [3, CVV_MAX] : [setup.cvvLength];
  if (lengths.includes(length)) return null;
  return length < (setup.cvvLength ?? 3) ? 'short' : 'wrong';
};

const code: Field = {
  isNumeric: true,
  edit(edit, { cvvLength }) {
    const limit = cvvLength ?? CVV_MAX;
    const { text, caret } = editDigits(edit, () => ({ limit, groups: [] }));
    return { text: text.slice(0, CVV_MAX), caret: Math.min(caret, CVV_MAX) };
  },
  fault: codeFault,
  isWhole: (text, context) =>
    codeFault(text, context) === null && (context.setup.cvvLength !== null || digitsOf(text).length === CVV_MAX),
  values: (text) => ({ 'card.cvv': digitsOf(text) }),
};

/** Whether a result code may stand for a name is the gateway's to say. */
const nameOf = holderCheck(true);

const holder: Field = {
  isNumeric: false,
  edit: ({ text, caret }) => ({ text: text.slice(0, HOLDER_MAX), caret: Math.min(caret, HOLDER_MAX) }),
  fault: (text) => (nameOf(text) === null ? 'wrong' : null),
  isWhole: () => false,
  values: (text) => ({ 'card.holder': nameOf(text) ?? text.trim() }),
};

const read = (text: string, { setup, today }: FieldContext) => readExpiry(text, setup.isExpiryFree ? null : today);

const expiryFaults: Readonly<Partial<Record<string, FrameFault>>> = {
  expiryShortError: 'short',
  expiryMonthError: 'month',
  expiryPastError: 'past',
};

const expiry: Field = {
  isNumeric: true,
  edit: editExpiry,
  fault(text, context) {
    const date = read(text, context);
    return typeof date === 'string' ? (expiryFaults[date] ?? 'wrong') : null;
  },
  // The year 2027 begins like the year 20.
  isWhole: (text, context) => typeof read(text, context) !== 'string' && !/\D(?:20|19)$/.test(text),
  values(text, context): Readonly<Record<string, string>> {
    const date = read(text, context);
    if (typeof date === 'string') return {};
    return { 'card.expiryMonth': date.month, 'card.expiryYear': date.year };
  },
};

/** The kinds of fields by the name of their input. */
export const fields: Readonly<Record<FrameField, Field>> = {
  'card.number': number,
  'card.cvv': code,
  'card.holder': holder,
  'card.expiry': expiry,
};
