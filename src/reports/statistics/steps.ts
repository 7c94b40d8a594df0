import type { Step } from '../../spec/answers/statistics.ts';
import type { Range } from '../../spec/areas/reports.ts';
import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import type { SheetRange } from './ports.ts';
import { QUARTER_MS } from './sheet.ts';

/** A period; `before` is excluded. */
export type Interval = { readonly from: number; readonly before: number };

/** The longestPeriods period for each step: enough points for a curve, few enough to read. */
const longestPeriods: readonly (readonly [step: Step, ms: number])[] = [
  ['quarter', 6 * HOUR_MS],
  ['hour', 3 * DAY_MS],
  ['day', 93 * DAY_MS],
  ['week', 400 * DAY_MS],
];

export const stepFor = ({ from, before }: Interval): Step => longestPeriods.find(([, ms]) => before - from <= ms)?.[0] ?? 'month';

const zoned = (at: number, timeZone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);

const begins: Readonly<Record<Step, (at: Temporal.ZonedDateTime) => Temporal.ZonedDateTime>> = {
  quarter: (at) => at.round({ smallestUnit: 'minute', roundingIncrement: 15, roundingMode: 'floor' }),
  hour: (at) => at.round({ smallestUnit: 'hour', roundingMode: 'floor' }),
  day: (at) => at.startOfDay(),
  week: (at) =>
    at
      .startOfDay()
      .subtract({ days: at.dayOfWeek - 1 })
      .startOfDay(),
  month: (at) => at.with({ day: 1 }).startOfDay(),
};

const lengths: Readonly<Record<Step, Temporal.DurationLike>> = {
  quarter: { minutes: 15 },
  hour: { hours: 1 },
  day: { days: 1 },
  week: { weeks: 1 },
  month: { months: 1 },
};

/** Divides a period into steps of a time zone, without gaps. A day on which the clocks change has 23 or 25 hours. */
export function stepsOf({ from, before }: Interval, step: Step, timeZone: string): readonly Interval[] {
  const edges = [from];
  let next = begins[step](zoned(from, timeZone)).add(lengths[step]);
  while (next.epochMilliseconds < before) {
    if (next.epochMilliseconds > from) edges.push(next.epochMilliseconds);
    next = next.add(lengths[step]);
    // On a day without a midnight, the day begins at its first instant.
    if (step !== 'quarter' && step !== 'hour') next = next.startOfDay();
  }
  return edges.map((edge, index) => ({ from: edge, before: edges[index + 1] ?? before }));
}

const floor = (at: number, span: number): number => at - (((at % span) + span) % span);
const ceil = (at: number, span: number): number => -floor(-at, span) || 0;

/** Widens a period to whole quarters of an hour: sheets exist only for these. */
export const toQuarters = ({ from, before }: Interval): Interval => ({
  from: floor(from, QUARTER_MS),
  before: ceil(before, QUARTER_MS),
});

const finer: ReadonlyMap<number, number> = new Map([
  [DAY_MS, HOUR_MS],
  [HOUR_MS, QUARTER_MS],
]);

/** Sheets that are added, or subtracted. */
export type Piece = SheetRange & { readonly sign: 1 | -1 };

const nearest = (at: number, span: number): number => floor(at + span / 2, span);
const negated = (pieces: readonly Piece[]): readonly Piece[] =>
  pieces.map((piece): Piece => ({ ...piece, sign: piece.sign === 1 ? -1 : 1 }));

/**
 * Few sheets that add up to a period exactly: whole UTC days, plus or minus hours and quarters at both ends. A day in Vienna is a UTC day
 * plus one or two hours before it, minus its last ones: a handful of sheets instead of twenty-four.
 */
