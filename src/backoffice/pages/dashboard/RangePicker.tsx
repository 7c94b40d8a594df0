import { Button } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import type { Range } from '../../../spec/areas/reports.ts';
import { useAddress } from '../../app/navigation.ts';
import { dashboardTexts } from '../../texts/dashboard.ts';
import { useTexts } from '../../texts/texts.ts';

/** The calendar is large, and few ask for it. */
const DayPicker = lazy(async () => {
  const [{ DayPicker: picker }] = await Promise.all([import('./DayPicker.tsx'), loadCalendarSheet()]);
  return { default: picker };
});

const names = { today: 'today', '7days': 'days7', '30days': 'days30', '12months': 'months12' } as const satisfies Record<
  Range,
  string
>;

const isRange = (text: string | undefined): text is Range => text !== undefined && Object.hasOwn(names, text);
const DAY = /^20[0-9]{2}-[0-9]{2}-[0-9]{2}$/;

type Chosen = { readonly range: Range } | { readonly fromDay: string; readonly toDay: string };

/** The period of the page, from its address. */
export function useRange(): Chosen {
  const { range, fromDay = '', toDay = '' } = useAddress().search;
  if (DAY.test(fromDay) && DAY.test(toDay) && fromDay <= toDay) return { fromDay, toDay };
  return { range: isRange(range) ? range : '7days' };
}

/** The period. It is in the address, so that a view can be shared. */
export function RangePicker(): ReactNode {
  const t = useTexts(dashboardTexts);
  const { search, set } = useAddress();
  const chosen = useRange();
  const isCustom = 'fromDay' in chosen || search.range === 'custom';
  const choose = (range: string) => set({ range, fromDay: undefined, toDay: undefined });
  return (
    <fieldset className="dash-tools dash-ranges" aria-label={t.ranges}>
      {Object.entries(names).map(([range, name]) => {
        const isChosen = !isCustom && 'range' in chosen && chosen.range === range;
        return (
          <Button
            key={range}
            size="xs"
            variant={isChosen ? 'filled' : 'default'}
            aria-pressed={isChosen}
            onClick={() => choose(range)}
          >
            {t[name]}
          </Button>
        );
      })}
      <Button size="xs" variant={isCustom ? 'filled' : 'default'} aria-pressed={isCustom} onClick={() => choose('custom')}>
        {t.custom}
      </Button>
      {isCustom && (
        <Suspense fallback={null}>
          <DayPicker
            days={'fromDay' in chosen ? [chosen.fromDay, chosen.toDay] : [null, null]}
            onPick={(fromDay, toDay) => set({ range: undefined, fromDay, toDay })}
          />
        </Suspense>
      )}
    </fieldset>
  );
}

/** Loads the style sheet of the calendar, which only an opened calendar needs. */
const loadCalendarSheet = (): Promise<void> =>
  new Promise((resolve) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = document.querySelector<HTMLMetaElement>('meta[name="calendar"]')?.content ?? '';
    // Without it the calendar is plain, and still works.
    link.onload = () => resolve();
    link.onerror = () => resolve();
    document.head.append(link);
  });
