import type { Range } from '../../spec/areas/reports.ts';
import { DAY_MS } from '../../spec/time.ts';
import type { Interval } from './steps.ts';

export type StatisticsRange = {
  readonly range?: Range | undefined;
  readonly fromDay?: string | undefined;
  readonly toDay?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
};

type LocalTime = { readonly timeZone: string; readonly now: number };
export type IntervalResult =
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
