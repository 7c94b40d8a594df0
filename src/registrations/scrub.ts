import { withoutNumber } from '../spec/cards/cardNumbers.ts';
import type { Secrets } from './instrument.ts';

/**
 * A text without the number or account that is charged, in case the request repeats it there. The form is searched for card numbers
 * before; this finds the one that no issuer's range or check digit tells.
 */
export function scrubbed<Text extends string | null>(text: Text, { number, iban }: Secrets): Text {
  const secret = number ?? iban;
  return text === null || secret === undefined ? text : (withoutNumber(text, secret) as Text);
}
