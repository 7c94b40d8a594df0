import type { FrameFault, FrameField, FrameSetup } from '../protocol.ts';
import { holderCheck } from '../runtime/forms/checks.ts';
import { readExpiry, type Today } from '../runtime/forms/expiryText.ts';
import { latinDigits } from '../runtime/forms/latinDigits.ts';
import { isCardNumber, isShortNumber, isWholeNumber, layoutOf } from './cardNumber.ts';
import { digitsOf, type Edit, editDigits, isDeleting, placeAfter, type Value } from './edit.ts';

const SEPARATOR = ' / ';

type Parts = { readonly month: string; readonly year: string };

/** Nothing but the slash was deleted: the digit beside it is meant, or it would come back for ever. */
function sidesOf({ text, caret, kind, before }: Edit): readonly [front: string, back: string] {
  const plain = latinDigits(text);
  const [front, back] = [plain.slice(0, caret), plain.slice(caret)];
  if (!isDeleting(kind) || digitsOf(plain) !== digitsOf(before)) return [front, back];
  return kind.endsWith('Forward') ? [front, back.replace(/\d/, '')] : [front.replace(/\d(\D*)$/, '$1'), back];
}

/** Like `maxlength`: what is too much is what was put in last, and that stands before the caret, after so many of the digits. */
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
  const [front, back] = sidesOf(edit);
  const isGrowing = !isDeleting(edit.kind);
  const { month, year } = partsOf(front, back, isGrowing);
  const hasSlash = year !== '' || (isGrowing && month.length === 2);
  const text = hasSlash ? month + SEPARATOR + year : month;
  const behind = Math.max(0, digitsOf(text).length - digitsOf(back).length);
  return { text, caret: /\d/.test(back) ? placeAfter(text, behind, isGrowing && behind > 1) : text.length };
}

/** What a field is held against. */
export type Held = { readonly setup: FrameSetup; readonly today: Today };

/** One kind of field. */
export interface Field {
  /** Only digits, and marks between them. */
  readonly isNumeric: boolean;
  edit(edit: Edit, setup: FrameSetup): Value;
  /** What is wrong with a text that is not empty; null: nothing. */
  fault(text: string, held: Held): FrameFault | null;
  /** Right, and nothing more is expected. */
  isWhole(text: string, held: Held): boolean;
  /** By the names of the wire. */
  values(text: string, held: Held): Readonly<Record<string, string>>;
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

const codeFault = (text: string, { setup }: Held): FrameFault | null => {
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
  isWhole: (text, held) => codeFault(text, held) === null && (held.setup.cvvLength !== null || digitsOf(text).length === CVV_MAX),
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

const read = (text: string, { setup, today }: Held) => readExpiry(text, setup.isExpiryFree ? null : today);

const expiryFaults: Readonly<Partial<Record<string, FrameFault>>> = {
  expiryShortError: 'short',
  expiryMonthError: 'month',
  expiryPastError: 'past',
};

const expiry: Field = {
  isNumeric: true,
  edit: editExpiry,
  fault(text, held) {
    const date = read(text, held);
    return typeof date === 'string' ? (expiryFaults[date] ?? 'wrong') : null;
  },
  // The year 2027 begins like the year 20.
  isWhole: (text, held) => typeof read(text, held) !== 'string' && !/\D(?:20|19)$/.test(text),
  values(text, held): Readonly<Record<string, string>> {
    const date = read(text, held);
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
