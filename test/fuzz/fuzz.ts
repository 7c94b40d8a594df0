import { threadCpuMs } from '../work.ts';
import type { Coverage } from './coverage.ts';
import { createMutate } from './mutate.ts';
import { createRandom, type Judge, type Target } from './target.ts';

/** What the reader did that it may not, and with which input. */
export type Finding = { readonly input: Buffer; readonly says: string };

export type Search = {
  /** Inputs to begin with. */
  readonly corpus: readonly Buffer[];
  readonly runs: number;
  readonly seed: number;
  readonly judge?: Judge;
  /** Absent: chance alone leads. */
  readonly coverage?: Coverage;
  /** Asked after so many inputs. */
  readonly mayGoOn?: () => boolean;
};

export type Found = {
  readonly executions: number;
  readonly finding: Finding | null;
  /** The inputs at the end, those to begin with included. */
  readonly corpus: readonly Buffer[];
};

const ASKS_EVERY = 256;
/** An input that takes longer is tried again, alone. */
const SLOW_MS = 50;

/** Judges changed inputs until one fails, or the runs are done. Inputs that reach new blocks are changed further. */
export async function search(
  target: Target,
  { corpus, runs, seed, judge = target.judge, coverage, mayGoOn }: Search,
): Promise<Found> {
  const random = createRandom(seed);
  const mutate = createMutate(target);
  const inputs = corpus.length > 0 ? [...corpus] : [Buffer.alloc(1)];
  let executions = 0;
  while (executions < runs && (executions % ASKS_EVERY > 0 || mayGoOn?.() !== false)) {
    const input = mutate(inputs, random);
    coverage?.begin();
    const judging = judged(judge, input, () => (coverage ? workFault(target, coverage, input) : null));
    const fault = judging instanceof Promise ? await judging : judging;
    executions += 1;
    if (fault !== null) return { executions, finding: { input: Buffer.from(input), says: fault }, corpus: inputs };
    if (coverage?.isNew) inputs.push(Buffer.from(input));
  }
  return { executions, finding: null, corpus: inputs };
}

const noFault = () => null;

/** Null when the input is judged good, without more work than it may make (asked before further tries make more), and in time. */
export function judged(
  judge: Judge,
  input: Buffer,
  overworked: () => string | null = noFault,
): Promise<string | null> | string | null {
  try {
    const before = performance.now();
    const judging = judge(input);
    if (judging instanceof Promise) return judging.then(overworked, textOf);
    const fault = overworked();
    if (fault !== null) return fault;
    const isSlow = performance.now() - before > SLOW_MS && leastMs(judge, input) > SLOW_MS;
    return isSlow ? `takes more than ${SLOW_MS} ms` : null;
  } catch (error) {
    return textOf(error);
  }
}

const textOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 2_000) : String(error);

/** Of processor time, the least of five tries: other programs run beside this one. */
function leastMs(judge: Judge, input: Buffer): number {
  const times = Array.from({ length: 5 }, () => {
    const before = threadCpuMs();
    void judge(input);
    return threadCpuMs() - before;
  });
  return Math.min(...times);
}

function workFault({ work }: Target, coverage: Coverage, { length }: Buffer): string | null {
  const most = work.base + work.perByte * length;
  return coverage.work > most ? `runs through ${coverage.work} blocks, at most ${most} may be` : null;
}

/** The inputs without which some block would not be reached; short ones first. */
export async function minimise(target: Target, coverage: Coverage, inputs: readonly Buffer[]): Promise<readonly Buffer[]> {
  coverage.forget();
  const kept: Buffer[] = [];
  for (const input of inputs.toSorted((one, other) => one.length - other.length)) {
    coverage.begin();
    if ((await judged(target.judge, input)) === null && coverage.isNew) kept.push(input);
  }
  return kept;
}
