import { createHash } from 'node:crypto';

/** Hashes a stream as it is read; `hex` is the digest once the stream has ended. */
export function withDigest(bytes: AsyncIterable<Uint8Array>): { readonly bytes: AsyncIterable<Uint8Array>; hex(): string } {
  const hash = createHash('sha256');
  async function* through(): AsyncIterable<Uint8Array> {
    for await (const chunk of bytes) {
      hash.update(chunk);
      yield chunk;
    }
  }
  return { bytes: through(), hex: () => hash.digest('hex') };
}

/** The SHA-256 and the length of a stream. */
export async function digestFile(bytes: AsyncIterable<Uint8Array>): Promise<{ readonly hex: string; readonly length: number }> {
  const counted = withDigest(bytes);
  let length = 0;
  for await (const chunk of counted.bytes) length += chunk.length;
  return { hex: counted.hex(), length };
}
