import type { Point, StatisticsAnswer } from '../../spec/answers/statistics.ts';
import { brandFiguresOf, declinesOf, figuresOf, typeFiguresOf } from './figures.ts';
import type { Sheet, StatisticsStore } from './ports.ts';
import { add, addSheet, prune, type Sums } from './sheet.ts';
import { cover, type Interval, type Piece, sheetRanges, stepFor, stepsOf, toQuarters } from './steps.ts';

export type StatisticsQuery = Interval & { readonly entityId: string; readonly timeZone: string; readonly now: number };

const text = (at: number): string => new Date(at).toISOString();

/** The sums of each interval, from the sheets that cover it. */
function sumsIn(covers: readonly (readonly Piece[])[], sheets: readonly Sheet[]): readonly Sums[] {
  const byPlace = new Map(sheets.map((sheet) => [`${sheet.span} ${sheet.begins}`, sheet]));
  return covers.map((pieces) => {
    const sums: Sums = new Map();
    for (const { span, from, before, sign } of pieces) {
      for (let begins = from; begins < before; begins += span) {
        const sheet = byPlace.get(`${span} ${begins}`);
        if (sheet) addSheet(sums, sheet, sign);
      }
    }
    return prune(sums);
  });
}

/** How often the sheets are read when a fold changes them meanwhile. */
const READS_MAX = 3;

/** Reads all sheets at one revision: an hour that is subtracted from a day must be contained in it. */
async function readSums(store: StatisticsStore, entityId: string, intervals: readonly Interval[]) {
  const covers = intervals.map((interval) => cover(interval));
  for (let reads = 1; ; reads += 1) {
    const revision = await store.foldRevision();
    const sheets = await store.sheetsWithin(entityId, sheetRanges(covers.flat()));
    const isConsistent = (await store.foldRevision()) === revision;
    if (isConsistent || reads === READS_MAX) return sumsIn(covers, sheets);
  }
}

/** The previous period of the same length. Of a period that is not over, only the part that has passed counts. */
function previousPeriod({ from, before }: Interval, now: number): Interval {
  const ms = before - from;
  const passed = toQuarters({ from, before: now }).before;
  return { from: from - ms, before: (passed > from && passed < before ? passed : before) - ms };
}

function sumUp(all: readonly Sums[]): Sums {
  const sum: Sums = new Map();
  for (const sums of all) for (const [key, one] of sums) add(sum, key, one);
  return sum;
}

/** The dashboard figures of an entity and everything below it, in one period. */
export async function statisticsOf(store: StatisticsStore, query: StatisticsQuery): Promise<StatisticsAnswer> {
  const { entityId, timeZone, now } = query;
  const whole = toQuarters(query);
  const step = stepFor(whole);
  const steps = stepsOf(whole, step, timeZone);
  const earlier = previousPeriod(whole, now);
  const read = await readSums(store, entityId, [...steps, earlier]);
  const [sums, before] = [read.slice(0, -1), read.at(-1) ?? new Map()];
  const all = sumUp(sums);
  const points = steps.map(
    ({ from, before }, index): Point => ({ from: text(from), to: text(before), ...figuresOf(sums[index] ?? new Map()) }),
  );
  return {
    entityId,
    timeZone,
    step,
    now: text(now),
    from: text(whole.from),
    to: text(whole.before),
    points,
    total: figuresOf(all),
    before: figuresOf(before),
    declines: declinesOf(all),
    brands: brandFiguresOf(all),
    types: typeFiguresOf(all),
  };
}
