import type { ReactNode } from 'react';
import type { CollectionView, MandateDetail, MandateView } from '../../spec/answers/stored.ts';
import { mandateStates } from '../../spec/areas/stored.ts';
import { useMay, useOneMerchant } from '../app/me.ts';
import { useAddress } from '../app/navigation.ts';
import { useApiList, useApiQuery } from '../app/useApi.ts';
import { type Column, DataTable } from '../kit/DataTable.tsx';
import { ConfirmButton } from '../kit/Dialog.tsx';
import { Empty, LoadError } from '../kit/Empty.tsx';
import { type Filter, useFilters } from '../kit/Filters.tsx';
import { Copy, Id } from '../kit/Id.tsx';
import { ListPage } from '../kit/ListPage.tsx';
import { MerchantPicker } from '../kit/MerchantPicker.tsx';
import { amountColumn } from '../kit/Money.tsx';
import { Facts, PageHead, Section } from '../kit/Page.tsx';
import { CustomerLink } from '../kit/PageLink.tsx';
import { Status, type Tone } from '../kit/Status.tsx';
import { Timestamp } from '../kit/Timestamp.tsx';
import { mandateTexts } from '../texts/registrations.ts';
import { useLanguage, useTexts } from '../texts/texts.ts';
import { useDay } from './settlement/Settlement.tsx';

type DayText = (day: string) => string;

const mandateColumns = (t: Words, dayText: DayText): readonly Column<MandateView>[] => [
  { id: 'mandate', header: t.mandateId, isFixed: true, cell: ({ mandateId }) => mandateId },
  { id: 'state', header: t.state, cell: ({ state }) => <Status tone={mandateTones[state]}>{t[state]}</Status> },
  { id: 'account', header: t.payerAccount, cell: accountText },
  { id: 'customer', header: t.customerId, cell: ({ customerId }) => customerId },
  { id: 'last', header: t.lastCollection, cell: ({ lastDueOn }) => lastDueOn && dayText(lastDueOn) },
  { id: 'next', header: t.nextCollection, cell: ({ next }) => next && dayText(next.dueOn) },
  amountColumn(t.amount, ({ next }) => next),
  { id: 'notice', header: t.noticeBy, cell: ({ next }) => next && dayText(next.noticeBy) },
  { id: 'scheme', header: t.scheme, isHidden: true, cell: ({ scheme }) => scheme },
  { id: 'signed', header: t.signedOn, isHidden: true, cell: ({ signedOn }) => dayText(signedOn) },
  { id: 'uses', header: t.uses, isHidden: true, isNumber: true, cell: ({ uses }) => uses },
  { id: 'lapses', header: t.lapsesOn, isHidden: true, cell: ({ lapsesOn }) => dayText(lapsesOn) },
];

const filtersIn = (t: Words): readonly Filter[] => [
  { name: 'mandateId', label: t.mandateId },
  { name: 'customerId', label: t.customerId },
  { name: 'last4', label: t.last4, placeholder: '3000' },
  { name: 'state', label: t.state, choices: mandateStates.map((value) => ({ value, label: t[value] })) },
  { name: 'upcoming', label: t.upcoming, choices: [{ value: 'true', label: t.withUpcoming }] },
];

/** The direct debit mandates of a merchant. */
export function Mandates(): ReactNode {
  const t = useTexts(mandateTexts);
  const merchant = useOneMerchant();
  if (merchant) return <MandateList merchantId={merchant.id} />;
  return (
    <>
      <PageHead title={t.title} says={t.says} />
      <MerchantPicker />
    </>
  );
}

function MandateList({ merchantId }: { readonly merchantId: string }): ReactNode {
  const t = useTexts(mandateTexts);
  const language = useLanguage();
  const dayText = useDay();
  const filters = filtersIn(t);
  const values = { entityId: merchantId, language, ...useFilters(filters) };
  return (
    <ListPage
      name="mandates"
      title={t.title}
      says={t.says}
      filters={filters}
      list={useApiList('listMandates', values, { rowsOf: ({ mandates }) => mandates })}
      columns={mandateColumns(t, dayText)}
      keyOf={({ id }) => id}
      to={({ id }) => `/mandates/${id}`}
      empty={{ title: t.none, says: t.noneSays }}
    />
  );
}

export type Words = (typeof mandateTexts)['en'];

export const mandateTones: Readonly<Record<MandateView['state'], Tone>> = {
  active: 'good',
  ended: 'quiet',
  lapsed: 'bad',
};

const sequences = ['FRST', 'RCUR', 'OOFF', 'FNAL'] as const;

/** The name of a sequence, with its code. */
export function sequenceText(t: Words, sequence: string): string {
  const known = sequences.find((one) => one === sequence);
  return known ? `${t[known]} (${known})` : sequence;
}

