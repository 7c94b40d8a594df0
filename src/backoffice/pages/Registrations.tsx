import type { ReactNode } from 'react';
import type { RegistrationDetail, RegistrationView } from '../../spec/answers/stored.ts';
import { registrationStates } from '../../spec/areas/stored.ts';
import { useMay, useMe, useScope } from '../app/me.ts';
import { useAddress } from '../app/navigation.ts';
import { useApiList, useApiQuery } from '../app/useApi.ts';
import { SANDBOX_CARD, sandboxCurl } from '../kit/Code.tsx';
import type { Column } from '../kit/DataTable.tsx';
import { ConfirmButton } from '../kit/Dialog.tsx';
import { LoadError } from '../kit/Empty.tsx';
import { type Filter, useFilters } from '../kit/Filters.tsx';
import { Id } from '../kit/Id.tsx';
import { ListPage } from '../kit/ListPage.tsx';
import { Money } from '../kit/Money.tsx';
import { DataAge, Facts, PageHead, Section } from '../kit/Page.tsx';
import { CustomerLink, PageLink } from '../kit/PageLink.tsx';
import { instrumentText, PaymentsTable } from '../kit/PaymentsTable.tsx';
import { ResultCode, Status, type Tone } from '../kit/Status.tsx';
import { Timestamp } from '../kit/Timestamp.tsx';
import { registrationTexts } from '../texts/registrations.ts';
import { useLanguage, useTexts } from '../texts/texts.ts';
import { CreateSchedule } from './schedules/ScheduleButtons.tsx';

const columnsIn = (t: Words): readonly Column<RegistrationView>[] => [
  { id: 'instrument', header: t.method, isFixed: true, cell: ({ instrument }) => instrumentText(instrument) },
  { id: 'holder', header: t.holder, cell: ({ instrument }) => instrument.holder },
  { id: 'expiry', header: t.expiry, cell: ({ instrument }) => instrument.expiry },
  { id: 'state', header: t.state, cell: ({ state }) => <Status tone={registrationTones[state]}>{t[state]}</Status> },
  { id: 'created', header: t.created, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { id: 'used', header: t.lastUsed, cell: ({ usedAt }) => <Timestamp at={usedAt} /> },
  { id: 'id', header: t.id, cell: ({ id }) => <Id id={id} isShort /> },
];

const filtersIn = (t: Words): readonly Filter[] => [
  { name: 'last4', label: t.last4, placeholder: '0000' },
  { name: 'holder', label: t.holder },
  { name: 'state', label: t.state, choices: registrationStates.map((value) => ({ value, label: t[value] })) },
  { name: 'id', label: t.id },
];

/** Stored payment methods at the chosen entity. */
export function Registrations(): ReactNode {
  const t = useTexts(registrationTexts);
  const { entityId } = useScope();
  const { gatewayUrl } = useMe();
  const filters = filtersIn(t);
  const values = { entityId, ...useFilters(filters) };
  const curl = sandboxCurl(`${gatewayUrl}/v1/registrations`, SANDBOX_CARD, '-d card.cvv=123');
  return (
    <ListPage
      name="registrations"
      title={t.registrations}
      says={t.says}
      filters={filters}
      list={useApiList('listRegistrations', values, { rowsOf: ({ registrations }) => registrations })}
      columns={columnsIn(t)}
      keyOf={({ id }) => id}
      to={({ id }) => `/registrations/${id}`}
      empty={{ title: t.none, says: t.noneSays, curl }}
    />
  );
}

/** One set of stored payment details: the parts that may be shown, and its payments. */
export function RegistrationPage(): ReactNode {
  const t = useTexts(registrationTexts);
  const language = useLanguage();
  const { id = '' } = useAddress().params;
  const { entityId } = useScope();
  const { data, error, refetch } = useApiQuery('seeRegistration', { entityId, language }, { places: { id } });
  const back = { to: '/registrations', label: t.registrations };
  return (
    <>
      <PageHead
        title={data ? instrumentText(data.instrument) : t.registration}
        says={data && <State detail={data} />}
        back={back}
      >
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
          [t.type, instrument.kind],
          [t.created, <Timestamp key="created" at={detail.createdAt} hasSeconds />],
          [t.lastUsed, <Timestamp key="used" at={detail.usedAt} hasSeconds />],
          [t.kept, <Timestamp key="kept" at={detail.expiresAt} hasSeconds />],
          [t.extended, detail.extendedUntil && <Timestamp key="extended" at={detail.extendedUntil} hasSeconds />],
          [t.result, <ResultCode key="code" code={detail.code} />],
          [t.madeBy, <Id key="made" id={detail.paymentId} to={`/payments/${detail.paymentId}`} isShort />],
          [t.series, series && [series.type, series.initialTransactionId].filter(Boolean).join(' ')],
          [t.networkToken, networkToken && `•••• ${networkToken.last4}, ${networkToken.expiry}`],
          [t.mode, detail.mode],
          [
            t.customerId,
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
      <Section title={t.payments} actions={<DataAge of="listUses" />}>
        <PaymentsTable
          name="uses"
          label={t.payments}
          rows={uses.rows}
          empty={t.noPaymentsYet}
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

export type Words = (typeof registrationTexts)['en'];

export const registrationTones: Readonly<Record<RegistrationView['state'], Tone>> = {
  open: 'accent',
  active: 'good',
  rejected: 'bad',
  deleted: 'quiet',
};
