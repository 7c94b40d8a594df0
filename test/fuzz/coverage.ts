import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { instrument } from './instrument.ts';

/** Counts the blocks that run. */
export interface Coverage {
  /** Before each input. */
  begin(): void;
  /** Whether a block has run for the first time since `begin`. */
  readonly isNew: boolean;
  /** How many blocks have run since `begin`: the measure of work, the same on every machine. */
  readonly work: number;
  /** Forgets what has run: everything is new again. */
  forget(): void;
  /** How many blocks have run. */
  readonly covered: number;
}

const BLOCKS_MAX = 65_536;

/** Sources that are loaded from now on have counters. Which block ran is known after every input, without a look at all of them. */
export function startCoverage(isSource: (url: string) => boolean): Coverage {
  const known = new Uint8Array(BLOCKS_MAX);
  const work = new Int32Array(1);
  let [blocks, covered, isNew] = [0, 0, false];
  const first = (at: number): void => {
    known[at] = 1;
    covered += 1;
    isNew = true;
  };
  Object.assign(globalThis, { fuzzCoverage: { known, work, first } });
  const head = 'const {known:__k,work:__w,first:__f}=globalThis.fuzzCoverage;';
  const hit = (): string => {
    if (blocks === BLOCKS_MAX) throw new Error(`more than ${BLOCKS_MAX} blocks`);
    const text = `(__k[${blocks}]||__f(${blocks}),__w[0]++)`;
    blocks += 1;
    return text;
  };
  registerHooks({
    load(url, context, next) {
      if (!isSource(url)) return next(url, context);
      const source = instrument(readFileSync(fileURLToPath(url), 'utf8'), head, hit);
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
  return {
    begin() {
      work[0] = 0;
      isNew = false;
    },
    get isNew() {
      return isNew;
    },
    get work() {
      return work[0] ?? 0;
    },
    forget() {
      known.fill(0);
      covered = 0;
    },
    get covered() {
      return covered;
    },
  };
}
