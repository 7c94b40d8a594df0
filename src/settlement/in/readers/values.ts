import { type Amount, amountOf } from '../../../money/amount.ts';
import { isCurrency } from '../../../spec/currencies.ts';

/** A value as it is meant, or what it must be: the end of a sentence that begins with the name of its place. */
export type Value<Meant> = { readonly is: Meant } | { readonly must: string };

export type ReadValue<Meant> = (text: string) => Value<Meant>;

const control = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Text on one line. */
export const text =
  (least: number, most: number): ReadValue<string> =>
  (value) =>
    value.length >= least && value.length <= most && !control.test(value)
      ? { is: value }
      : { must: `be ${least === 0 ? `at most ${most}` : `${least} to ${most}`} characters on one line` };

export const oneOf =
  <const Word extends string>(words: readonly Word[]): ReadValue<Word> =>
  (value) => {
    const word = words.find((one) => one === value);
    return word === undefined ? { must: `be one of ${words.join(', ')}` } : { is: word };
  };

export const amount: ReadValue<Amount> = (value) => {
  const is = amountOf(value);
  return is === undefined ? { must: 'be an amount such as 92.00; the sign stands in Cashflow' } : { is };
};

export const currency: ReadValue<string> = (value) => (isCurrency(value) ? { is: value } : { must: 'be a currency of ISO 4217' });

const RATE = /^(?=.*[1-9])[0-9]{1,9}(?:\.[0-9]{1,10})?$/;

export const rate: ReadValue<string> = (value) =>
  RATE.test(value) ? { is: value } : { must: 'be a rate above zero such as 1.0845' };

const isDay = (value: string): boolean => {
  if (!/^(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}$/.test(value)) return false;
  try {
    return Temporal.PlainDate.from(value).toString() === value;
  } catch {
    return false;
  }
};

export const day: ReadValue<string> = (value) => (isDay(value) ? { is: value } : { must: 'be a day such as 2031-10-02' });

const TIME = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$/;

/** `T` instead of the blank is understood; a zone is not asked for and not taken. */
export const moment: ReadValue<string> = (value) =>
  isDay(value.slice(0, 10)) && /[ T]/.test(value[10] ?? '') && TIME.test(value.slice(11))
    ? { is: `${value.slice(0, 10)} ${value.slice(11)}` }
    : { must: 'be a time such as 2031-10-02 09:15:31' };

export const last4: ReadValue<string> = (value) =>
  /^[A-Za-z0-9]{4}$/.test(value) ? { is: value } : { must: 'be four letters or digits' };
