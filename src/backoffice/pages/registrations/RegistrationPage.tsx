import type { ReactNode } from 'react';
import type { RegistrationDetail } from '../../../spec/answers/stored.ts';
import { useAddress } from '../../app/address.ts';
import { useMay, useScope } from '../../app/me.ts';
import { useApiList, useApiQuery } from '../../app/useApi.ts';
import { ConfirmButton } from '../../kit/ConfirmButton.tsx';
import { CustomerLink } from '../../kit/CustomerLink.tsx';
import { DataAge } from '../../kit/DataAge.tsx';
import { LoadError } from '../../kit/Empty.tsx';
import { Facts, Section } from '../../kit/Facts.tsx';
import { Id } from '../../kit/Id.tsx';
import { Money } from '../../kit/Money.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { PageLink } from '../../kit/PageLink.tsx';
import { instrumentText, PaymentsTable } from '../../kit/PaymentsTable.tsx';
import { ResultCode } from '../../kit/ResultCode.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { registrationTexts } from '../../texts/registrations.ts';
import { useLanguage, useTexts } from '../../texts/texts.ts';
import { CreateSchedule } from '../schedules/ScheduleButtons.tsx';
import { registrationTones } from './words.ts';

/** One set of stored payment details: what may be shown of them, and what was done with them. */
export function RegistrationPage(): ReactNode {
  const t = useTexts(registrationTexts);
  const language = useLanguage();
  const { id = '' } = useAddress().params;
  const { entityId } = useScope();
  const { data, error, refetch } = useApiQuery('seeRegistration', { entityId, language }, { places: { id } });
  const back = { to: '/registrations', label: t.title };
  return (
    <>
      <PageHead title={data ? instrumentText(data.instrument) : t.one} says={data && <State detail={data} />} back={back}>
        {data?.state === 'active' && <CreateSchedule registration={data} />}
        {data && <Remove detail={data} />}
      </PageHead>
      {error && !data && <LoadError problem={error} retry={() => void refetch()} />}
      {data && <Detail detail={data} />}
    </>
  );
}

type Shown = { readonly detail: RegistrationDetail };

function State({ detail }: Shown): ReactNode {
  const t = useTexts(registrationTexts);
  return <Status tone={registrationTones[detail.state]}>{t[detail.state]}</Status>;
}

function Detail({ detail }: Shown): ReactNode {
  const t = useTexts(registrationTexts);
  const { entityId } = useScope();
  const { instrument, series, networkToken } = detail;
  const uses = useApiList(
    'listUses',
    { entityId },
    {
      places: { id: detail.id },
      rowsOf: ({ payments }) => payments,
    },
  );
  return (
    <>
      <Facts
        facts={[
          [t.id, <Id key="id" id={detail.id} />],
          [t.holder, instrument.holder],
          [t.expiry, instrument.expiry],
          [t.kind, instrument.kind],
          [t.created, <Timestamp key="created" at={detail.createdAt} hasSeconds />],
          [t.used, <Timestamp key="used" at={detail.usedAt} hasSeconds />],
          [t.kept, <Timestamp key="kept" at={detail.expiresAt} hasSeconds />],
          [t.extended, detail.extendedUntil && <Timestamp key="extended" at={detail.extendedUntil} hasSeconds />],
          [t.code, <ResultCode key="code" code={detail.code} />],
          [t.madeBy, <Id key="made" id={detail.paymentId} to={`/payments/${detail.paymentId}`} isShort />],
          [t.series, series && [series.type, series.initialTransactionId].filter(Boolean).join(' ')],
          [t.token, networkToken && `•••• ${networkToken.last4}, ${networkToken.expiry}`],
          [t.mode, detail.mode],
          [
            t.customer,
            detail.customerId && <CustomerLink key="customer" id={detail.customerId} merchantId={detail.merchantId} />,
          ],
        ]}
      />
      {detail.schedules.length > 0 && (
        <Section title={t.schedules}>
          <ul className="plain-list">
            {detail.schedules.map(({ id, words, amount, currency }) => (
              <li key={id}>
                <PageLink to={`/schedules/${id}`}>{words}</PageLink>{' '}
                {amount !== null && currency !== null && <Money amount={amount} currency={currency} />}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={t.uses} actions={<DataAge of="listUses" />}>
        <PaymentsTable
          name="uses"
          label={t.uses}
          rows={uses.rows}
          empty={t.noUses}
          problem={uses.problem}
          retry={uses.retry}
          more={uses.more}
        />
      </Section>
    </>
  );
}

function Remove({ detail }: Shown): ReactNode {
  const t = useTexts(registrationTexts);
  const { entityId } = useScope();
  const may = useMay('registrations', detail.entityId);
  if (!may || detail.state === 'deleted' || detail.state === 'rejected') return null;
  return (
    <ConfirmButton
      endpoint="removeRegistration"
      request={{ values: { entityId }, places: { id: detail.id } }}
      title={t.removeTitle}
      label={t.remove}
      says={t.removed}
    >
      {t.removeSays(instrumentText(detail.instrument))}
    </ConfirmButton>
  );
}
