import { type Amount, amountOf } from '../../../money/amount.ts';
import { isCurrency } from '../../../spec/currencies.ts';

/** A parsed value, or the rule that it breaks, without the name of its field: `be one of POS, NEG`. */
export type Value<Parsed> = { readonly ok: true; readonly value: Parsed } | { readonly ok: false; readonly must: string };

export type ReadValue<Parsed> = (text: string) => Value<Parsed>;

const parsed = <Parsed>(value: Parsed): Value<Parsed> => ({ ok: true, value });
export const invalid = (must: string): Value<never> => ({ ok: false, must });

const control = /[\p{Cc}\p{Zl}\p{Zp}]/u;

export const text =
  (least: number, most: number): ReadValue<string> =>
  (value) =>
    value.length >= least && value.length <= most && !control.test(value)
      ? parsed(value)
      : invalid(`be ${least === 0 ? `at most ${most}` : `${least} to ${most}`} characters on one line`);

export const oneOf =
  <const Word extends string>(words: readonly Word[]): ReadValue<Word> =>
  (value) => {
    const word = words.find((one) => one === value);
    return word === undefined ? invalid(`be one of ${words.join(', ')}`) : parsed(word);
  };

export const readAmount: ReadValue<Amount> = (value) => {
  const amount = amountOf(value);
  return amount === undefined ? invalid('be an amount such as 92.00; the sign stands in Cashflow') : parsed(amount);
};

/** A number of XML Schema as hundredths. `isExact`: further decimals are zeros. */
export type Decimal = { readonly amount: Amount; readonly isExact: boolean };

const DECIMAL = /^\+?([0-9]*)(?:\.([0-9]*))?$/;

/** Reads a decimal number, which may have a plus sign, zeros in front and any number of decimals; null: it is none, or too large. */
export function decimal(value: string): Decimal | null {
  const [, whole = '', part = ''] = DECIMAL.exec(value) ?? [];
  if (whole === '' && part === '') return null;
  const amount = amountOf(`${whole.replace(/^0+(?=[0-9])/, '') || '0'}.${part.slice(0, 2).padEnd(2, '0')}`);
  return amount === undefined ? null : { amount, isExact: /^0*$/.test(part.slice(2)) };
}

export const currency: ReadValue<string> = (value) => (isCurrency(value) ? parsed(value) : invalid('be a currency of ISO 4217'));

const RATE = /^(?=.*[1-9])[0-9]{1,9}(?:\.[0-9]{1,10})?$/;

export const rate: ReadValue<string> = (value) =>
  RATE.test(value) ? parsed(value) : invalid('be a rate above zero such as 1.0845');

const isDay = (value: string): boolean => {
  if (!/^(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}$/.test(value)) return false;
  try {
    return Temporal.PlainDate.from(value).toString() === value;
  } catch {
    return false;
  }
};

export const day: ReadValue<string> = (value) => (isDay(value) ? parsed(value) : invalid('be a day such as 2031-10-02'));

const TIME = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$/;

/** Accepts `T` instead of the blank, and no time zone. */
export const moment: ReadValue<string> = (value) =>
  isDay(value.slice(0, 10)) && /[ T]/.test(value[10] ?? '') && TIME.test(value.slice(11))
    ? parsed(`${value.slice(0, 10)} ${value.slice(11)}`)
    : invalid('be a time such as 2031-10-02 09:15:31');

export const last4: ReadValue<string> = (value) =>
  /^[A-Za-z0-9]{4}$/.test(value) ? parsed(value) : invalid('be four letters or digits');
