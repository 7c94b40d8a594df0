import type { Format, Row } from '../spec/row.ts';
import { lenientLengthMax } from './limits.ts';

const PRINTABLE = new RegExp(`^[^\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]{1,${lenientLengthMax}}$`, 'u');

/** Whether a text has the format of the row; a lenient channel takes any printable one in a descriptive field. */
export function isWellFormed(row: Row<unknown>, text: string, isLenient: boolean): boolean {
  const { format, lenient, lenientFormat } = row;
  if (fits(format, text)) return true;
  return isLenient && ((lenient === true && PRINTABLE.test(text)) || (lenientFormat !== undefined && fits(lenientFormat, text)));
}

const fits = ({ pattern, parse }: Format<unknown>, text: string): boolean => pattern.test(text) && parse(text) !== undefined;
