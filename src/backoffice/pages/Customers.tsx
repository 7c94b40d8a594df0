import { Button, Group, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { CustomerDetail, CustomerTotal, ListedSchedule, RegistrationView } from '../../spec/answers/stored.ts';
import { useMerchant, useScope } from '../app/me.ts';
import { useAddress } from '../app/navigation.ts';
import { useApiList, useApiQuery } from '../app/useApi.ts';
import { type Column, DataTable } from '../kit/DataTable.tsx';
import { Empty, LoadError } from '../kit/Empty.tsx';
import { Id } from '../kit/Id.tsx';
import { Money } from '../kit/Money.tsx';
import { Facts, PageHead, Section } from '../kit/Page.tsx';
import { PageLink } from '../kit/PageLink.tsx';
import { instrumentText, PaymentsTable } from '../kit/PaymentsTable.tsx';
import { Status } from '../kit/Status.tsx';
import { Timestamp } from '../kit/Timestamp.tsx';
import { customerTexts } from '../texts/customers.ts';
import { scheduleTexts } from '../texts/schedules.ts';
import { localeOf, useLanguage, useTexts } from '../texts/texts.ts';
import { moneyTypes } from './payments/Payments.tsx';
import { scheduleTones } from './schedules/Schedules.tsx';

/** The customer that the address names, or a field to find one. An id may hold any character: it goes into the query. */
export function Customers(): ReactNode {
  const t = useTexts(customerTexts);
  const { customer } = useAddress().search;
  const merchant = useMerchant();
  if (!customer)
    return (
      <>
        <PageHead title={t.title} says={t.says} />
        <Find key="" initial="" />
        <Empty title={t.start} says={t.startSays} />
      </>
    );
  return merchant ? <OneCustomer key={customer} id={customer} /> : <Merchants key={customer} id={customer} />;
}

function Find({ initial }: { readonly initial: string }): ReactNode {
  const t = useTexts(customerTexts);
  const { set } = useAddress();
  const [text, setText] = useState(initial);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') set({ customer: text.trim() });
      }}
    >
      <Group align="flex-end" gap="xs" className="customer-find">
        <TextInput
          label={t.customerId}
          description={t.idSays}
          value={text}
          maxLength={255}
          autoComplete="off"
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {t.find}
        </Button>
      </Group>
    </form>
  );
}

type ById = { readonly id: string };

/** Nothing found, with the field to try again. */
function None({ id }: ById): ReactNode {
  const t = useTexts(customerTexts);
  return (
    <>
      <Find initial={id} />
      <Empty title={t.none} says={t.noneSays} />
    </>
  );
}

function OneCustomer({ id }: ById): ReactNode {
  const t = useTexts(customerTexts);
  const { entityId } = useScope();
  const language = useLanguage();
  const { data, error, refetch } = useApiQuery('seeCustomer', { entityId, merchantCustomerId: id, language });
  return (
    <>
      <PageHead title={id} says={data?.name ?? t.customer} back={{ to: '/customers', label: t.title }} dataOf="seeCustomer" />
      {error?.status === 404 && !data && <None id={id} />}
      {error && error.status !== 404 && !data && <LoadError problem={error} retry={() => void refetch()} />}
      {data && <CustomerDetails detail={data} />}
    </>
  );
}

