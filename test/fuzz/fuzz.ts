import type { Coverage } from './coverage.ts';
import { mutate } from './mutate.ts';
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
  /** Asked after each batch. */
  readonly mayGoOn?: () => boolean;
};

export type Found = {
  readonly executions: number;
  readonly finding: Finding | null;
  /** The inputs at the end, those to begin with included. */
  readonly corpus: readonly Buffer[];
};

/** Reading the counters costs as much as hundreds of inputs. */
const BATCH = 512;
const PART = 32;
/** An input that takes longer is tried again, alone. */
const SLOW_MS = 50;

/** Judges changed inputs until one fails, or the runs are done. Inputs that reach new blocks are changed further. */
export async function search(
  target: Target,
  { corpus, runs, seed, judge = target.judge, coverage, mayGoOn }: Search,
): Promise<Found> {
  const random = createRandom(seed);
  const inputs = corpus.length > 0 ? [...corpus] : [Buffer.alloc(1)];
  let executions = 0;
  while (executions < runs && mayGoOn?.() !== false) {
    const batch = Array.from({ length: Math.min(BATCH, runs - executions) }, () => mutate(target, inputs, random));
    for (const input of batch) {
      const finding = await judged(judge, input);
      executions += 1;
      if (finding) return { executions, finding, corpus: inputs };
    }
    if (!coverage) continue;
    const finding = await learn({ target, judge, coverage, batch, inputs });
    if (finding) return { executions, finding, corpus: inputs };
  }
  return { executions, finding: null, corpus: inputs };
}

/** Null when the input is judged good, and in time. */
export async function judged(judge: Judge, input: Buffer): Promise<Finding | null> {
  try {
    const before = process.threadCpuUsage();
    const judging = judge(input);
    if (judging) await judging;
    else if (msSince(before) > SLOW_MS && leastMs(judge, input) > SLOW_MS)
      return { input, says: `takes more than ${SLOW_MS} ms` };
    return null;
  } catch (error) {
    return { input, says: error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 2_000) : String(error) };
  }
}

const msSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};

function leastMs(judge: Judge, input: Buffer): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage();
    void judge(input);
    return msSince(before);
  });
  return Math.min(...times);
}

type Learning = {
  readonly target: Target;
  readonly judge: Judge;
  readonly coverage: Coverage;
  readonly batch: readonly Buffer[];
  readonly inputs: Buffer[];
};

/** How much work an input may cause. */
export const workMax = ({ work }: Target, bytes: number): number => work.base + work.perByte * bytes;

/** Runs parts of the batch again, and those parts one by one that reach something new or do more than one input may. */
async function learn({ target, judge, coverage, batch, inputs }: Learning): Promise<Finding | null> {
  const goBack = coverage.remember();
  const isWorthALook = (some: readonly Buffer[]): boolean => {
    const { isNew, work } = coverage.look();
    return isNew || work > workMax(target, Math.max(...some.map(({ length }) => length)));
  };
  if (!isWorthALook(batch)) return null;
  goBack();
  for (let at = 0; at < batch.length; at += PART) {
    const part = batch.slice(at, at + PART);
    const goBackHere = coverage.remember();
    for (const input of part) await judged(judge, input);
    if (!isWorthALook(part)) continue;
    goBackHere();
    for (const input of part) {
      await judged(judge, input);
      const { isNew, work } = coverage.look();
      const most = workMax(target, input.length);
      if (work > most) return { input, says: `runs through ${work} blocks, at most ${most} may be` };
      if (isNew) inputs.push(input);
    }
  }
  return null;
}

/** The inputs without which some block would not be reached; short ones first. */
export async function minimise(target: Target, coverage: Coverage, inputs: readonly Buffer[]): Promise<readonly Buffer[]> {
  coverage.forget();
  coverage.look();
  coverage.forget();
  const kept: Buffer[] = [];
  for (const input of inputs.toSorted((one, other) => one.length - other.length)) {
    if ((await judged(target.judge, input)) !== null) continue;
    if (coverage.look().isNew) kept.push(input);
  }
  return kept;
}
