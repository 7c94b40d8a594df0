import { createReadStream, rmSync } from 'node:fs';
import { type FileHandle, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file of somebody else's that lies with us for as long as it is read. */
export type StoredUpload = { readonly bytes: number; readonly open: () => AsyncIterable<Uint8Array> };

/** Gives a file piece by piece; the next one is asked for when `take` is done with the last. */
export type WriteUpload = (take: (piece: Uint8Array) => Promise<void>) => Promise<void>;

export interface UploadStore {
  /** Lays down what is poured and lets it be used. Whatever comes of it, the file is gone afterwards. */
  readonly lay: <T>(streamBody: WriteUpload, bytesMax: number, use: (laid: StoredUpload) => Promise<T>) => Promise<T>;
}

/** More came than is taken. */
export class UploadTooLarge extends Error {
  override readonly name = 'TooLong';
  constructor(bytesMax: number) {
    super(`the file is longer than ${bytesMax} bytes`);
  }
}

/**
 * Files pass through a folder of this node's own, which nobody else can read. What a process that was killed has left there is gone with
 * the next one's beginning. Null: they pass through the machine's folder for such things.
 */
export function createUploadStore(folder: string | null): UploadStore {
  if (folder !== null) rmSync(folder, { recursive: true, force: true });
  return {
    async lay(streamBody, bytesMax, use) {
      if (folder !== null) await mkdir(folder, { recursive: true, mode: 0o700 });
      const place = await mkdtemp(join(folder ?? tmpdir(), 'turnpike-file-'));
      try {
        const path = join(place, 'file');
        const bytes = await written(await open(path, 'wx', 0o600), streamBody, bytesMax);
        return await use({ bytes, open: () => createReadStream(path) });
      } finally {
        await rm(place, { recursive: true, force: true });
      }
    },
  };
}

async function written(file: FileHandle, streamBody: WriteUpload, bytesMax: number): Promise<number> {
  let bytes = 0;
  try {
    await streamBody(async (piece) => {
      bytes += piece.length;
      if (bytes > bytesMax) throw new UploadTooLarge(bytesMax);
      await file.appendFile(piece);
    });
  } finally {
    await file.close();
  }
  return bytes;
}
