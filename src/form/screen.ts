import { type CardNumberMode, maskCardNumbers, mayHoldCardNumber, NO_CARD_NUMBER } from '../spec/cardNumbers.ts';
import { type Catalogue, type Entry, findParameter } from './catalogue.ts';
import type { Fault } from './checked.ts';
import type { Decoded } from './decode.ts';
import { echoOf } from './faults.ts';
import { isWellFormed } from './wellFormed.ts';

type Screening = { readonly isLenient: boolean; readonly cardNumbers?: CardNumberMode | undefined };
type Screened = { readonly decoded: Decoded; readonly found: Map<string, Fault> };

/**
 * A form without card numbers in its free texts and in the keys of its maps, before anything else reads it. Where the format of a row
 * cannot hold a truncated number, the parameter is refused whatever the setting says. Secret parameters are left: they are sealed.
 */
export function screened(decoded: Decoded, catalogue: Catalogue, { isLenient, cardNumbers = 'mask' }: Screening): Screened {
  const found = new Map<string, Fault>();
  const clean = new Map<string, readonly [name: string, text: string]>();
  for (const [name, text] of decoded.fields) {
    const isSuspect = mayHoldCardNumber(text) || (name.includes('[') && mayHoldCardNumber(name));
    const entry = isSuspect ? findParameter(catalogue, name)?.entry : undefined;
    if (!entry) continue;
    const inKey = entry.key === null ? name : keyMasked(entry.key.pattern, name);
    const inText = textMasked(entry, text, isLenient);
    if (inKey === name && inText === text) continue;
    if (cardNumbers === 'refuse' || inKey === undefined || inText === undefined) {
      found.set(name, { name, value: echoOf(entry.row, text), message: NO_CARD_NUMBER });
    } else clean.set(name, [inKey, inText]);
  }
  return { decoded: clean.size > 0 ? withTexts(decoded, clean) : decoded, found };
}

/** Undefined when the masked text has not the format of the row. A text that never had it is refused for that. */
function textMasked({ row, scan }: Entry, text: string, isLenient: boolean): string | undefined {
  if (scan === null || scan.except?.test(text)) return text;
  const masked = maskCardNumbers(text, scan);
  if (masked === text || !isWellFormed(row, text, isLenient)) return text;
  if (isWellFormed(row, masked, isLenient)) return masked;
  const inLetters = maskCardNumbers(text, { ...scan, filler: 'x' });
  return isWellFormed(row, inLetters, isLenient) ? inLetters : undefined;
}

/** The name with the key in its brackets masked; keys have no asterisks. */
function keyMasked(pattern: RegExp, name: string): string | undefined {
  const open = name.indexOf('[');
  const key = name.slice(open + 1, -1);
  const masked = maskCardNumbers(key, { filler: 'x' });
  if (masked === key || !pattern.test(key)) return name;
  return pattern.test(masked) ? `${name.slice(0, open + 1)}${masked}]` : undefined;
}

/** Two keys may have become the same: then the parameter was sent twice. */
function withTexts(decoded: Decoded, clean: ReadonlyMap<string, readonly [name: string, text: string]>): Decoded {
  const fields = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [sent, text] of decoded.fields) {
    const [name, masked] = clean.get(sent) ?? [sent, text];
    if (fields.has(name) || decoded.repeated.has(sent)) repeated.add(name);
    fields.set(name, masked);
  }
  return { ...decoded, fields, repeated: repeated.size > 0 ? repeated : decoded.repeated };
}
