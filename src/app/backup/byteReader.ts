/** Reads a stream of bytes in pieces of a given length. */
export interface ByteReader {
  /** Null when fewer bytes are left. */
  read(bytes: number): Promise<Buffer | null>;
  isAtEnd(): Promise<boolean>;
}

export function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const pieces = source[Symbol.asyncIterator]();
  const waiting: Uint8Array[] = [];
  let [held, isEnded] = [0, false];
  const holdAtLeast = async (bytes: number): Promise<boolean> => {
    while (held < bytes && !isEnded) {
      const { done, value } = await pieces.next();
      isEnded = done === true;
      if (done || value.length === 0) continue;
      waiting.push(value);
      held += value.length;
    }
    return held >= bytes;
  };
  return {
    async read(bytes) {
      if (!(await holdAtLeast(bytes))) return null;
      const result = Buffer.alloc(bytes);
      for (let at = 0; at < bytes; ) {
        const first = waiting[0] as Uint8Array;
        const taken = first.subarray(0, bytes - at);
        result.set(taken, at);
        at += taken.length;
        if (taken.length === first.length) waiting.shift();
        else waiting[0] = first.subarray(taken.length);
      }
      held -= bytes;
      return result;
    },
    isAtEnd: async () => !(await holdAtLeast(1)),
  };
}
