import {
  type Latency,
  type Point,
  type Result,
  results,
  type WebhookOutcome,
  webhookOutcomes,
} from '../../../spec/answers/statistics.ts';
import type { PlotProps } from '../../kit/Plot.tsx';
import type { PlotSeries, PlotTone } from '../../kit/plotDraw.ts';
import {
  attemptsOf,
  countText,
  messagesOf,
  msText,
  percentText,
  type Reading,
  rateOf,
  timesOf,
  untilNow,
  volumeOf,
  volumeText,
} from './words.ts';

/** The plots of the dashboard. Each figure has one colour everywhere. */

const resultTones: Readonly<Record<Result, PlotTone>> = { approved: 'good', declined: 'bad', rejected: 'warn', pending: 'muted' };
const outcomeTones: Readonly<Record<WebhookOutcome, PlotTone>> = { first: 'good', later: 'accent', waiting: 'warn', dead: 'bad' };

/** Named also where there are none; the others only where there are some. */
const usual: ReadonlySet<string> = new Set(['approved', 'declined', 'first']);

type Drawn = Omit<PlotProps, 'onOpen'> & {
  readonly name: 'volume' | 'payments' | 'rate' | 'latency' | 'webhooks';
  readonly says: string;
};

const compact = (value: number, locale: string): string =>
  new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value);

function volume(reading: Reading): Drawn {
  const { t, locale, currency, answer } = reading;
  const series: PlotSeries = {
    name: t.volume,
    tone: 'accent',
    values: untilNow(reading, (point) => volumeOf(point, currency)),
    show: (value, index) => (value === null ? '–' : volumeText(answer.points[index] as Point, currency, locale)),
    total: volumeText(answer.total, currency, locale),
  };
  const axis = (value: number) => compact(value, locale);
  return { name: 'volume', label: t.volume, says: t.volumeSays, kind: 'bars', series: [series], axis, ...timesOf(reading) };
}

function payments(reading: Reading): Drawn {
  const { t, locale, answer } = reading;
  const series = results
    .filter((result) => usual.has(result) || answer.total.attempts[result] > 0)
    .map(
      (result): PlotSeries => ({
        name: t[result],
        tone: resultTones[result],
        values: untilNow(reading, ({ attempts }) => attempts[result]),
        show: (value) => (value === null ? '–' : countText(value, locale)),
        total: countText(answer.total.attempts[result], locale),
      }),
    );
  const axis = (value: number) => (Number.isInteger(value) ? compact(value, locale) : '');
  return { name: 'payments', label: t.payments, says: t.paymentsSays, kind: 'bars', series, axis, ...timesOf(reading) };
}

function rate(reading: Reading): Drawn {
  const { t, locale, answer } = reading;
  const series: PlotSeries = {
    name: t.rate,
    tone: 'good',
    values: untilNow(reading, (point) => rateOf(point)),
    show: (value) => percentText(value, locale),
    total: percentText(rateOf(answer.total), locale),
  };
  const axis = (value: number) => percentText(value, locale);
  return { name: 'rate', label: t.rate, says: t.rateSays, kind: 'lines', series: [series], top: 1, axis, ...timesOf(reading) };
}

function latency(reading: Reading): Drawn {
  const { t, locale, answer } = reading;
  const line = (name: 'p50' | 'p95', tone: PlotTone, of: (latency: Latency) => number | null): PlotSeries => ({
    name,
    tone,
    values: untilNow(reading, (point) => of(point.latency)),
    show: (value) => msText(value, locale),
    total: msText(of(answer.total.latency), locale),
  });
  const series = [line('p50', 'accent', ({ p50 }) => p50), line('p95', 'ink', ({ p95 }) => p95)];
  const axis = (value: number) => msText(value, locale);
  return { name: 'latency', label: t.latency, says: t.latencySays, kind: 'lines', series, axis, ...timesOf(reading) };
}

function webhooks(reading: Reading): Drawn {
  const { t, locale, answer } = reading;
  const series = webhookOutcomes
    .filter((outcome) => usual.has(outcome) || answer.total.webhooks[outcome] > 0)
    .map(
      (outcome): PlotSeries => ({
        name: t[outcome],
        tone: outcomeTones[outcome],
        values: untilNow(reading, (point) => point.webhooks[outcome]),
        show: (value) => (value === null ? '–' : countText(value, locale)),
        total: countText(answer.total.webhooks[outcome], locale),
      }),
    );
  const axis = (value: number) => (Number.isInteger(value) ? compact(value, locale) : '');
  return { name: 'webhooks', label: t.webhooks, says: t.webhooksSays, kind: 'bars', series, axis, ...timesOf(reading) };
}

/** The plots that have data. */
export const plotsOf = (reading: Reading): readonly Drawn[] => {
  const { total } = reading.answer;
  const hasPayments = attemptsOf(total) > 0;
  return [
    ...(hasPayments ? [volume(reading), payments(reading), rate(reading)] : []),
    ...(total.latency.count > 0 ? [latency(reading)] : []),
    ...(messagesOf(total) > 0 ? [webhooks(reading)] : []),
  ];
};
