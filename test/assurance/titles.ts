import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Proof } from './row.ts';

const root = join(import.meta.dirname, '..', '..');
const CALL = /\b(?:test|it|describe)(?:\.\w+)?\(\s*(?=['"`])/g;
/** The planted bugs of the simulation are tests by their names. */
const NAME = /\bname: (?=')/g;
const titlesIn = new Map<string, readonly string[]>();

export function splitProof(proof: Proof): { readonly file: string; readonly title: string } {
  const at = proof.indexOf(': ');
  return { file: proof.slice(0, at), title: proof.slice(at + 2) };
}

/** The titles of the tests in a file, with an ellipsis in the place of each value. */
export function readTitles(file: string): readonly string[] {
  const before = titlesIn.get(file);
  if (before) return before;
  const text = readFileSync(join(root, file), 'utf8');
  const begin = file.endsWith('/planted.ts') ? NAME : CALL;
  const titles = [...text.matchAll(begin)].map(({ index, 0: { length } }) => readLiteral(text, index + length));
  titlesIn.set(file, titles);
  return titles;
}

/** The reason why a proof names no test; null when it does. */
export function findFault(proof: Proof): string | null {
  const { file, title } = splitProof(proof);
  try {
    const titles = readTitles(file);
    if (title !== '' && titles.some((one) => one.startsWith(title))) return null;
    return `${file} has no test "${title}"`;
  } catch {
    return `${file} is not there`;
  }
}

/** A string literal that begins at `from`; `${…}` becomes an ellipsis. */
function readLiteral(text: string, from: number): string {
  const quote = text[from];
  let read = '';
  for (let at = from + 1; at < text.length && text[at] !== quote; at += 1) {
    if (text[at] === '\\') {
      at += 1;
      read += text[at];
    } else if (quote === '`' && text.startsWith('${', at)) {
      at = endOfValue(text, at + 2);
      read += '…';
    } else read += text[at];
  }
  return read;
}

/** The place of the brace that ends a value in a template. */
function endOfValue(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}
