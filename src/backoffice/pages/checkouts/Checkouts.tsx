import type { ReactNode } from 'react';
import type { CheckoutView } from '../../../spec/answers/stored.ts';
import { checkoutStates } from '../../../spec/areas/stored.ts';
import { useMe, useScope } from '../../app/me.ts';
import { useApiList } from '../../app/useApi.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { type Filter, instantText, useFilters } from '../../kit/Filters.tsx';
import { Id } from '../../kit/Id.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { Money } from '../../kit/Money.tsx';
import { Status } from '../../kit/Status.tsx';
import { sandboxCurl } from '../../kit/sandboxCurl.ts';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { checkoutTexts } from '../../texts/checkouts.ts';
import { useTexts } from '../../texts/texts.ts';
import { CreateLink } from './CreateLink.tsx';
import { checkoutTones, type Words } from './words.ts';

const columnsIn = (t: Words): readonly Column<CheckoutView>[] => [
  { id: 'created', header: t.created, isFixed: true, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  {
    id: 'amount',
    header: t.amount,
    isNumber: true,
    cell: ({ amount, currency }) => amount !== null && currency !== null && <Money amount={amount} currency={currency} />,
  },
  {
    id: 'type',
    header: t.type,
    cell: ({ paymentType, isRegistering }) => (isRegistering ? t.registering : <code>{paymentType}</code>),
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