export const accountText = ({ last4 }: Pick<MandateView, 'last4'>): string | null => (last4 === null ? null : `•••• ${last4}`);

/** One mandate: its collections and their pre-notifications. */
export function MandatePage(): ReactNode {
  const t = useTexts(mandateTexts);
  const merchant = useOneMerchant();
  if (merchant) return <Mandate merchantId={merchant.id} />;
  return (
    <>
      <PageHead title={t.one} back={{ to: '/mandates', label: t.title }} />
      <MerchantPicker />
    </>
  );
}

function Mandate({ merchantId }: { readonly merchantId: string }): ReactNode {
  const t = useTexts(mandateTexts);
  const language = useLanguage();
  const { id = '' } = useAddress().params;
  const { data, error, refetch } = useApiQuery('seeMandate', { entityId: merchantId, language }, { places: { id } });
  const state = data && <Status tone={mandateTones[data.state]}>{t[data.state]}</Status>;
  return (
    <>
      <PageHead title={data?.mandateId ?? t.one} says={state} back={{ to: '/mandates', label: t.title }}>
        {data && <End detail={data} />}
      </PageHead>
      {error && !data && <LoadError problem={error} retry={() => void refetch()} />}
      {data && <Detail detail={data} />}
    </>
  );
}

type Shown = { readonly detail: MandateDetail };

function Detail({ detail }: Shown): ReactNode {
  const t = useTexts(mandateTexts);
  const dayText = useDay();
  const { customerId, registrationId, merchantId } = detail;
  return (
    <>
      <Facts
        facts={[
          [t.mandateId, <Id key="id" id={detail.mandateId} />],
          [t.payerAccount, accountText(detail)],
          [t.customerId, customerId && <CustomerLink key="customer" id={customerId} merchantId={merchantId} />],
          [
            t.registration,
            registrationId && <Id key="details" id={registrationId} to={`/registrations/${registrationId}`} isShort />,
          ],
          [t.scheme, detail.scheme],
          [t.signedOn, dayText(detail.signedOn)],
          [t.firstSeen, <Timestamp key="created" at={detail.createdAt} />],
          [t.uses, String(detail.uses)],
          [t.lastCollection, detail.lastDueOn && dayText(detail.lastDueOn)],
          [t.lapsesOn, dayText(detail.lapsesOn)],
          [t.endedAt, detail.endedAt && <Timestamp key="ended" at={detail.endedAt} />],
          [t.account, detail.account],
          [t.creditor, detail.creditorName],
          [t.creditorId, detail.creditorId],
        ]}
      />
      <Notices detail={detail} />
      <Section title={t.collections}>
        <DataTable
          name="collections"
          label={t.collections}
          rows={detail.collections}
          columns={collectionColumns(t, dayText)}
          keyOf={({ paymentId }) => paymentId}
          to={({ paymentId }) => `/payments/${paymentId}`}
          empty={<Empty title={t.noCollections} />}
        />
      </Section>
    </>
  );
}

const collectionColumns = (t: Words, dayText: (day: string) => string): readonly Column<CollectionView>[] => [
  { id: 'due', header: t.dueOn, isFixed: true, cell: ({ dueOn }) => dayText(dueOn) },
  amountColumn(t.amount, (row) => row),
  { id: 'sequence', header: t.sequence, cell: ({ sequence }) => sequenceText(t, sequence) },
  { id: 'notice', header: t.noticeBy, cell: ({ noticeBy }) => dayText(noticeBy) },
];

/** The texts for the payer, of the collections to come. */
function Notices({ detail: { collections } }: Shown): ReactNode {
  const t = useTexts(mandateTexts);
  const dayText = useDay();
  const toCome = collections.filter(({ notice }) => notice !== null);
  if (toCome.length === 0) return null;
  return (
    <Section title={t.notices}>
      <p>{t.noticesSays}</p>
      <ul className="plain-list">
        {toCome.map(({ paymentId, noticeBy, notice }) => (
          <li key={paymentId}>
            <strong>{`${t.noticeBy} ${dayText(noticeBy)}:`}</strong> {notice} <Copy text={notice ?? ''} label={t.copyNotice} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function End({ detail }: Shown): ReactNode {
  const t = useTexts(mandateTexts);
  const may = useMay('registrations', detail.merchantId);
  if (!may || detail.state === 'ended') return null;
  return (
    <ConfirmButton
      endpoint="endMandate"
      request={{ values: { entityId: detail.merchantId }, places: { id: detail.id } }}
      title={t.endTitle}
      label={t.end}
      says={t.endDone}
      isDangerous
    >
      {t.endSays(detail.mandateId)}
    </ConfirmButton>
  );
}
