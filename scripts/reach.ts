import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Which files and packages the server can load. */

const root = join(import.meta.dirname, '..');

/** The programs: the gateway, the operator's commands, the gateway of other programs' tests, and what they start as threads. */
const PROGRAMS: readonly string[] = ['src/main.ts', 'src/cli/main.ts', 'src/app/testing/main.ts'];

/** Build the files for browsers in a checkout. A package brings those files built, and none of these. */
export const BUILDERS: readonly string[] = ['src/assets/backOffice.ts', 'src/assets/build.ts', 'src/site/build.ts'];

export type Reach = {
  readonly files: ReadonlySet<string>;
  /** Packages by name, each with a file that imports it. */
  readonly packages: ReadonlyMap<string, string>;
};

const STATIC = /(?:^|\n)(?:import|export)\s(?!type\s)(?:[^'";]*?\sfrom\s)?'([^']+)'/g;
const DYNAMIC = /\bimport\('([^']+)'\)/g;
/** A source that is named is loaded, if only as the file of a thread. */
const NAMED = /'(\.{1,2}\/[^'\n]+\.ts)'/g;

const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
const typeless = (text: string): string => text.replace(/(^|\n)(?:import|export) type [^;]*?from '[^']+';/g, '$1');

/** Follows every import that is left when types are gone. */
export function reachOf(programs = PROGRAMS, readText = textOf, except = BUILDERS): Reach {
  const files = new Set<string>();
  const packages = new Map<string, string>();
  const open = [...programs];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file) || except.includes(file)) continue;
    files.add(file);
    const text = typeless(readText(file));
    for (const [, specifier = ''] of [STATIC, DYNAMIC, NAMED].flatMap((pattern) => [...text.matchAll(pattern)])) {
      if (specifier.startsWith('.')) open.push(join(dirname(file), specifier));
      else if (!specifier.startsWith('node:')) packages.set(packageOf(specifier), file);
    }
  }
  return { files, packages };
}

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');
