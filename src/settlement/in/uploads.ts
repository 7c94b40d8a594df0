import { createReadStream, rmSync } from 'node:fs';
import { type FileHandle, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file of somebody else's that lies with us for as long as it is read. */
export type Laid = { readonly bytes: number; readonly open: () => AsyncIterable<Uint8Array> };

/** Gives a file piece by piece; the next one is asked for when `take` is done with the last. */
export type Pour = (take: (piece: Uint8Array) => Promise<void>) => Promise<void>;

export interface Shelf {
  /** Lays down what is poured and lets it be used. Whatever comes of it, the file is gone afterwards. */
  readonly lay: <T>(pour: Pour, bytesMax: number, use: (laid: Laid) => Promise<T>) => Promise<T>;
}

/** More came than is taken. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
  constructor(bytesMax: number) {
    super(`the file is longer than ${bytesMax} bytes`);
  }
}

/**
 * Files pass through a folder of this node's own, which nobody else can read. What a process that was killed has left there is gone with
 * the next one's beginning. Null: they pass through the machine's folder for such things.
 */
export function createShelf(folder: string | null): Shelf {
  if (folder !== null) rmSync(folder, { recursive: true, force: true });
  return {
    async lay(pour, bytesMax, use) {
      if (folder !== null) await mkdir(folder, { recursive: true, mode: 0o700 });
      const place = await mkdtemp(join(folder ?? tmpdir(), 'turnpike-file-'));
      try {
        const path = join(place, 'file');
        const bytes = await written(await open(path, 'wx', 0o600), pour, bytesMax);
        return await use({ bytes, open: () => createReadStream(path) });
      } finally {
        await rm(place, { recursive: true, force: true });
      }
    },
  };
}

async function written(file: FileHandle, pour: Pour, bytesMax: number): Promise<number> {
  let bytes = 0;
  try {
    await pour(async (piece) => {
      bytes += piece.length;
      if (bytes > bytesMax) throw new TooLong(bytesMax);
      await file.appendFile(piece);
    });
  } finally {
    await file.close();
  }
  return bytes;
}
