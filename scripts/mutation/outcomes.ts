import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FormerOutcomes } from './campaign.ts';
import type { Outcome } from './runMutants.ts';

/** What was found of mutants, kept between runs: a killed one while its source is the same, a survivor while the tests are the same too. */
export const folderOf = (root: string): string => join(root, '.cache', 'mutation');
export const outcomesPath = (root: string): string => join(folderOf(root), 'results');

export function readOutcomes(root: string): FormerOutcomes {
  const lines = existsSync(outcomesPath(root)) ? readFileSync(outcomesPath(root), 'utf8').trim().split('\n') : [];
  return new Map(lines.map((line) => line.split(' ') as [string, Outcome]));
}

export function keepOutcome(root: string, outcome: Outcome, names: readonly string[]): void {
  mkdirSync(folderOf(root), { recursive: true });
  appendFileSync(outcomesPath(root), names.map((name) => `${name} ${outcome}\n`).join(''));
}
