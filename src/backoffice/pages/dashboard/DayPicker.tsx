import { Button, Popover } from '@mantine/core';
import { DatePicker, DatesProvider } from '@mantine/dates';
import 'dayjs/locale/de';
import { type ReactNode, useState } from 'react';
import { dashboardTexts } from '../../texts/dashboard.ts';
import { localeOf, useLanguage, useTexts } from '../../texts/texts.ts';

type Days = readonly [first: string | null, last: string | null];

export type DayPickerProps = { readonly days: Days; readonly onPick: (first: string, last: string) => void };

/** A day of a calendar, which is the same in every zone. */
const dayText = (day: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

/** A start and an end date from a calendar; reported once both are chosen. */
export function DayPicker({ days, onPick }: DayPickerProps): ReactNode {
  const t = useTexts(dashboardTexts);
  const language = useLanguage();
  const [first, last] = days;
  const [isOpen, setOpen] = useState(first === null);
  const [picked, setPicked] = useState<Days>(days);
  const shown = first !== null && last !== null ? [first, last].map((day) => dayText(day, localeOf(language))).join(' – ') : null;
  const pick = ([from, to]: Days) => {
    setPicked([from, to]);
    if (from === null || to === null) return;
    setOpen(false);
    onPick(from.slice(0, 10), to.slice(0, 10));
  };
  return (
    <DatesProvider settings={{ locale: language, firstDayOfWeek: 1, weekendDays: [] }}>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" trapFocus>
        <Popover.Target>
          <Button size="xs" variant="default" onClick={() => setOpen(!isOpen)}>
            {shown ?? t.customLabel}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t.customLabel} aria-labelledby={undefined}>
          <DatePicker
            type="range"
            allowSingleDateInRange
            hideOutsideDates
            value={[...picked]}
            onChange={pick}
            {...(last !== null && { defaultDate: last })}
            ariaLabels={{
              nextMonth: t.nextMonth,
              previousMonth: t.previousMonth,
              nextYear: t.nextYear,
              previousYear: t.previousYear,
              nextDecade: t.nextDecade,
              previousDecade: t.previousDecade,
            }}
          />
        </Popover.Dropdown>
      </Popover>
    </DatesProvider>
  );
}
