import type { ReactNode } from 'react';
import type { UnsettledPayment } from '../../../spec/answers/settlement.ts';
import { useOneMerchant, useScope } from '../../app/me.ts';
import { useApiList } from '../../app/useApi.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { type Filter, instantText, useFilters } from '../../kit/Filters.tsx';
import { shortId } from '../../kit/Id.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { MerchantPicker } from '../../kit/MerchantPicker.tsx';
import { Money } from '../../kit/Money.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { type PaymentWords, paymentTexts, wordFor } from '../../texts/payments.ts';
import { settlementTexts } from '../../texts/settlement.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Words } from './Settlement.tsx';

const columnsIn = (t: Words, types: PaymentWords): readonly Column<UnsettledPayment>[] => [
  { id: 'payment', header: t.payment, isFixed: true, cell: ({ id }) => <span className="id">{shortId(id)}</span> },
  { id: 'type', header: t.type, cell: ({ paymentType }) => wordFor(types, paymentType) },
  { id: 'begun', header: t.begun, cell: ({ createdAt }) => <Timestamp at={createdAt} />, sortBy: ({ createdAt }) => createdAt },
  {
    id: 'amount',
    header: t.amount,
    isNumber: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
];

const filtersIn = (t: Words): readonly Filter[] => [
  { name: 'from', label: t.from, type: 'date' },
  { name: 'to', label: t.to, type: 'date' },
];

/** Payments that no settlement file contains. */
export function Unsettled(): ReactNode {
  const t = useTexts(settlementTexts);
  const isMerchant = useOneMerchant() !== null;
  const { entityId } = useScope();
  const filters = filtersIn(t);
  const { from, to } = useFilters(filters);
  const values = { entityId, from: instantText(from), to: instantText(to) };
  return (
    <ListPage
      name="unsettled"
      title={t.unsettled}
      says={t.unsettledSays}
      filters={filters}
      list={useApiList('listUnsettled', values, { rowsOf: ({ payments }) => payments, isWanted: isMerchant })}
      columns={columnsIn(t, useTexts(paymentTexts))}
      keyOf={({ id }) => id}
      to={({ id }) => `/payments/${id}`}
      empty={{ title: t.noUnsettled, says: t.noUnsettledSays }}
      instead={isMerchant ? null : <MerchantPicker />}
    />
  );
}
