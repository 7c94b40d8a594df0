import { DatePickerInput, DatesProvider } from '@mantine/dates';
import 'dayjs/locale/de';
import { type ReactNode, useState } from 'react';
import { dashboardTexts } from '../../texts/dashboard.ts';
import { useLanguage, useTexts } from '../../texts/texts.ts';

type Days = readonly [first: string | null, last: string | null];

export type DayPickerProps = { readonly days: Days; readonly onPick: (first: string, last: string) => void };

/** A first and a last day from a calendar; told once both are chosen. */
export function DayPicker({ days, onPick }: DayPickerProps): ReactNode {
  const t = useTexts(dashboardTexts);
  const language = useLanguage();
  const [picked, setPicked] = useState<Days>(days);
  return (
    <DatesProvider settings={{ locale: language, firstDayOfWeek: 1 }}>
      <DatePickerInput
        type="range"
        size="xs"
        allowSingleDateInRange
        aria-label={t.customLabel}
        placeholder={t.customLabel}
        valueFormat="D MMM YYYY"
        value={[...picked]}
        onChange={([first, last]) => {
          setPicked([first, last]);
          if (first !== null && last !== null) onPick(first.slice(0, 10), last.slice(0, 10));
        }}
        miw={220}
      />
    </DatesProvider>
  );
}
