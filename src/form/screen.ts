import { type CardNumberMode, maskCardNumbers, mayHoldCardNumber, NO_CARD_NUMBER } from '../spec/cards/cardNumbers.ts';
import type { Format } from '../spec/row.ts';
import { type Catalogue, type Entry, findParameter, isWellFormed } from './catalogue.ts';
import type { Fault } from './checked.ts';
import type { Decoded } from './decode.ts';
import { echoOf } from './faults.ts';

type Context = { readonly isLenient: boolean; readonly cardNumbers?: CardNumberMode | undefined };

/** A form while it is searched, field after field. */
export type Screening = {
  readonly catalogue: Catalogue;
  readonly context: Context;
  readonly found: Map<string, Fault>;
  /** The fields that changed, by their sent names; null: none did. */
  clean: Map<string, readonly [name: string, text: string]> | null;
};

export const createScreening = (catalogue: Catalogue, context: Context): Screening => ({
  catalogue,
  context,
  found: new Map(),
  clean: null,
});

/**
 * Puts a flag into its one spelling, and removes card numbers from the free texts of a form and from the keys of its maps, before anything
 * else reads it. Where the format of a row cannot hold a truncated number, or the row is used as it is sent, the parameter is refused
 * whatever the setting says. Secret parameters are left: they are sealed.
 */
export function screenField(screening: Screening, name: string, text: string): void {
  const isSet = flagSpellings.get(text);
  if (isSet !== undefined) {
    spellFlag(screening, name, text, isSet);
    return;
  }
  if (!mayHoldNumber(text) && !(name.includes('[') && mayHoldCardNumber(name))) return;
  const { catalogue, context, found } = screening;
  const entry = findParameter(catalogue, name)?.entry;
  if (!entry) return;
  const inKey = entry.key === null ? name : keyMasked(entry.key.pattern, name);
  const inText = textMasked(entry, text, context.isLenient);
  if (inKey === name && inText === text) return;
  if (context.cardNumbers === 'refuse' || inKey === undefined || inText === undefined) {
    found.set(name, { name, value: echoOf(entry.row, text), message: NO_CARD_NUMBER });
    return;
  }
  screening.clean ??= new Map();
  screening.clean.set(name, [inKey, inText]);
}

/** A flag in another spelling is read as `true` or `false`, if the channel or the row takes that spelling. */
function spellFlag(screening: Screening, name: string, text: string, isSet: boolean): void {
  const entry = findParameter(screening.catalogue, name)?.entry;
  const spellings = entry ? flagWords(entry.row.format) : null;
  if (!entry || spellings === null || !(screening.context.isLenient || isWellFormed(entry.test, text, false))) return;
  const spelt = spellings[isSet ? 0 : 1];
  if (spelt === text) return;
  screening.clean ??= new Map();
  screening.clean.set(name, [name, spelt]);
}

/** A text that is longer than nearly every row allows is searched only if its row does allow it. */
const LONG_TEXT = 4_096;
const mayHoldNumber = (text: string): boolean => text.length > LONG_TEXT || mayHoldCardNumber(text);

/** Undefined when the masked text has not the format of the row. A text that never had it is refused for that. */
function textMasked({ test, scan }: Entry, text: string, isLenient: boolean): string | undefined {
  if (scan === null || (text.length > LONG_TEXT && !isWellFormed(test, text, isLenient)) || scan.except?.test(text)) return text;
  const masked = maskCardNumbers(text, scan);
  if (masked === text || !isWellFormed(test, text, isLenient)) return text;
  if (scan.refuses) return undefined;
  if (isWellFormed(test, masked, isLenient)) return masked;
  const inLetters = maskCardNumbers(text, { ...scan, filler: 'x' });
  return isWellFormed(test, inLetters, isLenient) ? inLetters : undefined;
}

/** The name with the key in its brackets masked; keys have no asterisks. */
function keyMasked(pattern: RegExp, name: string): string | undefined {
  const open = name.indexOf('[');
  const key = name.slice(open + 1, -1);
  const masked = maskCardNumbers(key, { filler: 'x' });
  if (masked === key || !pattern.test(key)) return name;
  return pattern.test(masked) ? `${name.slice(0, open + 1)}${masked}]` : undefined;
}

/** The form after the search, field after field. Two keys may have become the same: then the parameter was sent twice. */
export function createScreened(decoded: Decoded, clean: NonNullable<Screening['clean']>) {
  const fields = new Map<string, string>();
  const repeated = new Set<string>();
  return {
    add: (sent: string, text: string): void => {
      const [name, masked] = clean.get(sent) ?? [sent, text];
      if (fields.has(name) || decoded.repeated.has(sent)) repeated.add(name);
      fields.set(name, masked);
    },
    whole: (): Decoded => ({ ...decoded, fields, repeated: repeated.size > 0 ? repeated : decoded.repeated }),
  };
}

/**
 * How clients write a flag: Python sends `True`, PHP `1`, check boxes `on`, configuration files `yes`. A lenient channel takes all of them,
 * and everything behind the form reads one spelling.
 */
const words: readonly (readonly [isSet: boolean, word: string])[] = [
  ...['true', '1', 'on', 'yes', 'y'].map((word) => [true, word] as const),
  ...['false', '0', 'off', 'no', 'n'].map((word) => [false, word] as const),
];

const spellingsOf = (word: string): readonly string[] => [
  word,
  word.toUpperCase(),
  `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
];

/** Every spelling, and what it says. */
const flagSpellings: ReadonlyMap<string, boolean> = new Map(
  words.flatMap(([isSet, word]) => spellingsOf(word).map((spelling) => [spelling, isSet] as const)),
);

/** The two words of a flag's format, the positive one first; null for every other format. */
function flagWords({ values }: Pick<Format<unknown>, 'values'>): readonly [yes: string, no: string] | null {
  if (values?.includes('true') && values.includes('false')) return ['true', 'false'];
  return values?.length === 2 && values[0] === 'Y' && values[1] === 'N' ? ['Y', 'N'] : null;
}
