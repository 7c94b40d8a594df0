import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const CHUNK = 4_194_304;
const OVERLAP = 64;

/**
 * Searches all memory that a process can write to: heaps, stacks and buffers, freed or not. Returns every text of this beginning, as long
 * as the pattern says, with the number of its copies.
 */
export function searchMemory(pid: number, beginning: string, length: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const chunk = Buffer.alloc(CHUNK + OVERLAP);
  try {
    for (const { from, to } of writableRanges(pid)) {
      for (let at = from; at < to; at += CHUNK) {
        const bytes = chunk.subarray(0, readAt(memory, chunk, at, Math.min(CHUNK + OVERLAP, to - at)));
        for (const text of textsIn(bytes, beginning, length)) counts.set(text, (counts.get(text) ?? 0) + 1);
      }
    }
  } finally {
    closeSync(memory);
  }
  return counts;
}

/** Texts of one and of two bytes for each character. */
function textsIn(bytes: Buffer, beginning: string, length: number): readonly string[] {
  return (['latin1', 'utf16le'] as const).flatMap((encoding) => {
    const needle = Buffer.from(beginning, encoding);
    const size = encoding === 'latin1' ? length : 2 * length;
    const found: string[] = [];
    for (let at = bytes.indexOf(needle); at >= 0 && at < CHUNK; at = bytes.indexOf(needle, at + 1))
      found.push(bytes.toString(encoding, at, at + size));
    return found;
  });
}

type Range = { readonly from: number; readonly to: number };

function writableRanges(pid: number): readonly Range[] {
  const lines = readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, from, to, rights] = /^([0-9a-f]+)-([0-9a-f]+) (\S+)/.exec(line) ?? [];
    return from && to && rights?.startsWith('rw') ? [{ from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }] : [];
  });
}

/** Some ranges are reserved and not there. */
function readAt(memory: number, chunk: Buffer, at: number, length: number): number {
  try {
    return readSync(memory, chunk, 0, length, at);
  } catch {
    return 0;
  }
}
