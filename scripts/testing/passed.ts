import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { FileResult } from './process.ts';

/** A test file that has passed at a commit. */
export type Passed = { readonly file: string; readonly commit: string; readonly tests: number; readonly ms: number };

/** The files that `npm run assure` wants to be run; null without it: then words decide. */
export function readWanted(env: NodeJS.ProcessEnv): ReadonlySet<string> | null {
  return env.TEST_FILES_FROM === undefined ? null : new Set(readFileSync(env.TEST_FILES_FROM, 'utf8').split('\n'));
}

/** Writes down the files that have passed, for a run that goes on later. */
export function notePassed(env: NodeJS.ProcessEnv, ran: readonly FileResult[]): void {
  const { TEST_PASSED: path, TEST_COMMIT: commit = '' } = env;
  if (path === undefined) return;
  const good = ran.filter(({ failures }) => failures.length === 0);
  const lines = good.map(({ file, passed, ms }): Passed => ({ file, commit, tests: passed, ms: Math.round(ms) }));
  appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** The files that have passed at a commit. */
export function readPassed(path: string, commit: string): ReadonlyMap<string, Passed> {
  if (!existsSync(path)) return new Map();
  const lines = readFileSync(path, 'utf8').split('\n');
  const all = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Passed);
  return new Map(all.filter((one) => one.commit === commit).map((one) => [one.file, one]));
}
