import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';

/** Whether others have lost a password. */
export type BreachedList = (password: string) => Promise<boolean>;

const HASH = /^[0-9A-F]{40}(?=[:\s]|$)/i;
/** Longer than a line: a hash and how often it was seen. */
const LINE_BYTES = 128;
/** As many as a file of 2^63 bytes would need. */
const STEPS_MAX = 64;

/** The configured file is not a list of breached passwords. */
export class InvalidBreachedList extends Error {
  override readonly name = 'NoBreachedList';
}

/** The string at a place of the file. */
type Reading = { readonly size: number; readonly textAt: (at: number) => Promise<string> };

/** Passwords are chosen seldom: the file is open for as long as a question takes. */
async function reading<Value>(path: string, work: (file: Reading) => Promise<Value>): Promise<Value> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new InvalidBreachedList(`cannot be read (${error.code ?? 'unknown error'})`);
  });
  try {
    const textAt = async (at: number): Promise<string> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(2 * LINE_BYTES), 0, 2 * LINE_BYTES, at);
      return buffer.toString('latin1', 0, bytesRead);
    };
    return await work({ size: (await file.stat()).size, textAt });
  } finally {
    await file.close();
  }
}

type Line = { readonly hash: string; readonly at: number };

/** The first line that begins at a place or behind it, and where it begins; null at the end. */
async function lineFrom({ textAt }: Reading, at: number): Promise<Line | null> {
  const text = await textAt(Math.max(0, at - 1));
  const start = at === 0 ? 0 : text.indexOf('\n') + 1;
  const found = at > 0 && start === 0 ? null : HASH.exec(text.slice(start));
  return found ? { hash: found[0].toUpperCase(), at: Math.max(0, at - 1) + start } : null;
}

async function holds(file: Reading, wanted: string): Promise<boolean> {
  let [low, high] = [0, file.size];
  for (let steps = 0; steps < STEPS_MAX && low < high; steps += 1) {
    const middle = Math.floor((low + high) / 2);
    const line = await lineFrom(file, middle);
    if (line?.hash === wanted) return true;
    if (line && line.hash < wanted) low = line.at + 1;
    else high = middle;
  }
  return (await lineFrom(file, low))?.hash === wanted;
}

/**
 * A file of SHA-1 hashes in hexadecimal, a line each, sorted, with anything behind a colon: as the lists of lost passwords are handed
 * out. It may be of any size: a few lines of it are read for each question.
 */
export async function openBreachedList(path: string): Promise<BreachedList> {
  const isList = await reading(path, async ({ textAt }) => HASH.test(await textAt(0)));
  if (!isList) throw new InvalidBreachedList('holds no SHA-1 hashes, sorted, one in each line');
  return (password) => reading(path, (file) => holds(file, hash('sha1', password, 'hex').toUpperCase()));
}
