import { parameters } from './parameters.ts';
import type { Row, Secrecy } from './row.ts';
import { rowNameOf } from './rowName.ts';

const HIDDEN = '***';

/** Digits of a number that may be shown at both ends: with fewer than 14 too few would stay hidden. */
const PAN_LENGTH_MIN = 14;
const ACCOUNT_LENGTH_MIN = 8;

/** How a value of this secrecy may be shown to people and in logs. */
export function masked(secret: Secrecy | undefined, text: string): string {
  switch (secret) {
    case undefined:
      return text;
    case 'pan':
      return /^[0-9]+$/.test(text) && text.length >= PAN_LENGTH_MIN ? text.slice(0, 6) + HIDDEN + text.slice(-4) : HIDDEN;
    case 'account':
      return text.length >= ACCOUNT_LENGTH_MIN ? HIDDEN + text.slice(-4) : HIDDEN;
    case 'hidden':
    case 'never':
      return HIDDEN;
  }
}

/** What a log may say about a parameter. Names that no row has hide their value: a misspelt card.number is one of them. */
export function redacted(name: string, text: string): string {
  const rowName = rowNameOf(name);
  if (rowName === undefined) return HIDDEN;
  const row: Row<unknown> = parameters[rowName];
  return masked(row.secret, text);
}
