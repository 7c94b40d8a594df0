import type { Format, Row, Run } from '../spec/row.ts';
import { lenientLengthMax } from './limits.ts';

const PRINTABLE = new RegExp(`^[^\\p{Cc}\\p{Cs}\\u202A-\\u202E\\u2066-\\u2069]{1,${lenientLengthMax}}$`, 'u');

/** The formats of a row as requests test them. All have the same fields in the same order: the engine reads such objects quickest. */
export type FormatTest = {
  readonly pattern: RegExp;
  readonly parse: (text: string) => unknown;
  readonly run: Run | null;
  readonly isClosed: boolean;
  /** A lenient channel takes any printable text. */
  readonly isDescriptive: boolean;
  /** The format that a lenient channel accepts too. */
  readonly lenient: FormatTest | null;
};

export const formatTestOf = ({ format, lenient, lenientFormat }: Row<unknown>): FormatTest =>
  createFormatTest(format, lenient === true, lenientFormat === undefined ? null : createFormatTest(lenientFormat, false, null));

const createFormatTest = (
  { pattern, parse, run, isClosed }: Format<unknown>,
  isDescriptive: boolean,
  lenient: FormatTest | null,
): FormatTest => ({ pattern, parse, run: run ?? null, isClosed: isClosed === true, isDescriptive, lenient });

/** Whether a text has the format; a lenient channel takes any printable one in a descriptive field. */
export const isWellFormed = (test: FormatTest, text: string, isLenient: boolean): boolean =>
  fits(test, text) ||
  (isLenient && ((test.isDescriptive && PRINTABLE.test(text)) || (test.lenient !== null && fits(test.lenient, text))));

const fits = ({ pattern, parse, run, isClosed }: FormatTest, text: string): boolean =>
  (isClosed || (run !== null && isPlainRun(run, text)) || pattern.test(text)) && parse(text) !== undefined;

const ASCII = 128;

/** Whether a text of ASCII alone is such a run. One loop for all formats is quicker than a pattern for each; it decides most texts. */
function isPlainRun(run: Run, text: string): boolean {
  const { length } = text;
  if (length < run.least || length > run.max) return false;
  run.ascii ??= asciiIn(run.set);
  const { ascii } = run;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= ASCII || ascii[code] === 0) return false;
  }
  return true;
}

function asciiIn(set: string): Uint8Array {
  const pattern = new RegExp(`^[${set}]$`, 'u');
  return Uint8Array.from({ length: ASCII }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));
}
