import type { ReactNode } from 'react';
import type { ScheduleDetail } from '../../../spec/answers/stored.ts';
import { useAddress } from '../../app/address.ts';
import { useMay, useScope } from '../../app/me.ts';
import { useApiQuery } from '../../app/useApi.ts';
import { ConfirmButton } from '../../kit/ConfirmButton.tsx';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { Empty, LoadError } from '../../kit/Empty.tsx';
import { Facts, Section } from '../../kit/Facts.tsx';
import { Id } from '../../kit/Id.tsx';
import { Money } from '../../kit/Money.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { PageLink } from '../../kit/PageLink.tsx';
import { StatusWithReason } from '../../kit/PaymentStatus.tsx';
import { instrumentText } from '../../kit/PaymentsTable.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp, useDateText } from '../../kit/Timestamp.tsx';
import { scheduleTexts } from '../../texts/schedules.ts';
import { localeOf, useLanguage, useTexts } from '../../texts/texts.ts';
import { ChangeSchedule } from './ScheduleButtons.tsx';
import { scheduleTones, timesIn, type Words } from './words.ts';

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
        title={data?.words ?? t.one}
        says={data && <Status tone={scheduleTones[data.state]}>{t[data.state]}</Status>}
        back={{ to: '/schedules', label: t.title }}
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
            t.instrument,
            instrument && (
              <PageLink key="card" to={`/registrations/${detail.registrationId}`}>
                {instrumentText(instrument)}
              </PageLink>
            ),
          ],
          [t.expression, detail.expression && <code key="expression">{detail.expression}</code>],
          [t.zone, detail.timeZone],
          [t.descriptor, detail.descriptor],
          [t.reference, detail.merchantTransactionId],
          [t.starts, detail.startDate],
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

const columnsIn = (t: Words, times: Intl.DateTimeFormat): readonly Column<Run>[] => [
  { id: 'due', header: t.due, isFixed: true, cell: ({ dueAt }) => <time dateTime={dueAt}>{times.format(new Date(dueAt))}</time> },
  { id: 'done', header: t.done, cell: ({ doneAt }) => <Timestamp at={doneAt} /> },
  {
    id: 'amount',
    header: t.amount,
    isNumber: true,
    cell: ({ payment }) => payment && <Money amount={payment.amount} currency={payment.currency} />,
  },
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
  const columns = columnsIn(t, timesIn(locale, timeZone, 'medium'));
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
