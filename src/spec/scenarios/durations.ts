import { DAY_MS, HOUR_MS } from '../time.ts';

/** A length of time as scenarios write it: `40d`, `12h`, `90s`, `250ms`; `1m..5m` is one by chance between the two. */

const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: HOUR_MS, d: DAY_MS } as const;
type Unit = keyof typeof UNITS_MS;

const ONE = '(0|[1-9][0-9]{0,10})(ms|s|m|h|d)';
export const duration = new RegExp(`^${ONE}$`);
/** One length, or two with dots between them. */
export const durationOrRange = new RegExp(`^${ONE}(?:\\.\\.${ONE})?$`);
/** The longest there is: a year and a day. */
export const DURATION_MS_MAX = 366 * UNITS_MS.d;

const product = (count: string, unit: string): number => Number.parseInt(count, 10) * UNITS_MS[unit as Unit];

/** The milliseconds of a duration; null when the text is none, or too long a time. */
export function msOf(text: string): number | null {
  const [, count, unit] = duration.exec(text) ?? [];
  if (count === undefined || unit === undefined) return null;
  const ms = product(count, unit);
  return ms <= DURATION_MS_MAX ? ms : null;
}

/** The two ends of a range, the same where there is one length only; null when the text is neither or its ends are the wrong way round. */
export function endsOf(text: string): readonly [from: number, to: number] | null {
  const [from, to = from] = text.split('..').map(msOf);
  return durationOrRange.test(text) && from != null && to != null && from <= to ? [from, to] : null;
}

/** The shortest text of so many milliseconds. */
export function durationText(ms: number): string {
  const units: readonly Unit[] = ['d', 'h', 'm', 's'];
  const unit = ms === 0 ? 's' : (units.find((one) => ms % UNITS_MS[one] === 0) ?? 'ms');
  return `${ms / UNITS_MS[unit]}${unit}`;
}
