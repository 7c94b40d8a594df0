import { Button, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ReconciliationShown, Settled } from '../../../spec/answers/settlement.ts';
import { DAY_MS } from '../../../spec/time.ts';
import { addressOf } from '../../app/api.ts';
import { useMe, useOneMerchant, useScope, useTestClock } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { useApiQuery } from '../../app/useApi.ts';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { Empty } from '../../kit/Empty.tsx';
import { Icon } from '../../kit/icons.tsx';
import { MerchantPicker } from '../../kit/MerchantPicker.tsx';
import { amountColumn, Money } from '../../kit/Money.tsx';
import { PageHead, Section } from '../../kit/Page.tsx';
import { Status, type Tone } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { settlementTexts } from '../../texts/settlement.ts';
import { useTexts } from '../../texts/texts.ts';
import { useDay, type Words } from './Settlement.tsx';

const DAYS = 30;

type Days = { readonly entityId: string; readonly from: string; readonly to: string };

const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** Settled amounts and the files about them. */
export function Reports(): ReactNode {
  const t = useTexts(settlementTexts);
  const merchant = useOneMerchant();
  const { entityId } = useScope();
  const me = useMe();
  const clock = useTestClock();
  const { search } = useAddress();
  const today = Date.parse(clock?.now ?? me.now);
  const from = isDay(search.from) ? search.from : new Date(today - DAYS * DAY_MS).toISOString().slice(0, 10);
  const to = isDay(search.to) ? search.to : new Date(today).toISOString().slice(0, 10);
  const days = { entityId, from, to };
  return (
    <>
      <PageHead title={t.reports} says={t.reportsSays}>
        {merchant && (
          <Button component="a" href={addressOf('exportSettled', days)} download leftSection={<Icon name="download" size={14} />}>
            {t.download}
          </Button>
        )}
      </PageHead>
      {!merchant && <MerchantPicker />}
      {merchant && clock !== undefined && <Report days={days} />}
    </>
  );
}

type DayText = (day: string) => string;

const settledColumns = (t: Words, entityId: string, dayText: DayText): readonly Column<Settled>[] => [
  { id: 'day', header: t.day, isFixed: true, cell: ({ date }) => dayText(date), sortBy: ({ date }) => date },
  { id: 'currency', header: t.currency, cell: ({ currency }) => currency, sortBy: ({ currency }) => currency },
  { id: 'count', header: t.lines, isNumber: true, cell: ({ count }) => count, sortBy: ({ count }) => Number(count) },
  { id: 'fee', header: t.fees, isNumber: true, cell: ({ fee, currency }) => <Money amount={fee} currency={currency} /> },
  amountColumn(t.amount, (row) => row),
  {
    id: 'download',
    header: t.download,
    cell: ({ date, currency }) => (
      <a className="to" href={addressOf('exportSettled', { entityId, from: date, to: date, currency })} download>
        {t.downloadDay(dayText(date))}
      </a>
    ),
  },
];

function Report({ days }: { readonly days: Days }): ReactNode {
  const t = useTexts(settlementTexts);
  const { set } = useAddress();
  const { data, error, refetch, isPlaceholderData } = useApiQuery('listSettled', days);
  const dayText = useDay();
  const columns = settledColumns(t, days.entityId, dayText);
  return (
    <>
      <div className="report-days">
        {(['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            type="date"
            label={end === 'from' ? t.from : t.to}
            value={days[end]}
            onChange={(event) => set({ [end]: event.currentTarget.value || undefined })}
          />
        ))}
      </div>
      <DataTable
        name="settled"
        label={t.reports}
        rows={data?.settled}
        columns={columns}
        keyOf={({ id }) => id}
        problem={error}
        retry={() => void refetch()}
        isStale={isPlaceholderData}
        empty={<Empty title={t.noSettled} says={t.noSettledSays} />}
      />
      <Deliveries days={days} />
    </>
  );
}

const tones: Readonly<Record<ReconciliationShown['state'], Tone>> = {
  due: 'accent',
  renaming: 'accent',
  done: 'good',
  failed: 'bad',
};

const deliveryColumns = (t: Words, dayText: DayText): readonly Column<ReconciliationShown>[] => {
  const words = { due: t.pending, renaming: t.stateRenaming, done: t.delivered, failed: t.failed };
  return [
    { id: 'day', header: t.day, isFixed: true, cell: ({ day }) => dayText(day) },
    { id: 'part', header: t.part, isNumber: true, cell: ({ part }) => part },
    { id: 'state', header: t.state, cell: ({ state }) => <Status tone={tones[state]}>{words[state]}</Status> },
    { id: 'name', header: t.name, cell: ({ name }) => name && <code>{name}</code> },
    { id: 'records', header: t.records, isNumber: true, cell: ({ records }) => records },
    { id: 'tries', header: t.attempts, isNumber: true, cell: ({ tries }) => tries },
    { id: 'why', header: t.reason, cell: ({ why }) => why },
    { id: 'changed', header: t.lastUpdated, cell: ({ changedAt }) => <Timestamp at={changedAt} /> },
  ];
};

function Deliveries({ days: { entityId, from } }: { readonly days: Days }): ReactNode {
  const t = useTexts(settlementTexts);
  const { data, error, refetch } = useApiQuery('listReconciliations', { entityId, from });
  const dayText = useDay();
  const columns = deliveryColumns(t, dayText);
  return (
    <Section title={t.deliveries}>
      <p className="muted">{t.deliveriesSays}</p>
      <DataTable
        name="reconciliations"
        label={t.deliveries}
        rows={data?.reconciliations}
        columns={columns}
        keyOf={({ day, part }) => `${day} ${part}`}
        problem={error}
        retry={() => void refetch()}
        empty={<p className="muted">{t.noDeliveries}</p>}
      />
    </Section>
  );
}
