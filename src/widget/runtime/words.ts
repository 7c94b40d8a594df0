import type { Options } from '../options.ts';
import type { Texts } from '../texts.ts';
import type { Surroundings } from './contract.ts';
import { flag } from './readOptions.ts';

type Key = Parameters<Surroundings['text']>[0];

/** A text of the language, or what the shop says instead; pages put words for errors into either of their two maps. */
export function textOf(texts: Texts, options: Options, key: Key): string {
  const own = options.errorMessages?.[key] ?? options.labels?.[key];
  if (typeof own === 'string') return own;
  return (
    (texts.labels as Readonly<Record<string, string>>)[key] ?? (texts.errors as Readonly<Record<string, string>>)[key] ?? key
  );
}

/** Puts values into the places of a text. */
export const filled = (text: string, places: Readonly<Record<string, string>> = {}): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => places[name] ?? place);

const formats = { cardNumber: '0000 0000 0000 0000', cardHolder: '', cvv: '' } as const;

/** Placeholders show the format only; where the labels are switched off they are the only name that a field has. */
export function placeholderOf(texts: Texts, options: Options, key: keyof typeof formats | 'expiryDate'): string {
  if (!flag(options.showPlaceholders, true)) return '';
  const own = options.placeholders?.[`${key}Placeholder`] ?? options.placeholders?.[key];
  if (typeof own === 'string') return own;
  if (key === 'expiryDate') return textOf(texts, options, 'mmyy');
  return flag(options.showLabels, true) ? formats[key] : textOf(texts, options, key);
}
