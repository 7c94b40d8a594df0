import { Group, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { scheduleFormTexts } from '../../texts/schedules.ts';
import { localeOf, useLanguage, useTexts } from '../../texts/texts.ts';
import { monthDays, months, type Recurrence, rhythms, weekdays } from './recurrence.ts';

export type RecurrenceProps = {
  readonly recurrence: Recurrence;
  readonly error: string | null;
  readonly onChange: (recurrence: Recurrence) => void;
};

/** When a schedule runs: a rhythm with its day and time, or a cron expression. */
export function RecurrenceFields({ recurrence, error, onChange }: RecurrenceProps): ReactNode {
  const t = useTexts(scheduleFormTexts);
  const { rhythm } = recurrence;
  const set = (part: Partial<Recurrence>) => onChange({ ...recurrence, ...part });
  return (
    <>
      <Select
        label={t.recurrence}
        data={rhythms.map((value) => ({ value, label: t[value] }))}
        value={rhythm}
        onChange={(value) => {
          const chosen = rhythms.find((one) => one === value) ?? rhythm;
          // The first month of a quarter is one of three.
          set({ rhythm: chosen, ...(chosen === 'quarterly' && { month: String(((Number(recurrence.month) - 1) % 3) + 1) }) });
        }}
        allowDeselect={false}
      />
      {rhythm === 'custom' ? (
        <TextInput
          label={t.cronExpression}
          description={t.expressionSays}
          value={recurrence.custom}
          error={error}
          required
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => set({ custom: event.currentTarget.value })}
        />
      ) : (
        <Group grow align="flex-start">
          {rhythm === 'weekly' && <Weekday value={recurrence.weekday} onChange={(weekday) => set({ weekday })} />}
          {(rhythm === 'quarterly' || rhythm === 'yearly') && (
            <Month value={recurrence.month} isQuarterly={rhythm === 'quarterly'} onChange={(month) => set({ month })} />
          )}
          {rhythm !== 'weekly' && rhythm !== 'daily' && <MonthDay value={recurrence.day} onChange={(day) => set({ day })} />}
          <TextInput
            label={t.time}
            type="time"
            value={recurrence.time}
            error={error}
            required
            onChange={(event) => set({ time: event.currentTarget.value })}
          />
        </Group>
      )}
    </>
  );
}

type PartProps = { readonly value: string; readonly onChange: (value: string) => void };

/** A Monday, and the first of a January. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY = 86_400_000;

function Weekday({ value, onChange }: PartProps): ReactNode {
  const t = useTexts(scheduleFormTexts);
  const names = new Intl.DateTimeFormat(localeOf(useLanguage()), { weekday: 'long', timeZone: 'UTC' });
  const data = weekdays.map((name, at) => ({ value: name, label: names.format(MONDAY + at * DAY) }));
  return (
    <Select label={t.weekday} data={data} value={value} onChange={(day) => day !== null && onChange(day)} allowDeselect={false} />
  );
}

function MonthDay({ value, onChange }: PartProps): ReactNode {
  const t = useTexts(scheduleFormTexts);
  const data = monthDays.map((day) => ({ value: day, label: day === 'L' ? t.lastDay : day }));
  return (
    <Select label={t.day} data={data} value={value} onChange={(day) => day !== null && onChange(day)} allowDeselect={false} />
  );
}

const QUARTER_MONTHS = 3;

/** A month of the year, or the months of a quarter. */
function Month({ value, isQuarterly, onChange }: PartProps & { readonly isQuarterly: boolean }): ReactNode {
  const t = useTexts(scheduleFormTexts);
  const locale = localeOf(useLanguage());
  const names = new Intl.DateTimeFormat(locale, { month: isQuarterly ? 'short' : 'long', timeZone: 'UTC' });
  const nameOf = (at: number) => names.format(Date.UTC(2024, at, 1));
  const quarterOf = (at: number) => Array.from({ length: 4 }, (_, nth) => nameOf(at + nth * QUARTER_MONTHS)).join(', ');
  const data = (isQuarterly ? months.slice(0, QUARTER_MONTHS) : months).map((month, at) => ({
    value: month,
    label: isQuarterly ? quarterOf(at) : nameOf(at),
  }));
  return (
    <Select
      label={t.month}
      data={data}
      value={value}
      onChange={(month) => month !== null && onChange(month)}
      allowDeselect={false}
    />
  );
}
