import { describeStoreError } from '../store/errors.ts';
import type { Job } from '../workers/loop.ts';
import type { AppOptions } from './options.ts';
import { elapsed } from './system.ts';

/** A cell whose merchants cannot pay now, and why. */
export type BrokenCell = { readonly cell: string; readonly problem: string };

export interface CellHealth {
  /** The cells that cannot write. At most a second old, and answered in a bounded time. */
  brokenCells(): Promise<readonly BrokenCell[]>;
  readonly checks: readonly Job[];
}

const FRESH_MS = 1_000;
const TRIAL_MS_MAX = 2_000;
const EVERY_MS = 5_000;

/** Tries to write to each cell. A node stays ready without one of them: the merchants of the others can pay. */
export function createCellHealth({
  cells = [],
  metrics,
  timers,
  log,
}: Pick<AppOptions, 'cells' | 'metrics' | 'timers' | 'log'>): CellHealth {
  if (cells.length === 0) return { brokenCells: async () => [], checks: [] };
  const known = new Map<string, string | null>();
  /** One trial at a time: against a silent database they would pile up. */
  const trials = new Map<string, Promise<string | null>>();
  let checked: { readonly at: number; readonly broken: Promise<readonly BrokenCell[]> } | null = null;
  const problemOf = ({ name, store }: (typeof cells)[number]): Promise<string | null> => {
    const begun =
      trials.get(name) ??
      store
        .tryWrite(false)
        .then(() => null, describeStoreError)
        .finally(() => trials.delete(name));
    trials.set(name, begun);
    return timers.within(TRIAL_MS_MAX, begun).catch(() => `the database did not answer within ${TRIAL_MS_MAX / 1000} s`);
  };
  const check = async (): Promise<readonly BrokenCell[]> => {
    const problems = await Promise.all(cells.map(problemOf));
    for (const [at, { name: cell }] of cells.entries()) {
      const problem = problems[at] ?? null;
      metrics.cellReady(cell, problem === null);
      if ((known.get(cell) ?? null) !== null && problem === null) log.warn({ cell }, 'the database of a cell is in order again');
      if (known.get(cell) == null && problem !== null)
        log.error({ alarm: true, cell, problem }, 'the database of a cell is out of order: its merchants cannot pay');
      known.set(cell, problem);
    }
    return cells.flatMap(({ name: cell }, at) => (problems[at] ? [{ cell, problem: problems[at] }] : []));
  };
  const broken = (): Promise<readonly BrokenCell[]> => {
    if (checked === null || elapsed() - checked.at >= FRESH_MS) checked = { at: elapsed(), broken: check() };
    return checked.broken;
  };
  return { brokenCells: broken, checks: [{ name: 'check cells', everyMs: EVERY_MS, run: async () => void (await broken()) }] };
}
