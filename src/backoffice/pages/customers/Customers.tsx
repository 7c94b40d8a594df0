import { Button, Group, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { useMerchant, useScope } from '../../app/me.ts';
import { useApiQuery } from '../../app/useApi.ts';
import { Empty, LoadError } from '../../kit/Empty.tsx';
import { Section } from '../../kit/Facts.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { PageLink } from '../../kit/PageLink.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { customerTexts } from '../../texts/customers.ts';
import { useLanguage, useTexts } from '../../texts/texts.ts';
import { CustomerDetails } from './CustomerDetails.tsx';

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
          label={t.id}
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
