import type { OwnedCall } from './rawCall.ts';

/**
 * Calls in bytes, one behind the other: each has three lengths, its members as JSON, the form as it came and the answer. Objects would live
 * until the calls are written, and so be copied to the old ones; and each would be copied once more to reach the thread that masks them.
 */

/** Room for the longest call several times over. */
const PIECE_BYTES = 524_288;
const LENGTH_BYTES = 4;
const LENGTHS_BYTES = 3 * LENGTH_BYTES;
/** The length of an answer that is null. */
const NO_ANSWER = 0xffff_ffff;
/** A character has three bytes at most. */
const CHARACTER_BYTES = 3;

export interface Recorder {
  /** Throws when the call is longer than any may be. */
  add(call: OwnedCall): void;
  calls(): number;
  bytes(): number;
  /** What was added since, in pieces with memory of their own. */
  take(): readonly Uint8Array<ArrayBuffer>[];
}

export function createRecorder(): Recorder {
  let whole: Uint8Array<ArrayBuffer>[] = [];
  let [calls, wholeBytes, at] = [0, 0, 0];
  /** The one piece that is written to: it stays, and what is taken is a copy. */
  let piece: Buffer | null = null;
  const close = (): void => {
    if (piece === null || at === 0) return;
    whole.push(new Uint8Array(piece.subarray(0, at)));
    // It has held card numbers.
    piece.fill(0, 0, at);
    [wholeBytes, at] = [wholeBytes + at, 0];
  };
  return {
    calls: () => calls,
    bytes: () => wholeBytes + at,
    add({ form, answer, ...members }) {
      const head = JSON.stringify(members);
      const bytesMax = LENGTHS_BYTES + form.length + CHARACTER_BYTES * (head.length + (answer?.length ?? 0));
      if (bytesMax > PIECE_BYTES) throw new Error('a call is longer than any may be');
      if (at + bytesMax > PIECE_BYTES) close();
      piece ??= Buffer.allocUnsafeSlow(PIECE_BYTES);
      const headBytes = piece.write(head, at + LENGTHS_BYTES, 'utf8');
      const formAt = at + LENGTHS_BYTES + headBytes;
      piece.set(form, formAt);
      const answerBytes = answer === null ? NO_ANSWER : piece.write(answer, formAt + form.length, 'utf8');
      piece.writeUInt32LE(headBytes, at);
      piece.writeUInt32LE(form.length, at + LENGTH_BYTES);
      piece.writeUInt32LE(answerBytes, at + 2 * LENGTH_BYTES);
      at = formAt + form.length + (answer === null ? 0 : answerBytes);
      calls += 1;
    },
    take() {
      close();
      const taken = whole;
      [whole, calls, wholeBytes] = [[], 0, 0];
      return taken;
    },
  };
}

/** The calls of a piece, in the order in which they were added. Their forms are views of it. */
export function* callsIn(piece: Uint8Array): Generator<OwnedCall, undefined> {
  const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  for (let at = 0; at < bytes.length; ) {
    const formAt = at + LENGTHS_BYTES + bytes.readUInt32LE(at);
    const answerAt = formAt + bytes.readUInt32LE(at + LENGTH_BYTES);
    const answerBytes = bytes.readUInt32LE(at + 2 * LENGTH_BYTES);
    const end = answerBytes === NO_ANSWER ? answerAt : answerAt + answerBytes;
    const members = JSON.parse(bytes.toString('utf8', at + LENGTHS_BYTES, formAt)) as Omit<OwnedCall, 'form' | 'answer'>;
    const answer = answerBytes === NO_ANSWER ? null : bytes.toString('utf8', answerAt, end);
    yield { ...members, form: bytes.subarray(formAt, answerAt), answer };
    at = end;
  }
}
