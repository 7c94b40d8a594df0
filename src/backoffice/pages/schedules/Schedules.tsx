import type { ReactNode } from 'react';
import type { ListedSchedule, ScheduleDetail } from '../../../spec/answers/stored.ts';
import { scheduleStates } from '../../../spec/areas/stored.ts';
import { useMay, useMe, useScope } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { useApiList, useApiQuery } from '../../app/useApi.ts';
import { sandboxCurl } from '../../kit/Code.tsx';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { ConfirmButton } from '../../kit/Dialog.tsx';
import { Empty, LoadError } from '../../kit/Empty.tsx';
import { type Filter, useFilters } from '../../kit/Filters.tsx';
import { Id } from '../../kit/Id.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { amountColumn, Money } from '../../kit/Money.tsx';
import { Facts, PageHead, Section } from '../../kit/Page.tsx';
import { PageLink } from '../../kit/PageLink.tsx';
import { instrumentText, StatusWithReason } from '../../kit/PaymentsTable.tsx';
import { Status, type Tone } from '../../kit/Status.tsx';
import { Timestamp, useDateText } from '../../kit/Timestamp.tsx';
import { scheduleTexts } from '../../texts/schedules.ts';
import { localeOf, useLanguage, useTexts } from '../../texts/texts.ts';
import { timesIn } from './recurrence.ts';
import { ChangeSchedule, CreateSchedule } from './ScheduleButtons.tsx';

type Words = (typeof scheduleTexts)['en'];

export const scheduleTones: Readonly<Record<ListedSchedule['state'], Tone>> = { active: 'good', ending: 'warn', over: 'quiet' };

const scheduleColumns = (t: Words): readonly Column<ListedSchedule>[] => [
  { id: 'words', header: t.recurrence, isFixed: true, cell: ({ words }) => words },
  amountColumn(t.amount, (row) => row),
  { id: 'state', header: t.state, cell: ({ state }) => <Status tone={scheduleTones[state]}>{t[state]}</Status> },
  { id: 'next', header: t.nextRun, cell: ({ nextAt }) => <Timestamp at={nextAt} /> },
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
      title={t.schedules}
      says={t.says}
      actions={<CreateSchedule />}
      filters={filters}
      list={useApiList('listSchedules', values, { rowsOf: ({ schedules }) => schedules })}
      columns={scheduleColumns(t)}
      keyOf={({ id }) => id}
      to={({ id }) => `/schedules/${id}`}
      empty={{ title: t.none, says: t.noneSays, curl }}
    />
  );
}

/** One schedule: when it runs next, and its past runs with their payments. */
export function SchedulePage(): ReactNode {
  const t = useTexts(scheduleTexts);
  const language = useLanguage();
  const { id = '' } = useAddress().params;
  const { entityId } = useScope();
  const { data, error, refetch } = useApiQuery('seeSchedule', { entityId, language }, { places: { id } });
  return (
    <>
      <PageHead
        title={data?.words ?? t.schedule}
        says={data && <Status tone={scheduleTones[data.state]}>{t[data.state]}</Status>}
        back={{ to: '/schedules', label: t.schedules }}
      >
        {data && <ChangeSchedule detail={data} />}
        {data && <Cancel detail={data} />}
      </PageHead>
      {error && !data && <LoadError problem={error} retry={() => void refetch()} />}
      {data && <Detail detail={data} />}
    </>
  );
}

type Shown = { readonly detail: ScheduleDetail };
type Run = ScheduleDetail['runs'][number];

function Detail({ detail }: Shown): ReactNode {
  const t = useTexts(scheduleTexts);
  const dateText = useDateText();
  const { amount, currency, again, instrument } = detail;
  return (
    <>
      <Facts
        facts={[
          [t.amount, amount !== null && currency !== null && <Money key="amount" amount={amount} currency={currency} />],
          [t.name, detail.name],
          [
            t.method,
            instrument && (
              <PageLink key="card" to={`/registrations/${detail.registrationId}`}>
                {instrumentText(instrument)}
              </PageLink>
            ),
          ],
          [t.cronExpression, detail.expression && <code key="expression">{detail.expression}</code>],
          [t.timeZone, detail.timeZone],
          [t.statementText, detail.descriptor],
          [t.reference, detail.merchantTransactionId],
          [t.startDate, detail.startDate],
          [t.endDate, detail.endDate],
          [t.testMode, detail.testMode],
          [t.created, <Timestamp key="created" at={detail.createdAt} hasSeconds />],
          [t.ends, detail.endsAt && <Timestamp key="ends" at={detail.endsAt} hasSeconds />],
          [t.again, again?.at && t.againAt(again.tries, dateText(again.at))],
          [t.id, <Id key="id" id={detail.id} />],
        ]}
      />
      <NextRuns detail={detail} />
      <PastRuns detail={detail} />
    </>
  );
}

/** Times in the time zone of the channel, which the schedule uses. */
function NextRuns({ detail: { nextRuns, timeZone } }: Shown): ReactNode {
  const t = useTexts(scheduleTexts);
  const locale = localeOf(useLanguage());
  const format = timesIn(locale, timeZone, 'full');
  return (
    <Section title={t.nextRuns}>
      {nextRuns.length === 0 ? (
        <p className="muted">{t.noNext}</p>
      ) : (
        <>
          <p className="muted">{t.nextRunsIn(timeZone)}</p>
          <ol className="run-list">
            {nextRuns.map((at) => (
              <li key={at}>
                <time dateTime={at}>{format.format(new Date(at))}</time>
              </li>
            ))}
          </ol>
        </>
      )}
    </Section>
  );
}

const runColumns = (t: Words, times: Intl.DateTimeFormat): readonly Column<Run>[] => [
  { id: 'due', header: t.due, isFixed: true, cell: ({ dueAt }) => <time dateTime={dueAt}>{times.format(new Date(dueAt))}</time> },
  { id: 'done', header: t.done, cell: ({ doneAt }) => <Timestamp at={doneAt} /> },
  amountColumn(t.amount, ({ payment }) => payment),
  {
    id: 'result',
    header: t.result,
    cell: ({ payment, skipped }) =>
      skipped === null ? (
        payment && <StatusWithReason status={payment.status} currency={payment.currency} code={payment.code} />
      ) : (
        <Status tone="warn">{`${t.skipped}: ${skipped}`}</Status>
      ),
  },
  {
    id: 'payment',
    header: t.payment,
    cell: ({ payment }) => payment && <Id id={payment.id} to={`/payments/${payment.id}`} isShort />,
  },
];

function PastRuns({ detail }: Shown): ReactNode {
  const t = useTexts(scheduleTexts);
  const locale = localeOf(useLanguage());
  const { timeZone } = detail;
  const columns = runColumns(t, timesIn(locale, timeZone, 'medium'));
  return (
    <Section title={t.runs}>
      <DataTable
        name="runs"
        label={t.runs}
        rows={detail.runs}
        columns={columns}
        keyOf={({ dueAt }) => dueAt}
        empty={<Empty title={t.noRuns} />}
      />
    </Section>
  );
}

function Cancel({ detail }: Shown): ReactNode {
  const t = useTexts(scheduleTexts);
  const { entityId } = useScope();
  const may = useMay('schedules', detail.entityId);
  if (!may || detail.state !== 'active') return null;
  return (
    <ConfirmButton
      endpoint="cancelSchedule"
      request={{ values: { entityId }, places: { id: detail.id } }}
      title={t.cancelTitle}
      label={t.cancel}
      says={t.cancelled}
    >
      {t.cancelSays(detail.words)}
    </ConfirmButton>
  );
}
