import type { LineFault, SettledLine } from '../../record.ts';

/** What a file has on one line: what is meant, or what is wrong with it. */
export type ReadResult = SettledLine | LineFault;

export const isFault = (read: ReadResult): read is LineFault => 'message' in read;

/** A kind of file. */
export interface Format {
  readonly name: string;
  /** For the documentation and for whoever brought something else. */
  readonly says: string;
  /** Whether a file that begins with this text is one of these. */
  readonly begins: (head: string) => boolean;
  /** The lines in portions, as the bytes come. Never more in memory than a portion; what cannot be read at all is the last fault. */
  read(bytes: AsyncIterable<Uint8Array>): AsyncIterable<readonly ReadResult[]>;
}

/** A file that makes no sense from some line on; nothing behind it can be read. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

export const faultOf = ({ line, message }: Unreadable): LineFault => ({ line, message });
