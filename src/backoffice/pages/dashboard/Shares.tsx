import type { ReactNode } from 'react';
import { type Point, type StatisticsAnswer, type ThreeDSOutcome, threeDSOutcomes } from '../../../spec/answers/statistics.ts';
import { Money } from '../../kit/Money.tsx';
import { Section } from '../../kit/Page.tsx';
import { type Bar, PlotBars } from '../../kit/Plot.tsx';
import type { PlotTone } from '../../kit/plotDraw.ts';
import { otherTransactions } from './otherTransactions.ts';
import { attemptsOf, countText, percentText, type Reading, rateOf } from './words.ts';

/** How the payments of the whole time divide: by reason, by 3D Secure, by brand. */

const REASONS_MAX = 12;
const BRANDS_MAX = 8;

const sharedText = ({ t, locale }: Reading, count: number, all: number): string =>
  t.of(countText(count, locale), percentText(all === 0 ? null : count / all, locale));

export function Declines(reading: Reading): ReactNode {
  const { t, answer } = reading;
  const all = answer.declines.reduce((sum, { count }) => sum + count, 0);
  const bars = answer.declines.slice(0, REASONS_MAX).map(
    ({ code, text, count }): Bar => ({
      key: code,
      label: (
        <>
          <code>{code}</code>
          <span lang="en">{text}</span>
        </>
      ),
      count,
      shown: sharedText(reading, count, all),
      tone: 'bad',
      to: {
        path: '/payments',
        search: drillTo(answer, { code }),
      },
    }),
  );
  return (
    <Section title={t.declines}>
      {bars.length > 0 ? <PlotBars bars={bars} /> : <p className="dash-note">{t.noDeclines}</p>}
    </Section>
  );
}

const tones: Readonly<Record<ThreeDSOutcome, PlotTone>> = {
  frictionless: 'good',
  challengePassed: 'good',
  attempted: 'accent',
  challengeFailed: 'bad',
  refused: 'bad',
  notEnrolled: 'muted',
  unavailable: 'warn',
  notAsked: 'muted',
  pending: 'muted',
};

export function ThreeDS(reading: Reading): ReactNode {
  const { t, answer } = reading;
  const { threeDS } = answer.total;
  const all = threeDSOutcomes.reduce((sum, outcome) => sum + threeDS[outcome], 0);
  const bars = threeDSOutcomes
    .filter((outcome) => threeDS[outcome] > 0)
    .map(
      (outcome): Bar => ({
        key: outcome,
        label: outcome === 'pending' ? t.threeDSPending : t[outcome],
        count: threeDS[outcome],
        shown: sharedText(reading, threeDS[outcome], all),
        tone: tones[outcome],
      }),
    );
  return (
    <Section title={t.threeDSecure}>
      <PlotBars bars={bars} />
    </Section>
  );
}

export function Brands(reading: Reading): ReactNode {
  const { t, locale, answer } = reading;
  const bars = answer.brands.slice(0, BRANDS_MAX).map((brand): Bar => {
    const count = attemptsOf(brand);
    const shown = `${countText(count, locale)} · ${percentText(rateOf(brand), locale)} ${t.approved}`;
    return {
      key: brand.brand,
      label: brand.brand === '-' ? '–' : brand.brand,
      count,
      shown,
      tone: 'accent',
      ...(brand.brand !== '-' && {
        to: {
          path: '/payments',
          search: drillTo(answer, { brand: brand.brand }),
        },
      }),
    };
  });
  return (
    <Section title={t.brands}>
      <PlotBars bars={bars} />
    </Section>
  );
}

/** Captures, refunds and chargebacks. */
export function Others({ t, locale, answer }: Reading): ReactNode {
  const others = otherTransactions(answer);
  if (others.length === 0) return null;
  return (
    <Section title={t.others}>
      <ul className="bars">
        {others.map(({ type, currency, count, amount, isCharge }) => (
          <li key={`${type} ${currency}`} className="bar">
            <span className="bar-label">
              <code>{type}</code>
              {isCharge && `${t.byReference} `}
              {countText(count, locale)}
            </span>
            <span className="bar-count">
              <Money amount={amount} currency={currency} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The payments behind a point or a bar, as an address. */
type Drill = Readonly<Record<string, string | undefined>>;

const TYPES = 'DB,PA';

export const drillTo = ({ from, to }: Pick<StatisticsAnswer, 'from' | 'to'> | Point, more: Drill = {}): Drill => ({
  from,
  to,
  types: TYPES,
  ...more,
});
