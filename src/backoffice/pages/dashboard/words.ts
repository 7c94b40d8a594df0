import { type Figures, type Point, results, type StatisticsAnswer, webhookOutcomes } from '../../../spec/answers/statistics.ts';
import { HOUR_MS } from '../../../spec/time.ts';
import { moneyText } from '../../kit/Money.tsx';
import type { DashboardWords } from '../../texts/dashboard.ts';

/** Figures as people read them. Drawing and comparison may use rounded numbers; written amounts come from the exact decimal string. */

export type Reading = {
  readonly t: DashboardWords;
  readonly locale: string;
  readonly currency: string;
  readonly answer: StatisticsAnswer;
};

export const countText = (count: number, locale: string): string => new Intl.NumberFormat(locale).format(count);

export const percentText = (share: number | null, locale: string): string =>
  share === null
    ? '–'
    : new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: share > 0.1 && share < 0.9995 ? 1 : 2 }).format(
        share,
      );

/** 840 ms, 1.2 s. */
export function msText(ms: number | null, locale: string): string {
  if (ms === null) return '–';
  const [value, unit] = ms < 1_000 ? [ms, 'millisecond'] : [ms / 1_000, 'second'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(value);
}

export const volumeText = ({ volume }: Pick<Figures, 'volume'>, currency: string, locale: string): string =>
  moneyText(volume[currency] ?? '0.00', currency, locale);

/** For drawing and comparing only. */
export const volumeOf = ({ volume }: Pick<Figures, 'volume'>, currency: string): number => Number(volume[currency] ?? 0);

export const attemptsOf = ({ attempts }: Pick<Figures, 'attempts'>): number =>
  results.reduce((sum, result) => sum + attempts[result], 0);

export function rateOf({ attempts }: Pick<Figures, 'attempts'>): number | null {
  const decided = attempts.approved + attempts.declined + attempts.rejected;
  return decided === 0 ? null : attempts.approved / decided;
}

export const messagesOf = ({ webhooks }: Pick<Figures, 'webhooks'>): number =>
  webhookOutcomes.reduce((sum, outcome) => sum + webhooks[outcome], 0);

/** The share of tried deliveries that arrived. */
export function healthOf(figures: Pick<Figures, 'webhooks'>): number | null {
  const all = messagesOf(figures);
  return all === 0 ? null : (figures.webhooks.first + figures.webhooks.later) / all;
}

/** From this factor on, growth is shown as a multiple. */
const MANY = 4;

/** How much more or less than before, in words. */
export function changeText(now: number | null, before: number | null, t: DashboardWords, locale: string): string {
  if (now === null || now === before) return now === null ? '' : t.same;
  if (before === null || before === 0) return t.fresh;
  if (now >= MANY * before) return t.times(new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(now / before));
  const share = Math.abs(now - before) / before;
  const text = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: share < 0.1 ? 1 : 0 }).format(share);
  return now > before ? t.up(text) : t.down(text);
}

/** Rates differ by points, not by a share of themselves. */
export function pointsText(now: number | null, before: number | null, t: DashboardWords, locale: string): string {
  if (now === null) return '';
  if (before === null) return t.fresh;
  const more = Math.round((now - before) * 1_000) / 10;
  if (more === 0) return t.same;
  return t.points(new Intl.NumberFormat(locale, { signDisplay: 'always', maximumFractionDigits: 1 }).format(more));
}

/** The currency with most approved payments, unless one was chosen. */
export function currencyOf({ total, before }: StatisticsAnswer, wanted: string | undefined): string {
  const known = Object.entries(total.approved).sort(([, one], [, other]) => other - one);
  if (wanted !== undefined && /^[A-Z]{3}$/.test(wanted)) return wanted;
  return known[0]?.[0] ?? Object.keys(before.volume)[0] ?? 'EUR';
}

type TimeWords = { readonly short: Intl.DateTimeFormatOptions; readonly long: Intl.DateTimeFormatOptions };

const clock: TimeWords = {
  short: { hour: '2-digit', minute: '2-digit' },
  long: { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
};
const calendar: TimeWords = {
  short: { day: 'numeric', month: 'short' },
  long: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
};
const formats: Readonly<Record<StatisticsAnswer['step'], TimeWords>> = {
  quarter: clock,
  hour: clock,
  day: calendar,
  week: calendar,
  month: { short: { month: 'short', year: '2-digit' }, long: { month: 'long', year: 'numeric' } },
};

/** The labels below the points, and their full names. */
export function timesOf({ answer: { step, timeZone, points, from, to }, locale, t }: Reading) {
  const { short, long } = formats[step];
  const isOneDay = Date.parse(to) - Date.parse(from) <= 26 * HOUR_MS;
  const axis = step === 'hour' && !isOneDay ? { ...short, day: 'numeric' as const } : short;
  const tick = new Intl.DateTimeFormat(locale, { ...axis, timeZone });
  const full = new Intl.DateTimeFormat(locale, { ...long, timeZone });
  const name = (at: string) => full.format(new Date(at));
  return {
    ticks: points.map((point) => tick.format(new Date(point.from))),
    times: points.map((point) => (step === 'week' ? t.week(name(point.from)) : name(point.from))),
  };
}

/** Future points are not drawn, because zero is not the same as "not yet". */
export const untilNow = <T>({ answer: { points, now } }: Reading, value: (point: Point) => T): readonly (T | null)[] =>
  points.map((point) => (point.from > now ? null : value(point)));
