import type { ReactNode } from 'react';
import {
  attemptsOf,
  changeText,
  countText,
  healthOf,
  msText,
  percentText,
  pointsText,
  type Reading,
  rateOf,
  volumeOf,
  volumeText,
} from './words.ts';

type Figure = { readonly name: string; readonly value: string; readonly says: readonly string[] };

/** A millisecond more or less means nothing. */
const NOISE_MS = 3;

/** The five key figures, each compared with the previous period. */
function figuresOf({ t, locale, currency, answer: { total, before } }: Reading): readonly Figure[] {
  const troubled = total.webhooks.waiting + total.webhooks.dead;
  const { latency, webhookLatency } = total;
  const latencyChange = (now: number, past: number | null) =>
    past !== null && Math.abs(now - past) < NOISE_MS ? t.same : changeText(now, past, t, locale);
  return [
    {
      name: t.volume,
      value: volumeText(total, currency, locale),
      says: [changeText(volumeOf(total, currency), volumeOf(before, currency), t, locale)],
    },
    {
      name: t.payments,
      value: countText(attemptsOf(total), locale),
      says: [changeText(attemptsOf(total), attemptsOf(before), t, locale)],
    },
    {
      name: t.rate,
      value: percentText(rateOf(total), locale),
      says: [pointsText(rateOf(total), rateOf(before), t, locale)],
    },
    {
      name: `${t.latency} (p50)`,
      value: msText(latency.p50, locale),
      says:
        latency.p50 === null ? [t.nothing] : [t.p95(msText(latency.p95, locale)), latencyChange(latency.p50, before.latency.p50)],
    },
    {
      name: `${t.webhooks} (${t.delivered})`,
      value: percentText(healthOf(total), locale),
      says: [
        healthOf(total) === null
          ? t.noWebhooks
          : troubled > 0
            ? t.troubled(countText(troubled, locale))
            : pointsText(healthOf(total), healthOf(before), t, locale),
        webhookLatency.p50 === null ? '' : t.firstTry(msText(webhookLatency.p50, locale)),
      ],
    },
  ];
}

export function FigureRow(reading: Reading): ReactNode {
  return (
    <dl className="figures">
      {figuresOf(reading).map(({ name, value, says }) => (
        <div key={name} className="figure">
          <dt>{name}</dt>
          <dd className="figure-value">{value}</dd>
          {says
            .filter((one) => one !== '')
            .map((one) => (
              <dd key={one} className="figure-change">
                {one}
              </dd>
            ))}
        </div>
      ))}
    </dl>
  );
}
