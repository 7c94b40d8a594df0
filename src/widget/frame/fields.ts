import type { FrameField, FrameSetup } from '../protocol.ts';
import { holderCheck } from '../runtime/forms/checks.ts';
import { readExpiry, type Today } from '../runtime/forms/expiryText.ts';
import { isCardNumber, isWholeNumber, layoutOf } from './cardNumber.ts';
import { digitsOf, type Edit, editDigits, type Value } from './edit.ts';
import { editExpiry } from './expiry.ts';

/** What a field is held against. */
export type Held = { readonly setup: FrameSetup; readonly today: Today };

/** One kind of field. */
export interface Field {
  /** Only digits, and marks between them. */
  readonly isNumeric: boolean;
  edit(edit: Edit, setup: FrameSetup): Value;
  isRight(text: string, held: Held): boolean;
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
  isRight: (text, { setup }) => isCardNumber(digitsOf(text), setup),
  isWhole: (text, { setup }) => isWholeNumber(digitsOf(text), setup),
  values: (text) => ({ 'card.number': digitsOf(text) }),
};

const isCode = (text: string, { setup }: Held): boolean => {
  const { length } = digitsOf(text);
  return setup.cvvLength === null ? length === 3 || length === CVV_MAX : length === setup.cvvLength;
};

const code: Field = {
  isNumeric: true,
  edit(edit, { cvvLength }) {
    const limit = cvvLength ?? CVV_MAX;
    const { text, caret } = editDigits(edit, () => ({ limit, groups: [] }));
    return { text: text.slice(0, CVV_MAX), caret: Math.min(caret, CVV_MAX) };
  },
  isRight: isCode,
  isWhole: (text, held) => isCode(text, held) && (held.setup.cvvLength !== null || digitsOf(text).length === CVV_MAX),
  values: (text) => ({ 'card.cvv': digitsOf(text) }),
};

/** Whether a result code may stand for a name is the gateway's to say. */
const nameOf = holderCheck(true);

const holder: Field = {
  isNumeric: false,
  edit: ({ text, caret }) => ({ text: text.slice(0, HOLDER_MAX), caret: Math.min(caret, HOLDER_MAX) }),
  isRight: (text) => nameOf(text) !== null,
  isWhole: () => false,
  values: (text) => ({ 'card.holder': nameOf(text) ?? text.trim() }),
};

const read = (text: string, { setup, today }: Held) => readExpiry(text, setup.isExpiryFree ? null : today);

const expiry: Field = {
  isNumeric: true,
  edit: editExpiry,
  isRight: (text, held) => typeof read(text, held) !== 'string',
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
