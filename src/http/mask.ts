import { passesLuhn } from '../spec/cardRanges.ts';

/**
 * Two kinds of text are looked at: our own ids, 32 hex digits that stand alone, which stay; and runs of thirteen digits or more,
 * with single blanks or hyphens between them, which may hide a card number.
 */
const SUSPECT = /(?<![0-9A-Za-z])[0-9a-f]{32}(?![0-9A-Za-z])|[0-9](?:[ -]?[0-9]){12,}/g;
const DIGITS_MIN = 13;
const DIGITS_MAX = 19;

function masked(found: string): string {
  if (/[a-f]/.test(found)) return found;
  const digits = found.replace(/[ -]/g, '');
  // A longer run may hold a number anywhere within it.
  if (digits.length > DIGITS_MAX) return '***';
  return passesLuhn(digits) ? `${digits.slice(0, 6)}***${digits.slice(-4)}` : found;
}

/** The text without anything that has the shape of a card number. The last line of defence: nothing should have put one there. */
export function withoutCardNumbers(text: string): string {
  return text.length < DIGITS_MIN ? text : text.replace(SUSPECT, masked);
}
