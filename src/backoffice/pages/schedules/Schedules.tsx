import type { ReactNode } from 'react';
import type { ListedSchedule } from '../../../spec/answers/stored.ts';
import { scheduleStates } from '../../../spec/areas/stored.ts';
import { useMe, useScope } from '../../app/me.ts';
import { useApiList } from '../../app/useApi.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { type Filter, useFilters } from '../../kit/Filters.tsx';
import { Id } from '../../kit/Id.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { Money } from '../../kit/Money.tsx';
import { Status } from '../../kit/Status.tsx';
import { sandboxCurl } from '../../kit/sandboxCurl.ts';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { scheduleTexts } from '../../texts/schedules.ts';
import { useLanguage, useTexts } from '../../texts/texts.ts';
import { CreateSchedule } from './ScheduleButtons.tsx';
import { scheduleTones, type Words } from './words.ts';

const columnsIn = (t: Words): readonly Column<ListedSchedule>[] => [
  { id: 'words', header: t.words, isFixed: true, cell: ({ words }) => words },
  {
    id: 'amount',
    header: t.amount,
    isNumber: true,
    cell: ({ amount, currency }) => amount !== null && currency !== null && <Money amount={amount} currency={currency} />,
  },
  { id: 'state', header: t.state, cell: ({ state }) => <Status tone={scheduleTones[state]}>{t[state]}</Status> },
  { id: 'next', header: t.next, cell: ({ nextAt }) => <Timestamp at={nextAt} /> },
  { id: 'name', header: t.name, cell: ({ name }) => name },
  { id: 'created', header: t.created, isHidden: true, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { id: 'id', header: t.id, cell: ({ id }) => <Id id={id} isShort /> },
];

const filtersIn = (t: Words): readonly Filter[] => [
  { name: 'state', label: t.state, choices: scheduleStates.map((value) => ({ value, label: t[value] })) },
  { name: 'id', label: t.id },
];

/** Schedules at the chosen entity. */
export function Schedules(): ReactNode {
  const t = useTexts(scheduleTexts);
  const language = useLanguage();
  const { entityId } = useScope();
  const { gatewayUrl } = useMe();
  const filters = filtersIn(t);
  const values = { entityId, language, ...useFilters(filters) };
  const curl = sandboxCurl(
    `${gatewayUrl}/scheduling/v1/schedules`,
    '-d registrationId=… -d paymentType=DB -d amount=17.00 -d currency=EUR',
    '-d "job.expression=0 30 6 1 * ?"',
  );
  return (
    <ListPage
      name="schedules"
      title={t.title}
      says={t.says}
      actions={<CreateSchedule />}
      filters={filters}
      list={useApiList('listSchedules', values, { rowsOf: ({ schedules }) => schedules })}
      columns={columnsIn(t)}
      keyOf={({ id }) => id}
      to={({ id }) => `/schedules/${id}`}
      empty={{ title: t.none, says: t.noneSays, curl }}
    />
  );
}
