import { createHash } from 'node:crypto';

/** Whatever goes by is counted in; `hex` tells of all of it, once it is through. */
export function digesting(bytes: AsyncIterable<Uint8Array>): { readonly bytes: AsyncIterable<Uint8Array>; hex(): string } {
  const hash = createHash('sha256');
  async function* through(): AsyncIterable<Uint8Array> {
    for await (const chunk of bytes) {
      hash.update(chunk);
      yield chunk;
    }
  }
  return { bytes: through(), hex: () => hash.digest('hex') };
}

/** SHA-256 of bytes that come in pieces, and how many there are. */
export async function digestOf(bytes: AsyncIterable<Uint8Array>): Promise<{ readonly hex: string; readonly length: number }> {
  const counted = digesting(bytes);
  let length = 0;
  for await (const chunk of counted.bytes) length += chunk.length;
  return { hex: counted.hex(), length };
}
