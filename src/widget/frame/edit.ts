import { latinDigits } from '../runtime/forms/latinDigits.ts';

/** The text of an input, and the position of its caret. */
export type Value = { readonly text: string; readonly caret: number };

/** What the browser has just made of an input; `kind` is its `inputType`, `before` the text as we left it the last time. */
export type Edit = Value & { readonly kind: string; readonly before: string };

/** How digits are shown: after so many of each group there is a blank. */
export type Layout = { readonly limit: number; readonly groups: readonly number[] };

/** The longest number of ISO/IEC 7812. */
export const DIGITS_MAX = 19;

export const digitsOf = (text: string): string => latinDigits(text).replace(/\D/g, '');

export const isDeleting = (kind: string): boolean => kind.startsWith('delete');
const isForward = (kind: string): boolean => kind.endsWith('Forward');
/** Typed sign by sign, and so bound by the length of the brand. What came in one piece is kept whole: cut off it could pass for another. */
const isTyped = (kind: string): boolean => kind === 'insertText' || kind === 'insertCompositionText';

/** Where the text is when so many of its digits are behind; `isPast` puts blanks behind it, too. */
export function placeAfter(text: string, digits: number, isPast: boolean): number {
  let place = 0;
  for (let seen = 0; seen < digits && place < text.length; place += 1) if (/\d/.test(text.charAt(place))) seen += 1;
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

/** Digits on both sides of the caret. Who has deleted nothing but a blank has meant the digit beside it. */
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
  // Like `maxlength`: what is too much is what was put in last, and that stands before the caret.
  const surplus = Math.max(0, front.length + back.length - service);
  const kept = front.slice(0, Math.max(0, front.length - surplus));
  const digits = (kept + back).slice(0, service);
  const text = grouped(digits, layoutOf(digits).groups);
  return { text, caret: placeAfter(text, kept.length, !isDeleting(edit.kind)) };
}
