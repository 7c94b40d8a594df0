import type { Point, StatisticsAnswer } from '../../spec/answers/statistics.ts';
import { brandFiguresOf, declinesOf, figuresOf, typeFiguresOf } from './figures.ts';
import type { Sheet, StatisticsStore } from './needs.ts';
import { add, addSheet, type Sums } from './sheet.ts';
import { coverAll, type Interval, stepFor, stepsOf, toQuarters } from './steps.ts';

export type StatisticsAsked = Interval & { readonly entityId: string; readonly timeZone: string; readonly now: number };

const text = (at: number): string => new Date(at).toISOString();

/** The sums of each interval, which follow each other; every sheet lies within one of them. */
function sumsIn(intervals: readonly Interval[], sheets: readonly Sheet[]): readonly Sums[] {
  const sums = intervals.map((): Sums => new Map());
  for (const sheet of sheets) {
    const at = intervals.findIndex(({ before }) => sheet.begins < before);
    const own = sums[at];
    if (own) addSheet(own, sheet);
  }
  return sums;
}

/** As long a stretch right before this one; of one that is not over, as much as has passed of it. */
function earlierThan({ from, before }: Interval, now: number): Interval {
  const ms = before - from;
  const passed = toQuarters({ from, before: now }).before;
  return { from: from - ms, before: (passed > from && passed < before ? passed : before) - ms };
}

function together(all: readonly Sums[]): Sums {
  const sum: Sums = new Map();
  for (const sums of all) for (const [key, one] of sums) add(sum, key, one);
  return sum;
}

/** Everything that a dashboard shows of an entity and what is below it, in one stretch of time. */
export async function statisticsOf(store: StatisticsStore, asked: StatisticsAsked): Promise<StatisticsAnswer> {
  const { entityId, timeZone, now } = asked;
  const whole = toQuarters(asked);
  const step = stepFor(whole);
  const steps = stepsOf(whole, step, timeZone);
  const earlier = earlierThan(whole, now);
  const [sheets, sheetsBefore, { left, total }] = await Promise.all([
    store.sheetsWithin(entityId, coverAll(steps)),
    store.sheetsWithin(entityId, coverAll([earlier])),
    store.foldState(),
  ]);
  const sums = sumsIn(steps, sheets);
  const all = together(sums);
  const points = steps.map(
    ({ from, before }, index): Point => ({ from: text(from), to: text(before), ...figuresOf(sums[index] ?? new Map()) }),
  );
  return {
    ...{ entityId, timeZone, step, now: text(now), from: text(whole.from), to: text(whole.before) },
    past: left > 0 ? { done: total - left, total } : null,
    points,
    total: figuresOf(all),
    before: figuresOf(together(sumsIn([earlier], sheetsBefore))),
    declines: declinesOf(all),
    brands: brandFiguresOf(all),
    types: typeFiguresOf(all),
  };
}
