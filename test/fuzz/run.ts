import { readCorpus, readProgress, stateOf, writeCorpus, writeProgress } from './corpus.ts';
import { startCoverage } from './coverage.ts';
import { type Found, judged, minimise, search } from './fuzz.ts';
import type { Target } from './target.ts';
import { targets } from './targets.ts';

/**
 * `node test/fuzz/run.ts NAME [RUNS [SECONDS [keep]]]`: searches one target, led by the blocks that its inputs reach. It goes on where the
 * last run ended, while the reader is the same. `keep` writes the least set of inputs into the repository. Progress goes to the standard
 * error; the last line of the output is a summary.
 */
const [name = '', runs = '100000', seconds = '60', keep] = process.argv.slice(2);
const row = targets[name];
if (!row) throw new Error(`${name}: one of ${Object.keys(targets).join(', ')}`);
const { sources } = row;
const coverage = startCoverage((url) => sources.test(url));
const target = await row.load();
// Readers throw and catch errors of their own: nobody looks at where.
Error.stackTraceLimit = 0;

/** One search ends after so many executions, and what it found is written down. */
const PART = 50_000;
const SAYS_EVERY_MS = 30_000;
const state = stateOf(name, sources);
const before = readProgress(name, state);
const begunAt = performance.now();
const until = begunAt + Number(seconds) * 1_000;
const summary = await searchInParts(target);
console.log(JSON.stringify(summary));
if (summary.finding) process.exitCode = 1;
await target.close?.();

type Summary = {
  readonly executions: number;
  readonly inputs: number;
  /** Blocks. */
  readonly covered: number;
  /** Of this run, in processor time. */
  readonly microseconds: number;
  readonly finding: { readonly input: string; readonly says: string } | null;
};

async function searchInParts(one: Target): Promise<Summary> {
  const seeds = one.seeds.map((seed) => Buffer.from(seed, 'latin1'));
  let corpus: readonly Buffer[] = [...seeds, ...readCorpus(name), ...before.corpus];
  let { executions } = before;
  for (const input of corpus) {
    const says = await judged(one.judge, input);
    if (says !== null) return summaryOf({ executions, finding: { input, says }, corpus });
  }
  corpus = await minimise(one, coverage, corpus);
  let saidAt = begunAt;
  while (executions < Number(runs) && performance.now() < until) {
    const found = await search(one, {
      corpus,
      runs: Math.min(PART, Number(runs) - executions),
      seed: executions + 1,
      coverage,
      mayGoOn: () => performance.now() < until,
    });
    executions += found.executions;
    corpus = found.corpus;
    if (found.finding) return summaryOf({ executions, finding: found.finding, corpus });
    writeProgress(name, { state, executions, corpus });
    if (performance.now() - saidAt < SAYS_EVERY_MS) continue;
    saidAt = performance.now();
    process.stderr.write(`${name}: ${executions} executions, ${corpus.length} inputs, ${coverage.covered} blocks\n`);
  }
  const microseconds = microsecondsEach(executions - before.executions);
  corpus = await minimise(one, coverage, corpus);
  writeProgress(name, { state, executions, corpus });
  if (keep === 'keep') writeCorpus(name, corpus);
  return { ...summaryOf({ executions, finding: null, corpus }), microseconds };
}

function microsecondsEach(executions: number): number {
  const { user, system } = process.threadCpuUsage();
  return executions === 0 ? 0 : Math.round((10 * (user + system)) / executions) / 10;
}

function summaryOf({ executions, finding, corpus }: Found): Summary {
  return {
    executions,
    inputs: corpus.length,
    covered: coverage.covered,
    microseconds: 0,
    finding: finding && { input: finding.input.toString('latin1'), says: finding.says },
  };
}
