import type { ReactNode } from 'react';
import type { CheckoutDetail, CheckoutState, CheckoutView } from '../../../spec/answers/stored.ts';
import { checkoutStates } from '../../../spec/areas/stored.ts';
import { useMay, useMe, useScope } from '../../app/me.ts';
import { useAddress } from '../../app/navigation.ts';
import { useApiList, useApiQuery } from '../../app/useApi.ts';
import { sandboxCurl } from '../../kit/Code.tsx';
import type { Column } from '../../kit/DataTable.tsx';
import { ConfirmButton } from '../../kit/Dialog.tsx';
import { LoadError } from '../../kit/Empty.tsx';
import { type Filter, instantText, useFilters } from '../../kit/Filters.tsx';
import { Copyable, Id } from '../../kit/Id.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { amountColumn, useMoneyText } from '../../kit/Money.tsx';
import { Facts, PageHead, Section } from '../../kit/Page.tsx';
import { PaymentsTable } from '../../kit/PaymentsTable.tsx';
import { Status, type Tone } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { checkoutTexts } from '../../texts/checkouts.ts';
import { useTexts } from '../../texts/texts.ts';
import { CreateLink } from './CreateLink.tsx';

const columnsIn = (t: Words): readonly Column<CheckoutView>[] => [
  { id: 'created', header: t.created, isFixed: true, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  amountColumn(t.amount, (row) => row),
  {
    id: 'type',
    header: t.type,
    cell: ({ paymentType, isRegistering }) => (isRegistering ? t.registration : <code>{paymentType}</code>),
  },
  { id: 'state', header: t.state, cell: ({ state }) => <Status tone={checkoutTones[state]}>{t[state]}</Status> },
  { id: 'source', header: t.source, cell: ({ link }) => (link === null ? t.widget : t.link) },
  { id: 'attempts', header: t.attempts, isNumber: true, cell: ({ attempts }) => attempts },
  { id: 'expires', header: t.expires, isHidden: true, cell: ({ expiresAt }) => <Timestamp at={expiresAt} /> },
  { id: 'reference', header: t.reference, cell: ({ merchantTransactionId }) => merchantTransactionId },
  { id: 'id', header: t.id, cell: ({ id }) => <Id id={id} isShort /> },
];

const filtersIn = (t: Words): readonly Filter[] => [
  { name: 'state', label: t.state, choices: checkoutStates.map((value) => ({ value, label: t[value] })) },
  { name: 'from', label: t.from, type: 'datetime-local' },
  { name: 'to', label: t.to, type: 'datetime-local' },
  { name: 'id', label: t.id },
];

const EVERY_MS = 10_000;

/** Sessions of the widget at the chosen entity. */
export function Checkouts(): ReactNode {
  const t = useTexts(checkoutTexts);
  const { entityId } = useScope();
  const { gatewayUrl } = useMe();
  const filters = filtersIn(t);
  const { from, to, ...chosen } = useFilters(filters);
  const values = { entityId, ...chosen, from: instantText(from), to: instantText(to) };
  const curl = sandboxCurl(`${gatewayUrl}/v1/checkouts`, '-d amount=92.00 -d currency=EUR -d paymentType=DB');
  return (
    <ListPage
      name="checkouts"
      title={t.title}
      actions={<CreateLink />}
      says={t.says}
      filters={filters}
      list={useApiList('listCheckouts', values, { rowsOf: ({ checkouts }) => checkouts, everyMs: EVERY_MS })}
      columns={columnsIn(t)}
      keyOf={({ id }) => id}
      to={({ id }) => `/checkouts/${id}`}
      empty={{ title: t.none, says: t.noneSays, curl }}
    />
  );
}

/** One session of the widget, with everything that was tried in it. */
export function CheckoutPage(): ReactNode {
  const t = useTexts(checkoutTexts);
  const moneyText = useMoneyText();
  const { id = '' } = useAddress().params;
  const { entityId } = useScope();
  const mayEnd = useMay('paymentLinks');
  const { data, error, refetch } = useApiQuery('seeCheckout', { entityId }, { places: { id }, everyMs: 5_000 });
  const sum = data && data.amount !== null && data.currency !== null ? moneyText(data.amount, data.currency) : t.checkout;
  return (
    <>
      <PageHead
        title={sum}
        says={data && <Status tone={checkoutTones[data.state]}>{t[data.state]}</Status>}
        back={{ to: '/checkouts', label: t.title }}
      >
        {data && mayEnd && data.link !== null && data.state === 'open' && (
          <ConfirmButton
            endpoint="endPaymentLink"
            request={{ values: { entityId }, places: { id } }}
            label={t.endLink}
            says={t.linkEnded}
            onDone={() => void refetch()}
            isDangerous
          >
            {t.endLinkSays}
          </ConfirmButton>
        )}
      </PageHead>
      {error && !data && <LoadError problem={error} retry={() => void refetch()} />}
      {data && <Detail detail={data} />}
    </>
  );
}

function Detail({ detail }: { readonly detail: CheckoutDetail }): ReactNode {
  const t = useTexts(checkoutTexts);
  return (
    <>
      {detail.link !== null && (
        <Section title={t.link}>
          <Copyable text={detail.link} />
        </Section>
      )}
      <Facts
        facts={[
          [t.id, <Id key="id" id={detail.id} />],
          [t.created, <Timestamp key="created" at={detail.createdAt} hasSeconds />],
          [t.expires, <Timestamp key="expires" at={detail.expiresAt} hasSeconds />],
          [t.type, detail.isRegistering ? t.registration : detail.paymentType],
          [t.reference, detail.merchantTransactionId],
          [t.clicked, detail.clickedAt && <Timestamp key="clicked" at={detail.clickedAt} hasSeconds />],
          [t.asked, detail.askedAt && <Timestamp key="asked" at={detail.askedAt} hasSeconds />],
          [t.shop, detail.shopOrigin],
          [t.gateway, detail.origin],
        ]}
      />
      <Section title={t.tried}>
        <PaymentsTable name="attempts" label={t.tried} rows={detail.tried} empty={t.noneTried} />
      </Section>
      <Section title={t.fields}>
        <Facts facts={detail.fields.map(({ name, value }) => [name, value] as const)} />
      </Section>
    </>
  );
}

export type Words = (typeof checkoutTexts)['en'];

export const checkoutTones: Readonly<Record<CheckoutState, Tone>> = {
  paid: 'good',
  trying: 'accent',
  open: 'warn',
  over: 'quiet',
};
