import { type ReactNode, useMemo } from 'react';
import type { SeenSchedule } from '../../../spec/answers/stored.ts';
import { scheduleStates } from '../../../spec/areas/stored.ts';
import { useMe, useScope } from '../../app/me.ts';
import { useAskPages } from '../../app/useAsk.ts';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { Empty } from '../../kit/Empty.tsx';
import { type Filter, Filters, useFilters } from '../../kit/Filters.tsx';
import { Id } from '../../kit/Id.tsx';
import { Money } from '../../kit/Money.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { Status } from '../../kit/Status.tsx';
import { sandboxCurl } from '../../kit/sandboxCurl.ts';
import { When } from '../../kit/When.tsx';
import { scheduleTexts } from '../../texts/schedules.ts';
import { storedTexts } from '../../texts/stored.ts';
import { useLanguage, useTexts } from '../../texts/texts.ts';
import { scheduleTones, type Words } from './words.ts';

const columnsIn = (t: Words): readonly Column<SeenSchedule>[] => [
  { id: 'words', header: t.words, isFixed: true, cell: ({ words }) => words },
  {
    id: 'amount',
    header: t.amount,
    isNumber: true,
    cell: ({ amount, currency }) => amount !== null && currency !== null && <Money amount={amount} currency={currency} />,
  },
  { id: 'state', header: t.state, cell: ({ state }) => <Status tone={scheduleTones[state]}>{t[state]}</Status> },
  { id: 'next', header: t.next, cell: ({ nextAt }) => <When at={nextAt} /> },
  { id: 'name', header: t.name, cell: ({ name }) => name },
  { id: 'created', header: t.created, isHidden: true, cell: ({ createdAt }) => <When at={createdAt} /> },
  { id: 'id', header: t.id, cell: ({ id }) => <Id id={id} isShort /> },
];

const filtersIn = (t: Words): readonly Filter[] => [
  { name: 'state', label: t.state, choices: scheduleStates.map((value) => ({ value, label: t[value] })) },
  { name: 'id', label: t.id },
];

/** Plans of regular payments at the chosen entity. */
export function Schedules(): ReactNode {
  const t = useTexts(scheduleTexts);
  const language = useLanguage();
  const { notFound, notFoundSays } = useTexts(storedTexts);
  const { entityId } = useScope();
  const { gatewayUrl } = useMe();
  const filters = filtersIn(t);
  const { state, id } = useFilters(filters);
  const values = { entityId, language, id: id ?? '', ...(state && { state: state as SeenSchedule['state'] }) };
  const { rows, problem, retry, more, isStale } = useAskPages('listSchedules', values, {
    rowsOf: ({ schedules }) => schedules,
    nextOf: ({ next }) => next,
  });
  const columns = useMemo(() => columnsIn(t), [t]);
  const curl = sandboxCurl(
    `${gatewayUrl}/scheduling/v1/schedules`,
    '-d registrationId=… -d paymentType=DB -d amount=17.00 -d currency=EUR',
    '-d "job.expression=0 30 6 1 * ?"',
  );
  return (
    <>
      <PageHead title={t.title} says={t.says} />
      <Filters filters={filters} />
      <DataTable
        name="schedules"
        label={t.title}
        rows={rows}
        columns={columns}
        keyOf={({ id: one }) => one}
        to={({ id: one }) => `/schedules/${one}`}
        problem={problem}
        retry={retry}
        more={more}
        isStale={isStale}
        empty={
          state || id ? <Empty title={notFound} says={notFoundSays} /> : <Empty title={t.none} says={t.noneSays} curl={curl} />
        }
      />
    </>
  );
}
