import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = join(import.meta.dirname, 'corpus');
const root = join(import.meta.dirname, '..', '..');
const cache = join(root, '.cache', 'fuzz');

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

/** How far a search is, with one state of the reader and of the search. */
export type Progress = { readonly state: string; readonly executions: number; readonly corpus: readonly Buffer[] };

type Written = { readonly state: string; readonly executions: number; readonly corpus: readonly string[] };

/** Tells one state of the reader's sources and of the search from another: executions of another state prove nothing about this one. */
export function stateOf(name: string, sources: RegExp): string {
  const readers = globSync('src/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts') && sources.test(pathToFileURL(join(root, file)).href),
  );
  const searching = ['fuzz', 'mutate', 'coverage', 'instrument', 'target', `targets/${name}`].map(
    (file) => `test/fuzz/${file}.ts`,
  );
  const digest = createHash('sha256');
  for (const file of [...readers.toSorted(), ...searching]) digest.update(`${file}\n`).update(readFileSync(join(root, file)));
  return digest.digest('hex').slice(0, 16);
}

/** Inputs of earlier searches are used again; executions count for the state that they were done with. */
export function readProgress(name: string, state: string): Progress {
  const path = join(cache, `${name}.json`);
  if (!existsSync(path)) return { state, executions: 0, corpus: [] };
  const before = JSON.parse(readFileSync(path, 'utf8')) as Written;
  return { state, executions: before.state === state ? before.executions : 0, corpus: bytesOf(before.corpus) };
}

export function writeProgress(name: string, { state, executions, corpus }: Progress): void {
  const path = join(cache, `${name}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ state, executions, corpus: textsOf(corpus) } satisfies Written));
}
