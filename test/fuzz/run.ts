import { readCorpus, readProgress, writeCorpus, writeProgress } from './corpus.ts';
import { startCoverage } from './coverage.ts';
import type { Found } from './fuzz.ts';
import type { Target } from './target.ts';

/**
 * `node test/fuzz/run.ts NAME [RUNS [SECONDS [keep]]]`: searches one target, led by the blocks that its inputs reach. It goes on where the
 * last run at this commit ended. `keep` writes the least set of inputs into the repository. The last line of its output is a summary.
 */
const [name = '', runs = '100000', seconds = '60', keep] = process.argv.slice(2);
const commit = process.env.TEST_COMMIT ?? 'unknown';
let sources = /^$/;
const coverage = startCoverage((url) => sources.test(url));

// Only now: what was loaded before has no counters.
const { targets } = await import('./targets.ts');
const { judged, minimise, search } = await import('./fuzz.ts');
const load = targets[name];
if (!load) throw new Error(`${name}: one of ${Object.keys(targets).join(', ')}`);
const target = await load();
sources = target.sources;

/** One search ends after so many executions, and what it found is written down. */
const PART = 20_000;
const before = readProgress(name, commit);
const until = performance.now() + Number(seconds) * 1_000;
const summary = await searchInParts(target);
console.log(JSON.stringify(summary));
if (summary.finding) process.exitCode = 1;
await target.close?.();

type Summary = {
  readonly executions: number;
  readonly inputs: number;
  readonly covered: number;
  readonly finding: { readonly input: string; readonly says: string } | null;
};

async function searchInParts(one: Target): Promise<Summary> {
  const seeds = one.seeds.map((seed) => Buffer.from(seed, 'latin1'));
  let corpus: readonly Buffer[] = [...seeds, ...readCorpus(name), ...before.corpus];
  let executions = before.executions;
  for (const input of corpus) {
    const finding = await judged(one.judge, input);
    if (finding) return summaryOf({ executions, finding, corpus });
  }
  corpus = await minimise(one, coverage, corpus);
  while (executions < Number(runs) && performance.now() < until) {
    const found: Found = await search(one, {
      corpus,
      runs: Math.min(PART, Number(runs) - executions),
      seed: executions + 1,
      coverage,
      mayGoOn: () => performance.now() < until,
    });
    executions += found.executions;
    corpus = found.corpus;
    if (found.finding) return summaryOf({ executions, finding: found.finding, corpus });
    writeProgress(name, { commit, executions, corpus });
  }
  corpus = await minimise(one, coverage, corpus);
  writeProgress(name, { commit, executions, corpus });
  if (keep === 'keep') writeCorpus(name, corpus);
  return summaryOf({ executions, finding: null, corpus });
}

function summaryOf({ executions, finding, corpus }: Found): Summary {
  return {
    executions,
    inputs: corpus.length,
    covered: coverage.covered(),
    finding: finding && { input: finding.input.toString('latin1'), says: finding.says },
  };
}
