import type { Format, Row, Run } from '../spec/row.ts';
import { lenientLengthMax } from './limits.ts';

const PRINTABLE = new RegExp(`^[^\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]{1,${lenientLengthMax}}$`, 'u');

/** Whether a text has the format of the row; a lenient channel takes any printable one in a descriptive field. */
export function isWellFormed(row: Row<unknown>, text: string, isLenient: boolean): boolean {
  const { format, lenient, lenientFormat } = row;
  if (fits(format, text)) return true;
  return isLenient && ((lenient === true && PRINTABLE.test(text)) || (lenientFormat !== undefined && fits(lenientFormat, text)));
}

const fits = ({ pattern, parse, run }: Format<unknown>, text: string): boolean =>
  ((run !== undefined && isPlainRun(run, text)) || pattern.test(text)) && parse(text) !== undefined;

const ASCII = 128;

/** Whether a text of ASCII alone is such a run. One loop for all formats is quicker than a pattern for each; it decides most texts. */
function isPlainRun(run: Run, text: string): boolean {
  const { length } = text;
  if (length < run.least || length > run.max) return false;
  run.ascii ??= asciiIn(run.set);
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= ASCII || run.ascii[code] === 0) return false;
  }
  return true;
}

function asciiIn(set: string): Uint8Array {
  const pattern = new RegExp(`^[${set}]$`, 'u');
  return Uint8Array.from({ length: ASCII }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));
}
