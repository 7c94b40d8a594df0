import type { Step } from '../../spec/answers/statistics.ts';
import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import type { Stretch } from './ports.ts';
import { QUARTER_MS } from './sheet.ts';

/** From an instant on and before another. */
export type Interval = { readonly from: number; readonly before: number };

/** How long a stretch may be to be shown in steps of a length: few enough points to be read, enough to see a shape. */
const longest: readonly (readonly [step: Step, ms: number])[] = [
  ['quarter', 6 * HOUR_MS],
  ['hour', 3 * DAY_MS],
  ['day', 93 * DAY_MS],
  ['week', 400 * DAY_MS],
];

export const stepFor = ({ from, before }: Interval): Step => longest.find(([, ms]) => before - from <= ms)?.[0] ?? 'month';

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

/** The steps of a stretch by the clocks of a zone, without a gap: a day in which clocks are set has 23 or 25 hours. */
export function stepsOf({ from, before }: Interval, step: Step, timeZone: string): readonly Interval[] {
  const edges = [from];
  let next = begins[step](zoned(from, timeZone)).add(lengths[step]);
  while (next.epochMilliseconds < before) {
    if (next.epochMilliseconds > from) edges.push(next.epochMilliseconds);
    next = next.add(lengths[step]);
    // A midnight that clocks skip is no end of a day: the first instant of it is.
    if (step !== 'quarter' && step !== 'hour') next = next.startOfDay();
  }
  return edges.map((edge, index) => ({ from: edge, before: edges[index + 1] ?? before }));
}

const floor = (at: number, span: number): number => at - (((at % span) + span) % span);
const ceil = (at: number, span: number): number => -floor(-at, span) || 0;

/** Sheets exist for whole quarters: what is asked for is widened to them. */
export const toQuarters = ({ from, before }: Interval): Interval => ({
  from: floor(from, QUARTER_MS),
  before: ceil(before, QUARTER_MS),
});

const finer: ReadonlyMap<number, number> = new Map([
  [DAY_MS, HOUR_MS],
  [HOUR_MS, QUARTER_MS],
]);

/** Sheets that are added, or taken away again. */
export type Piece = Stretch & { readonly sign: 1 | -1 };

const nearest = (at: number, span: number): number => floor(at + span / 2, span);
const turned = (pieces: readonly Piece[]): readonly Piece[] =>
  pieces.map((piece): Piece => ({ ...piece, sign: piece.sign === 1 ? -1 : 1 }));

/**
 * Few sheets that come to an interval exactly: whole days, and at either edge the hours that a day has too few or too many. A day in
 * Vienna is a day in Greenwich, one or two hours before it, and without its last ones: a handful of sheets, and not twenty-four.
 */
export function cover({ from, before }: Interval, span: number = DAY_MS): readonly Piece[] {
  if (from >= before) return [];
  const smaller = finer.get(span);
  if (smaller === undefined) return [{ span, from, before, sign: 1 }];
  const [first, end] = [nearest(from, span), nearest(before, span)];
  if (first >= end) return cover({ from, before }, smaller);
  return [
    ...cover({ from, before: first }, smaller),
    ...turned(cover({ from: first, before: from }, smaller)),
    { span, from: first, before: end, sign: 1 },
    ...cover({ from: end, before }, smaller),
    ...turned(cover({ from: before, before: end }, smaller)),
  ];
}

/** What has to be read for some pieces: each sheet once, neighbours of one length together. */
export function toRead(pieces: readonly Piece[]): readonly Stretch[] {
  const joined: Stretch[] = [];
  for (const { span, from, before } of pieces.toSorted((one, other) => one.span - other.span || one.from - other.from)) {
    const last = joined.at(-1);
    if (last?.span === span && from <= last.before)
      joined[joined.length - 1] = { ...last, before: Math.max(last.before, before) };
    else joined.push({ span, from, before });
  }
  return joined;
}
