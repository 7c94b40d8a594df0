import { createHash } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { type FileHandle, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary file. */
export type StoredUpload = { readonly bytes: number; readonly open: () => AsyncIterable<Uint8Array> };

/** Streams a file chunk by chunk; waits for `write` before the next chunk. */
export type StreamUpload = (write: (chunk: Uint8Array) => Promise<void>) => Promise<void>;

export interface UploadStore {
  /** Writes a stream to a temporary file, passes it to `use`, and deletes it afterwards in any case. */
  readonly withUpload: <T>(streamBody: StreamUpload, bytesMax: number, use: (upload: StoredUpload) => Promise<T>) => Promise<T>;
}

export class UploadTooLarge extends Error {
  override readonly name = 'UploadTooLarge';
  constructor(bytesMax: number) {
    super(`the file is longer than ${bytesMax} bytes`);
  }
}

/**
 * Keeps uploads in a folder of this node that only its own user can read. Files that a killed process has left there are deleted at the
 * next start. Null: the temporary folder of the system.
 */
export function createUploadStore(folder: string | null): UploadStore {
  if (folder !== null) rmSync(folder, { recursive: true, force: true });
  return {
    async withUpload(streamBody, bytesMax, use) {
      if (folder !== null) await mkdir(folder, { recursive: true, mode: 0o700 });
      const temporary = await mkdtemp(join(folder ?? tmpdir(), 'turnpike-file-'));
      try {
        const path = join(temporary, 'file');
        const bytes = await writeStream(await open(path, 'wx', 0o600), streamBody, bytesMax);
        return await use({ bytes, open: () => createReadStream(path) });
      } finally {
        await rm(temporary, { recursive: true, force: true });
      }
    },
  };
}

async function writeStream(file: FileHandle, streamBody: StreamUpload, bytesMax: number): Promise<number> {
  let bytes = 0;
  try {
    await streamBody(async (chunk) => {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new UploadTooLarge(bytesMax);
      await file.appendFile(chunk);
    });
  } finally {
    await file.close();
  }
  return bytes;
}

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
