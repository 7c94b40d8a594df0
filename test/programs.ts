import { join } from 'node:path';
import type { ChangeName } from './faults/changes.ts';

const root = join(import.meta.dirname, '..');

/** Where `npm test` has built the programs; undefined when a run of a few files uses the sources. */
const built = process.env.TEST_PROGRAMS;

export type Program = 'src/main.ts' | 'src/cli/main.ts';

/** Every bundle has a folder of its own. */
const builtFile = (folder: string): string => join(folder, 'main.mjs');

/** Where the gateway with these changes is, below the folder of built programs. */
export const changedFolder = (folder: string, changes: ChangeName): string =>
  join(folder, `changed-${changes.replaceAll(' ', '-')}`);

/** Where the command line is, below the folder of built programs. */
export const commandsFolder = (folder: string): string => join(folder, 'commands');

/** With room for young objects from the start, a start is a sixth less work. */
export const ROOMY = '--min-semi-space-size=16';

/** The words after the runtime that start a program: built where `npm test` has built it, else its source. */
export const programWords = (program: Program): readonly [flag: string, file: string] => [
  ROOMY,
  built === undefined ? join(root, program) : builtFile(program === 'src/cli/main.ts' ? commandsFolder(built) : built),
];

/** The built gateway with these changes; null where the sources must be changed as they are loaded. */
export const changedProgram = (changes: ChangeName): string | null =>
  built === undefined ? null : builtFile(changedFolder(built, changes));

/** The folder of compiled code for a process that always runs the sources: without it every process strips the types of some 900 files. */
export const sourceCompileCache: string = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'turnpike');

/** The folder of compiled code that all processes of a run share. */
export const compileCache: string = built === undefined ? sourceCompileCache : join(built, 'compiled');
