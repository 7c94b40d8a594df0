import type { Range } from '../../spec/areas/statistics.ts';
import { DAY_MS } from '../../spec/time.ts';
import type { Interval } from './steps.ts';

export type StatisticsRange = {
  readonly range?: Range | undefined;
  readonly fromDay?: string | undefined;
  readonly toDay?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
};

type Here = { readonly timeZone: string; readonly now: number };
type Wrong = { readonly name: keyof StatisticsRange; readonly message: string };

const YEARS_MAX = 10;

/** How far before the beginning of today a range begins. */
const back: Readonly<Record<Range, Temporal.DurationLike>> = {
  today: { days: 0 },
  '7days': { days: 6 },
  '30days': { days: 29 },
  '12months': { months: 12 },
};

function ofRange(range: Range, { timeZone, now }: Here): Interval {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).startOfDay();
  const first = today.subtract(back[range]);
  const from = range === '12months' ? first.add({ days: 1 }) : first;
  return { from: from.startOfDay().epochMilliseconds, before: today.add({ days: 1 }).startOfDay().epochMilliseconds };
}

function ofDays(fromDay: string, toDay: string, { timeZone }: Here): Interval {
  const begins = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).startOfDay().epochMilliseconds;
  return { from: begins(Temporal.PlainDate.from(fromDay)), before: begins(Temporal.PlainDate.from(toDay).add({ days: 1 })) };
}

/** A stretch of time from what was asked: a range by its name, days, or instants, and one of these at most. */
export function intervalOf(asked: StatisticsRange, here: Here): Interval | Wrong {
  const { range, fromDay, toDay, from, to } = asked;
  const [hasDays, hasInstants] = [fromDay ?? toDay, from ?? to].map((one) => one !== undefined);
  if ([range !== undefined, hasDays, hasInstants].filter(Boolean).length > 1) {
    return { name: hasDays ? 'fromDay' : 'from', message: 'send a range, two days, or two instants, and only one of these' };
  }
  if (hasDays && (fromDay === undefined || toDay === undefined)) {
    return { name: fromDay === undefined ? 'fromDay' : 'toDay', message: 'send both days, the first and the last' };
  }
  if (hasInstants && (from === undefined || to === undefined)) {
    return { name: from === undefined ? 'from' : 'to', message: 'send both instants, where it begins and where it ends' };
  }
  if (fromDay !== undefined && toDay !== undefined) return bounded(ofDays(fromDay, toDay, here), 'toDay');
  if (from !== undefined && to !== undefined) return bounded({ from, before: to }, 'to');
  return ofRange(range ?? '7days', here);
}

const YEAR_MS = 366 * DAY_MS;

function bounded(interval: Interval, name: 'to' | 'toDay'): Interval | Wrong {
  const { from, before } = interval;
  if (before <= from) return { name, message: 'must lie behind the beginning' };
  return before - from > YEARS_MAX * YEAR_MS
    ? { name, message: `must not lie more than ${YEARS_MAX} years behind it` }
    : interval;
}
