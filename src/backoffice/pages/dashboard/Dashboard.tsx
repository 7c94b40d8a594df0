import { Button, Select, Skeleton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { StatisticsAnswer } from '../../../spec/answers/statistics.ts';
import { useMe, useScope } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { useApiQuery } from '../../app/useApi.ts';
import { SANDBOX_CARD, sandboxCurl } from '../../kit/Code.tsx';
import { Empty, LoadError } from '../../kit/Empty.tsx';
import { PageHead, Section } from '../../kit/Page.tsx';
import { Plot, type PlotProps, PlotTable } from '../../kit/Plot.tsx';
import { dashboardTexts } from '../../texts/dashboard.ts';
import { localeOf, useLanguage, useTexts } from '../../texts/texts.ts';
import { plotsOf } from './plots.ts';
import { RangePicker, useRange } from './RangePicker.tsx';
import { Brands, Declines, drillTo, Others, ThreeDS } from './Shares.tsx';
import {
  attemptsOf,
  changeText,
  countText,
  currencyOf,
  healthOf,
  messagesOf,
  msText,
  percentText,
  pointsText,
  type Reading,
  rateOf,
  volumeOf,
  volumeText,
} from './words.ts';

const EVERY_MS = 5_000;

/** Payments at a glance: volume, approval, speed and health. */
export function Dashboard(): ReactNode {
  const t = useTexts(dashboardTexts);
  const { entity, entityId } = useScope();
  const { data, error, refetch } = useApiQuery(
    'readStatistics',
    { entityId, ...useRange() },
    { everyMs: EVERY_MS, isWanted: entityId !== '' },
  );
  return (
    <>
      <PageHead title={t.title} says={data && t.zone(entity.name, data.timeZone)} dataOf="readStatistics">
        <CurrencySwitch answer={data} />
      </PageHead>
      <RangePicker />
      {error && !data ? <LoadError problem={error} retry={() => void refetch()} /> : data ? <Shown answer={data} /> : <Waiting />}
    </>
  );
}

/** Placeholders with the height of the content. */
const Waiting = (): ReactNode => (
  <div className="stack" aria-hidden="true">
    <Skeleton height={96} mt={16} />
    <Skeleton height={300} />
    <Skeleton height={300} />
  </div>
);

function CurrencySwitch({ answer }: { readonly answer: StatisticsAnswer | undefined }): ReactNode {
  const t = useTexts(dashboardTexts);
  const { search, set } = useAddress();
  const known = answer ? [...new Set([...Object.keys(answer.total.volume), currencyOf(answer, search.currency)])].sort() : [];
  if (!answer || known.length < 2) return null;
  return (
    <Select
      size="xs"
      w={96}
      aria-label={t.currency}
      data={known}
      allowDeselect={false}
      value={currencyOf(answer, search.currency)}
      onChange={(currency) => currency && set({ currency })}
    />
  );
}

function Shown({ answer }: { readonly answer: StatisticsAnswer }): ReactNode {
  const t = useTexts(dashboardTexts);
  const locale = localeOf(useLanguage());
  const { search, go } = useAddress();
  const reading: Reading = { t, locale, answer, currency: currencyOf(answer, search.currency) };
  const { points, total } = answer;
  if (attemptsOf(total) === 0 && messagesOf(total) === 0 && answer.types.length === 0) return <First />;
  const open = (name: string) => (index: number) => {
    const point = points[index];
    if (!point) return;
    if (name === 'webhooks') go('/webhooks');
    else
      go(
        '/payments',
        drillTo({ from: point.from, to: point.to }, name === 'volume' ? { currency: reading.currency, state: 'approved' } : {}),
      );
  };
  return (
    <>
      <FigureRow {...reading} />
      <div className="dash-grid">
        {plotsOf(reading).map(({ name, ...plot }, index) => (
          <Drawn key={name} {...plot} isWide={index === 0} onOpen={open(name)} />
        ))}
        <Declines {...reading} />
        {attemptsOf(total) > 0 && <ThreeDS {...reading} />}
        {attemptsOf(total) > 0 && <Brands {...reading} />}
        <Others {...reading} />
      </div>
    </>
  );
}

const PAYMENT = '-d amount=92.00 -d currency=EUR -d paymentType=DB';

/** Nothing to count yet, and how to change that. */
function First(): ReactNode {
  const t = useTexts(dashboardTexts);
  const { gatewayUrl } = useMe();
  const curl = sandboxCurl(`${gatewayUrl}/v1/payments`, PAYMENT, SANDBOX_CARD, '-d card.cvv=123');
  return <Empty title={t.none} says={t.noneSays} curl={curl} />;
}

/** A plot under its heading, with the table one click away. */
function Drawn({ says, isWide, ...plot }: PlotProps & { readonly says: string; readonly isWide: boolean }): ReactNode {
  const t = useTexts(dashboardTexts);
  const [isTable, setTable] = useState(false);
  const turn = (
    <Button
      size="compact-xs"
      variant="subtle"
      onClick={() => setTable(!isTable)}
      aria-label={`${plot.label}: ${isTable ? t.asPlot : t.asTable}`}
    >
      {isTable ? t.asPlot : t.asTable}
    </Button>
  );
  return (
    <div className={isWide ? 'dash-wide' : ''}>
      <Section title={plot.label} actions={turn}>
        <p className="dash-note">{says}</p>
        {isTable ? <PlotTable {...plot} when={t.time} /> : <Plot {...plot} />}
      </Section>
    </div>
  );
}

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
