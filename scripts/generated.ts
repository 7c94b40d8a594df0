import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reachOf } from './reach.ts';

/**
 * Sources that are made from others and not kept in git. `npm test`, `check`, `pack` and every other command of the tools makes them first
 * (scripts/run.mjs), in a fresh clone and whenever an input has changed. The gateway itself needs none of them.
 */
export type Generated = {
  /** Git ignores it. */
  readonly folder: string;
  /** The module that makes the files. Every module that it imports is an input. */
  readonly generator: string;
  /** Further inputs. */
  readonly reads: readonly string[];
  /** The files by name. */
  make(): Promise<Readonly<Record<string, string>>>;
};

export const generated: readonly Generated[] = [
  {
    folder: 'src/client/generated',
    generator: 'scripts/client/clientTables.ts',
    reads: ['docs/openapi.json'],
    make: async () => (await import('./client/clientTables.ts')).clientTables(),
  },
];

const root = join(import.meta.dirname, '..');
/** The file beside the made ones that has the hash of their inputs, and their names. */
const INPUTS = '.inputs';

function keyOf({ generator, reads }: Generated): string {
  // A generator names modules in the texts that it makes: they are no files of ours.
  const contentOf = (file: string): string => textOf(join(root, file)) ?? '';
  const files = [...reachOf([generator], contentOf).files, ...reads].sort();
  return hash('sha256', files.map((file) => `${file} ${hash('sha256', contentOf(file))}`).join('\n'));
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/**
 * Makes the files whose inputs have changed; `target` is another folder for them. Returns the names of the files that are new. Each file
 * appears whole, so several commands may make them together. A file that stays the same keeps its time.
 */
export async function makeGenerated(one: Generated, target: string = join(root, one.folder)): Promise<readonly string[]> {
  const key = keyOf(one);
  const [madeFrom, ...names] = textOf(join(target, INPUTS))?.split('\n') ?? [];
  if (madeFrom === key && names.every((name) => existsSync(join(target, name)))) return [];
  const made = await one.make();
  const files = Object.entries({ ...made, [INPUTS]: [key, ...Object.keys(made)].join('\n') });
  const changed = files.filter(([name, text]) => textOf(join(target, name)) !== text);
  mkdirSync(target, { recursive: true });
  for (const [name, text] of changed) {
    const aside = join(target, `.${name}-${process.pid}`);
    writeFileSync(aside, text);
    renameSync(aside, join(target, name));
  }
  return changed.map(([name]) => name);
}

if (import.meta.main)
  for (const one of generated)
    try {
      await makeGenerated(one);
    } catch (error) {
      console.error(`${one.folder} could not be made by ${one.generator}:\n${(error as Error).stack}`);
      process.exitCode = 1;
    }
