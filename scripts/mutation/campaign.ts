import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MutatedModule } from './modules.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import { eachAtOnce, type Outcome, tryMutants } from './runMutants.ts';

/** A mutant of a source file of a module. */
export type ModuleMutant = { readonly module: MutatedModule; readonly file: string; readonly mutant: Mutant };

type Result = ModuleMutant & { readonly outcome: Outcome };

export const mutantsOfModule = (root: string, module: MutatedModule): readonly ModuleMutant[] =>
  module.files.flatMap((file) =>
    mutantsOf(file, readFileSync(join(root, file), 'utf8')).map((mutant) => ({ module, file, mutant })),
  );

/** Outcomes of a former run, by the names below. */
type FormerOutcomes = ReadonlyMap<string, Outcome>;

type CampaignNeeds = {
  readonly root: string;
  readonly atOnce: number;
  readonly former?: FormerOutcomes;
  readonly onResult?: (result: Result, names: readonly string[]) => void;
};

/** Runs the tests of a module with each of these mutants. Throws when they fail without one: then they would kill everything. */
export async function runCampaign(
  { root, atOnce, former, onResult }: CampaignNeeds,
  mutants: readonly ModuleMutant[],
): Promise<readonly Result[]> {
  const texts = new Map<string, string>();
  const textOf = (file: string): string => {
    const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8');
    texts.set(file, text);
    return text;
  };
  const namesOf = (one: ModuleMutant): { readonly source: string; readonly whole: string } => {
    const { start, end, to } = one.mutant;
    const source = digest([one.file, textOf(one.file), `${start} ${end} ${to}`]);
    return { source, whole: digest([source, ...one.module.tests.map(textOf)]) };
  };
  const results: Result[] = [];
  const left: ModuleMutant[] = [];
  for (const one of mutants) {
    const { source, whole } = namesOf(one);
    // Further tests do not bring a killed mutant back to life.
    const outcome = former?.get(whole) ?? former?.get(source);
    if (outcome === undefined) left.push(one);
    else results.push({ ...one, outcome });
  }
  await eachAtOnce(batchesOf(left), atOnce, async (batch) => {
    const [{ module, file }] = batch;
    const { tests, skip } = module;
    const changes = batch.map(({ mutant: { start, end, to } }) => ({ start, end, to }));
    const outcomes = await tryMutants({ root, file, changes, tests, ...(skip && { skip }) }).catch((error: Error) => {
      throw new Error(`${module.name}: ${error.message}`);
    });
    for (const [at, one] of batch.entries()) {
      const outcome = outcomes[at] as Outcome;
      const { source, whole } = namesOf(one);
      const result = { ...one, outcome };
      results.push(result);
      onResult?.(result, outcome === 'survived' ? [whole] : [source, whole]);
    }
  });
  return results;
}

/** Mutants that one process tries: each leaves copies of modules behind, and the outcomes are known after the last of them. */
const BATCH_MAX = 40;

/** Mutants of one source each. */
function batchesOf(mutants: readonly ModuleMutant[]): readonly (readonly [ModuleMutant, ...ModuleMutant[]])[] {
  const batches: [ModuleMutant, ...ModuleMutant[]][] = [];
  for (const one of mutants) {
    const last = batches.at(-1);
    if (last && last.length < BATCH_MAX && last[0].module === one.module && last[0].file === one.file) last.push(one);
    else batches.push([one]);
  }
  return batches;
}

const digest = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('base64url').slice(0, 22);

/** The counts of a module. A mutant that is no program is not counted. */
type Count = {
  readonly module: string;
  readonly mutants: number;
  readonly killed: number;
  readonly timeout: number;
  readonly survived: number;
  /** Of all mutants. */
  readonly share: number;
};

export function countOf(module: string, results: readonly Result[]): Count {
  const valid = results.filter((one) => one.module.name === module && one.outcome !== 'invalid');
  const survived = valid.filter(({ outcome }) => outcome === 'survived').length;
  const timeout = valid.filter(({ outcome }) => outcome === 'timeout').length;
  const found = valid.length - survived;
  return {
    module,
    mutants: valid.length,
    killed: found - timeout,
    timeout,
    survived,
    share: valid.length === 0 ? 1 : found / valid.length,
  };
}

export const describeMutant = ({ file, mutant: { line, at, from, to } }: ModuleMutant): string =>
  `${file}:${line}: ${JSON.stringify(from)} → ${JSON.stringify(to)}\n    ${at}`;

/** Outcomes are kept between runs: that of a killed mutant while its source is the same, that of a survivor while the tests are the same too. */
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
