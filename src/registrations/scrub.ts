import type { Secrets } from './instrument.ts';

const HIDDEN = '***';

/**
 * A text without the number that is charged, in case somebody put it there too: into a remark, or into the field for the name. Only
 * this number is looked for, because an order number may well look like some card's.
 */
export function scrubbed<Text extends string | null>(text: Text, { number, iban }: Secrets): Text {
  const secret = number ?? iban;
  if (text === null || secret === undefined || text.length < secret.length) return text;
  if (text.includes(secret)) return text.replaceAll(secret, HIDDEN) as Text;
  // People write numbers in groups.
  return text.replace(/[ -]/g, '').includes(secret) ? (HIDDEN as Text) : text;
}
