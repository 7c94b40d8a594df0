import type { LineFault, SettledLine } from '../../record.ts';

/** One line of a file, or what is wrong with it. */
export type ReadResult =
  | { readonly kind: 'line'; readonly line: SettledLine }
  | { readonly kind: 'fault'; readonly fault: LineFault };

export const readLineResult = (line: SettledLine): ReadResult => ({ kind: 'line', line });
export const faultResult = (line: number, message: string): ReadResult => ({ kind: 'fault', fault: { line, message } });

/** A file format. */
export interface Format {
  readonly name: string;
  /** For the documentation, and for the message that refuses other formats. */
  readonly description: string;
  /** Whether a file that begins with this text has this format. */
  readonly recognises: (head: string) => boolean;
  /** Yields the lines in batches as the bytes arrive and holds one batch in memory. A fault that ends the reading comes last. */
  read(bytes: AsyncIterable<Uint8Array>): AsyncIterable<readonly ReadResult[]>;
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