/** Above merchants, the same id may belong to customers of several. */
function Merchants({ id }: ById): ReactNode {
  const t = useTexts(customerTexts);
  const { entityId } = useScope();
  const { data, error, refetch } = useApiQuery('listCustomers', { entityId, merchantCustomerId: id });
  return (
    <>
      <PageHead title={id} says={t.customer} back={{ to: '/customers', label: t.title }} dataOf="listCustomers" />
      {error && !data && <LoadError problem={error} retry={() => void refetch()} />}
      {data?.customers.length === 0 && <None id={id} />}
      {data && data.customers.length > 0 && (
        <Section title={t.several}>
          <ul className="plain-list">
            {data.customers.map(({ merchantId, merchant, lastActivityAt }) => (
              <li key={merchantId}>
                <PageLink to="/customers" search={{ customer: id, entity: merchantId }}>
                  {merchant}
                </PageLink>{' '}
                <Timestamp at={lastActivityAt} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

type Words = (typeof customerTexts)['en'];
type Shown = { readonly detail: CustomerDetail };

/** A customer: totals, stored payment methods, schedules, payments. */
export function CustomerDetails({ detail }: Shown): ReactNode {
  const t = useTexts(customerTexts);
  return (
    <>
      <Facts
        facts={[
          [t.customerId, <Id key="id" id={detail.merchantCustomerId} />],
          [t.name, detail.name],
          [t.email, detail.email],
          [t.merchant, detail.merchant],
          [t.firstSeen, <Timestamp key="first" at={detail.firstSeenAt} hasSeconds />],
          [t.lastActivity, <Timestamp key="last" at={detail.lastActivityAt} hasSeconds />],
        ]}
      />
      <Totals detail={detail} />
      <Methods detail={detail} />
      <Schedules detail={detail} />
      <Payments detail={detail} />
    </>
  );
}

const totalColumns = (t: Words, hasCredits: boolean): readonly Column<CustomerTotal>[] => {
  const amounts = ['paid', 'refunded', 'disputed', ...(hasCredits ? (['credited'] as const) : [])] as const;
  return [
    { id: 'currency', header: t.currency, isFixed: true, cell: ({ currency }) => currency },
    { id: 'count', header: t.payments, isNumber: true, cell: ({ payments }) => payments },
    ...amounts.map(
      (name): Column<CustomerTotal> => ({
        id: name,
        header: t[name],
        isNumber: true,
        cell: (total) => <Money amount={total[name]} currency={total.currency} />,
      }),
    ),
  ];
};

function Totals({ detail: { totals, isComplete, counted } }: Shown): ReactNode {
  const t = useTexts(customerTexts);
  const locale = localeOf(useLanguage());
  const hasCredits = totals.some(({ credited }) => credited !== '0.00');
  return (
    <Section title={t.totals}>
      {!isComplete && <p className="muted">{t.partial(new Intl.NumberFormat(locale).format(counted))}</p>}
      <DataTable
        name="customer-totals"
        label={t.totals}
        rows={totals}
        columns={totalColumns(t, hasCredits)}
        keyOf={({ currency }) => currency}
        empty={<Empty title={t.noTotals} />}
      />
    </Section>
  );
}

const methodColumns = (t: Words): readonly Column<RegistrationView>[] => [
  { id: 'method', header: t.method, isFixed: true, cell: ({ instrument }) => instrumentText(instrument) },
  { id: 'holder', header: t.holder, cell: ({ instrument }) => instrument.holder },
  { id: 'expiry', header: t.expiry, cell: ({ instrument }) => instrument.expiry },
  { id: 'used', header: t.lastUsed, cell: ({ usedAt }) => <Timestamp at={usedAt} /> },
];

function Methods({ detail: { registrations } }: Shown): ReactNode {
  const t = useTexts(customerTexts);
  return (
    <Section title={t.methods}>
      <DataTable
        name="customer-methods"
        label={t.methods}
        rows={registrations}
        columns={methodColumns(t)}
        keyOf={({ id }) => id}
        to={({ id }) => `/registrations/${id}`}
        empty={<Empty title={t.noMethods} />}
      />
    </Section>
  );
}

const scheduleColumns = (t: Words, states: (typeof scheduleTexts)['en']): readonly Column<ListedSchedule>[] => [
  { id: 'recurrence', header: t.recurrence, isFixed: true, cell: ({ words }) => words },
  {
    id: 'amount',
    header: t.amount,
    isNumber: true,
    cell: ({ amount, currency }) => amount !== null && currency !== null && <Money amount={amount} currency={currency} />,
  },
  { id: 'state', header: t.state, cell: ({ state }) => <Status tone={scheduleTones[state]}>{states[state]}</Status> },
  { id: 'next', header: t.nextRun, cell: ({ nextAt }) => <Timestamp at={nextAt} /> },
];

function Schedules({ detail: { schedules } }: Shown): ReactNode {
  const t = useTexts(customerTexts);
  const states = useTexts(scheduleTexts);
  return (
    <Section title={t.schedules}>
      <DataTable
        name="customer-schedules"
        label={t.schedules}
        rows={schedules}
        columns={scheduleColumns(t, states)}
        keyOf={({ id }) => id}
        to={({ id }) => `/schedules/${id}`}
        empty={<Empty title={t.noSchedules} />}
      />
    </Section>
  );
}

const PAGE = 20;

function Payments({ detail: { merchantCustomerId: customer } }: Shown): ReactNode {
  const t = useTexts(customerTexts);
  const { entityId } = useScope();
  const values = { entityId, customer, types: moneyTypes.join(','), limit: PAGE };
  const list = useApiList('searchPayments', values, { rowsOf: ({ payments }) => payments });
  return (
    <Section
      title={t.payments}
      actions={
        <PageLink to="/payments" search={{ customer }}>
          {t.allPayments}
        </PageLink>
      }
    >
      <PaymentsTable
        name="customer-payments"
        label={t.payments}
        rows={list.rows}
        empty={t.noPaymentsYet}
        problem={list.problem}
        retry={list.retry}
        more={list.more}
      />
    </Section>
  );
}
