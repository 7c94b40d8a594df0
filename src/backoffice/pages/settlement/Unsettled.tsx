import { type ReactNode, useMemo } from 'react';
import type { UnsettledPayment } from '../../../spec/answers/settlement.ts';
import { useMerchant, useScope } from '../../app/me.ts';
import { useAskPages } from '../../app/useAsk.ts';
import { type Column, DataTable } from '../../kit/DataTable.tsx';
import { Empty } from '../../kit/Empty.tsx';
import { type Filter, Filters, useFilters } from '../../kit/Filters.tsx';
import { Id } from '../../kit/Id.tsx';
import { Money } from '../../kit/Money.tsx';
import { PageHead } from '../../kit/PageHead.tsx';
import { When } from '../../kit/When.tsx';
import { settlementTexts } from '../../texts/settlement.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Words } from './words.ts';

const columnsIn = (t: Words): readonly Column<UnsettledPayment>[] => [
  { id: 'payment', header: t.payment, isFixed: true, cell: ({ id }) => <Id id={id} isShort to={`/payments/${id}`} /> },
  { id: 'type', header: t.type, cell: ({ paymentType }) => <code>{paymentType}</code> },
  { id: 'begun', header: t.begun, cell: ({ createdAt }) => <When at={createdAt} />, sortBy: ({ createdAt }) => createdAt },
  {
    id: 'amount',
    header: t.amount,
    isNumber: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
];

const instantOf = (day: string | undefined): string => {
  const at = new Date(day ?? '');
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
};

/** Payments that are missing in the acquirers' files. */
export function Unsettled(): ReactNode {
  const t = useTexts(settlementTexts);
  const merchant = useMerchant();
  return (
    <>
      <PageHead title={t.unsettled} says={t.unsettledSays} />
      {merchant ? <List /> : <Empty title={t.chooseTitle} says={t.chooseSays} />}
    </>
  );
}

function List(): ReactNode {
  const t = useTexts(settlementTexts);
  const { entityId } = useScope();
  const filters: readonly Filter[] = [
    { name: 'from', label: t.from, type: 'date' },
    { name: 'to', label: t.to, type: 'date' },
  ];
  const { from, to } = useFilters(filters);
  const values = { entityId, from: instantOf(from), to: instantOf(to) };
  const { rows, ...list } = useAskPages('listUnsettled', values, {
    rowsOf: ({ payments }) => payments,
    nextOf: ({ next }) => next,
  });
  const columns = useMemo(() => columnsIn(t), [t]);
  return (
    <>
      <Filters filters={filters} />
      <DataTable
        name="unsettled"
        label={t.unsettled}
        rows={rows}
        columns={columns}
        keyOf={({ id }) => id}
        to={({ id }) => `/payments/${id}`}
        empty={<Empty title={t.noUnsettled} says={t.noUnsettledSays} />}
        {...list}
      />
    </>
  );
}
