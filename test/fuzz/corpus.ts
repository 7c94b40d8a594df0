import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const folder = join(import.meta.dirname, 'corpus');
const cache = join(import.meta.dirname, '..', '..', '.cache', 'fuzz');

/** Longer ones are searched on with, and not kept in the repository. */
const KEPT_BYTES_MAX = 40_000;

const bytesOf = (texts: readonly string[]): readonly Buffer[] => texts.map((text) => Buffer.from(text, 'latin1'));
const textsOf = (inputs: readonly Buffer[]): readonly string[] => inputs.map((input) => input.toString('latin1'));

/** The inputs that the repository keeps: together they reach every block that a search has reached. */
export function readCorpus(name: string): readonly Buffer[] {
  const path = join(folder, `${name}.json`);
  return existsSync(path) ? bytesOf(JSON.parse(readFileSync(path, 'utf8')) as string[]) : [];
}

/** One input a line, one character for each byte. */
export function writeCorpus(name: string, inputs: readonly Buffer[]): void {
  let left = KEPT_BYTES_MAX;
  const lines = inputs.map((input) => JSON.stringify(input.toString('latin1')).replace(/[\u007f-\u00ff]/g, escaped));
  const kept = lines.filter(({ length }) => {
    left -= length;
    return left >= 0;
  });
  writeFileSync(join(folder, `${name}.json`), `[\n${kept.map((line) => `  ${line}`).join(',\n')}\n]\n`);
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** How far a search is, at one commit. */
export type Progress = { readonly commit: string; readonly executions: number; readonly corpus: readonly Buffer[] };

type Written = { readonly commit: string; readonly executions: number; readonly corpus: readonly string[] };

/** Inputs of earlier searches are used again; executions count for the commit that they were done at. */
export function readProgress(name: string, commit: string): Progress {
  const path = join(cache, `${name}.json`);
  if (!existsSync(path)) return { commit, executions: 0, corpus: [] };
  const before = JSON.parse(readFileSync(path, 'utf8')) as Written;
  return { commit, executions: before.commit === commit ? before.executions : 0, corpus: bytesOf(before.corpus) };
}

export function writeProgress(name: string, { commit, executions, corpus }: Progress): void {
  const path = join(cache, `${name}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ commit, executions, corpus: textsOf(corpus) } satisfies Written));
}