export function cover({ from, before }: Interval, span: number = DAY_MS): readonly Piece[] {
  if (from >= before) return [];
  const smaller = finer.get(span);
  if (smaller === undefined) return [{ span, from, before, sign: 1 }];
  const [first, end] = [nearest(from, span), nearest(before, span)];
  if (first >= end) return cover({ from, before }, smaller);
  return [
    ...cover({ from, before: first }, smaller),
    ...negated(cover({ from: first, before: from }, smaller)),
    { span, from: first, before: end, sign: 1 },
    ...cover({ from: end, before }, smaller),
    ...negated(cover({ from: before, before: end }, smaller)),
  ];
}

/** The sheets to read for some pieces: each once, adjacent ones of the same length together. */
export function sheetRanges(pieces: readonly Piece[]): readonly SheetRange[] {
  const joined: SheetRange[] = [];
  for (const { span, from, before } of pieces.toSorted((one, other) => one.span - other.span || one.from - other.from)) {
    const last = joined.at(-1);
    if (last?.span === span && from <= last.before)
      joined[joined.length - 1] = { ...last, before: Math.max(last.before, before) };
    else joined.push({ span, from, before });
  }
  return joined;
}

export type StatisticsRange = {
  readonly range?: Range | undefined;
  readonly fromDay?: string | undefined;
  readonly toDay?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
};

type LocalTime = { readonly timeZone: string; readonly now: number };
type IntervalResult =
  | { readonly ok: true; readonly interval: Interval }
  | { readonly ok: false; readonly name: keyof StatisticsRange; readonly message: string };

const invalid = (name: keyof StatisticsRange, message: string): IntervalResult => ({ ok: false, name, message });

const YEARS_MAX = 10;

/** How far before today a range begins. */
const back: Readonly<Record<Range, Temporal.DurationLike>> = {
  today: { days: 0 },
  '7days': { days: 6 },
  '30days': { days: 29 },
  '12months': { months: 12 },
};

function ofRange(range: Range, { timeZone, now }: LocalTime): Interval {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).startOfDay();
  const first = today.subtract(back[range]);
  const from = range === '12months' ? first.add({ days: 1 }) : first;
  return { from: from.startOfDay().epochMilliseconds, before: today.add({ days: 1 }).startOfDay().epochMilliseconds };
}

function ofDays(fromDay: string, toDay: string, { timeZone }: LocalTime): Interval {
  const begins = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).startOfDay().epochMilliseconds;
  return { from: begins(Temporal.PlainDate.from(fromDay)), before: begins(Temporal.PlainDate.from(toDay).add({ days: 1 })) };
}

/** Reads a period from a named range, two days, or two instants; the default is seven days. */
export function readInterval(query: StatisticsRange, local: LocalTime): IntervalResult {
  const { range, fromDay, toDay, from, to } = query;
  const [hasDays, hasInstants] = [fromDay ?? toDay, from ?? to].map((one) => one !== undefined);
  if ([range !== undefined, hasDays, hasInstants].filter(Boolean).length > 1) {
    return invalid(hasDays ? 'fromDay' : 'from', 'send a range, two days, or two instants, and only one of these');
  }
  if (hasDays && (fromDay === undefined || toDay === undefined)) {
    return invalid(fromDay === undefined ? 'fromDay' : 'toDay', 'send both days, the first and the last');
  }
  if (hasInstants && (from === undefined || to === undefined)) {
    return invalid(from === undefined ? 'from' : 'to', 'send both instants, where it begins and where it ends');
  }
  if (fromDay !== undefined && toDay !== undefined) return bounded(ofDays(fromDay, toDay, local), 'toDay');
  if (from !== undefined && to !== undefined) return bounded({ from, before: to }, 'to');
  return { ok: true, interval: ofRange(range ?? '7days', local) };
}

const YEAR_MS = 366 * DAY_MS;

function bounded(interval: Interval, name: 'to' | 'toDay'): IntervalResult {
  const { from, before } = interval;
  if (before <= from) return invalid(name, 'must lie behind the beginning');
  if (before - from > YEARS_MAX * YEAR_MS) return invalid(name, `must not lie more than ${YEARS_MAX} years behind it`);
  return { ok: true, interval };
}
