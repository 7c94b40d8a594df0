import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import {
  countOf,
  describeMutant,
  folderOf,
  keepOutcome,
  mutantsOfModule,
  outcomesPath,
  readOutcomes,
  runCampaign,
} from './mutation/campaign.ts';
import { mutatedModules } from './mutation/modules.ts';

/**
 * `npm run mutate [-- [--resume] [--at-once N] [--every N] WORD…]`: changes the sources of the modules in `mutation/modules.ts` one small change at
 * a time and runs their tests. Words are modules or parts of paths. `--every 5` tries every fifth mutant. `--resume` leaves out the mutants that a
 * former run has decided: a killed one while its source is the same, a survivor while the tests are the same too. Survivors are printed;
 * `.cache/mutation/summary.json` has the counts.
 */
const root = join(import.meta.dirname, '..');
const summaryPath = join(folderOf(root), 'summary.json');

const words = process.argv.slice(2);
const atOnce = takeNumber('--at-once', availableParallelism());
const every = takeNumber('--every', 1);
const isResumed = words.includes('--resume');
const wanted = words.filter((word) => word !== '--resume');
const names: ReadonlySet<string> = new Set(mutatedModules.map(({ name }) => name));
const isWanted = (module: string, file: string) =>
  wanted.length === 0 || wanted.some((word) => (names.has(word) ? module === word : file.includes(word)));

mkdirSync(folderOf(root), { recursive: true });
if (!isResumed) rmSync(outcomesPath(root), { force: true });
const mutants = mutatedModules
  .flatMap((module) => mutantsOfModule(root, module))
  .filter(({ module, file }) => isWanted(module.name, file))
  .filter((_, at) => at % every === 0);
if (mutants.length === 0 || !(atOnce >= 1 && every >= 1)) {
  console.log('usage: npm run mutate [-- [--resume] [--at-once N] [--every N] MODULE-OR-PATH…]');
  process.exit(2);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
let done = 0;
const results = await runCampaign(
  {
    root,
    atOnce,
    former: readOutcomes(root),
    onResult: ({ outcome }, names) => {
      keepOutcome(root, outcome, names);
      done += 1;
      if (done % 50 === 0) console.error(`${done} mutants tried`);
    },
  },
  mutants,
);
const survivors = results.filter(({ outcome }) => outcome === 'survived');
for (const one of survivors.toSorted((some, other) => order(some) - order(other)))
  console.log(`survived: ${describeMutant(one)}`);
const counts = [...new Set(mutants.map(({ module }) => module.name))].map((name) => countOf(name, results));
writeFileSync(summaryPath, `${JSON.stringify(counts, null, 2)}\n`);
console.table(counts.map(({ share, ...count }) => ({ ...count, share: `${(share * 100).toFixed(1)} %` })));

/** Takes an option and its number off the command line. */
function takeNumber(option: string, otherwise: number): number {
  const at = words.indexOf(option);
  return at === -1 ? otherwise : Number(words.splice(at, 2)[1]);
}

/** In the order of the sources. */
function order({ file, mutant }: (typeof results)[number]): number {
  return mutants.findIndex((one) => one.file === file && one.mutant.start === mutant.start && one.mutant.to === mutant.to);
}
