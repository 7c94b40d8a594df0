import type { BankStatus, SentBatch } from '../../bankReport.ts';
import type { LineFault, SettledLine } from '../../record.ts';

/** One line of a file, a status of payments that were sent to a bank, or what is wrong with either. */
export type ReadResult =
  | { readonly kind: 'line'; readonly line: SettledLine; readonly sent: SentBatch | null }
  /** `line`: for the exception that it becomes when its payment is not known. It is no line of a settlement. */
  | { readonly kind: 'status'; readonly line: SettledLine; readonly status: BankStatus }
  /** Refuses the file. */
  | { readonly kind: 'fault'; readonly fault: LineFault }
  /** An entry that becomes an exception, unless `sent` names a batch that is known. `why`: what is wrong with it, and its place. */
  | { readonly kind: 'unread'; readonly line: SettledLine; readonly sent: SentBatch | null; readonly why: string }
  /** Something about the file that needs no decision, such as an entry that was skipped. */
  | { readonly kind: 'note'; readonly note: LineFault }
  /** The details of this entry, counted from 1, do not make up its amount: the next reading must not read them one by one. */
  | { readonly kind: 'unsplit'; readonly entry: number };

/** A result that becomes a line of the file. */
export type LineResult = Extract<ReadResult, { readonly line: SettledLine }>;
export const isLine = (result: ReadResult): result is LineResult => 'line' in result;

export const readLineResult = (line: SettledLine, sent: SentBatch | null = null): ReadResult => ({ kind: 'line', line, sent });
export const faultResult = (line: number, message: string): ReadResult => ({ kind: 'fault', fault: { line, message } });

/** A file format. */
export interface Format {
  readonly name: string;
  /** For the documentation, and for the message that refuses other formats. */
  readonly description: string;
  /** A file without lines says that nothing happened; otherwise it is a mistake. */
  readonly mayBeEmpty?: true;
  /** Whether a file that begins with this text has this format. */
  readonly recognises: (head: string) => boolean;
  /**
   * Yields the lines in batches as the bytes arrive and holds one batch in memory. A fault that ends the reading comes last. An entry with
   * many details shows only at its end whether they make up its amount, so a file is read twice: `unsplit` are the entries that the first
   * reading has found.
   */
  read(bytes: AsyncIterable<Uint8Array>, unsplit?: ReadonlySet<number>): AsyncIterable<readonly ReadResult[]>;
}

/** The file cannot be read from this line on. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}
