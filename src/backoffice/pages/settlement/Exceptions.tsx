import { Checkbox } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ExceptionLine, SettlementLine, UnsettledPayment } from '../../../spec/answers/settlement.ts';
import { useMay, useOneMerchant, useScope } from '../../app/me.ts';
import { useApiList } from '../../app/useApi.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { type Filter, instantText, useFilters } from '../../kit/Filters.tsx';
import { shortId } from '../../kit/Id.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { MerchantPicker } from '../../kit/MerchantPicker.tsx';
import { amountColumn } from '../../kit/Money.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { type PaymentWords, paymentTexts, wordFor } from '../../texts/payments.ts';
import { settlementTexts } from '../../texts/settlement.ts';
import { useTexts } from '../../texts/texts.ts';
import { BulkDecide, Decide, type Selection } from './Decide.tsx';
import { kindText, signedAmount, useDay, type Words } from './Settlement.tsx';

/** By what an acquirer names the payment, the best first. */
const referenceOf = ({ paymentId, merchantTransactionId, shortId, invoiceId, settlementId }: SettlementLine): string =>
  merchantTransactionId ?? shortId ?? paymentId ?? invoiceId ?? settlementId ?? '';

type Columns = { readonly dayText: (day: string) => string; readonly selection: Selection | null };

const columnsIn = (t: Words, { dayText, selection }: Columns): readonly Column<ExceptionLine>[] => [
  ...(selection
    ? [
        {
          id: 'select',
          header: '',
          isFixed: true,
          cell: (line: ExceptionLine) => (
            <Checkbox
              size="xs"
              aria-label={t.select(referenceOf(line))}
              checked={selection.ids.has(line.id)}
              onChange={() => selection.set([...selection.ids.symmetricDifference(new Set([line.id]))])}
            />
          ),
        },
      ]
    : []),
  {
    id: 'settledOn',
    header: t.settledOn,
    isFixed: true,
    cell: ({ settledOn }) => dayText(settledOn),
    sortBy: ({ settledOn }) => settledOn,
  },
  {
    id: 'reason',
    header: t.reason,
    cell: (line) => <Status tone="warn">{kindText(t, line)}</Status>,
    sortBy: (line) => kindText(t, line),
  },
  {
    id: 'type',
    header: t.type,
    isHidden: true,
    cell: ({ recordType, transactionType }) => <code>{`${recordType} ${transactionType}`}</code>,
  },
  { id: 'reference', header: t.reference, isLong: true, cell: (line) => <code className="whole-id">{referenceOf(line)}</code> },
  { id: 'candidate', header: t.candidate, isLong: true, cell: (line) => candidateText(line) },
  { id: 'line', header: t.line, isHidden: true, isNumber: true, cell: ({ line }) => line },
  amountColumn(t.amount, (line) => ({ amount: signedAmount(line), currency: line.currency })),
];

/** The suggested payment, as the merchant calls it. */
function candidateText({ candidates, suggestedId }: ExceptionLine): string | null {
  const payment = candidates.find(({ id }) => id === suggestedId);
  return payment ? (payment.merchantTransactionId ?? payment.shortId) : null;
}

const filtersIn = (t: Words): readonly Filter[] => [
  {
    name: 'status',
    label: t.status,
    choices: (['NOT_MATCHED', 'MULTIPLE_MATCHES'] as const).map((value) => ({ value, label: t[value] })),
  },
];

/** Lines of settlement files that could not be matched automatically. */
export function Exceptions(): ReactNode {
  const t = useTexts(settlementTexts);
  const { entityId } = useScope();
  const filters = filtersIn(t);
  const values = { entityId, ...useFilters(filters) };
  const dayText = useDay();
  const [opened, setOpened] = useState<ExceptionLine | null>(null);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const may = useMay('settlement');
  const selection = { ids: new Set(selected), set: setSelected };
  const list = useApiList('listExceptions', values, { rowsOf: ({ exceptions }) => exceptions });
  return (
    <ListPage
      name="exceptions"
      title={t.exceptions}
      says={t.exceptionsSays}
      filters={filters}
      tools={may && <BulkDecide rows={list.rows ?? []} selection={selection} />}
      list={list}
      columns={columnsIn(t, { dayText, selection: may ? selection : null })}
      keyOf={({ id }) => id}
      onOpen={setOpened}
      empty={{ title: t.noExceptions, says: t.noExceptionsSays }}
    >
      <Decide line={opened} onClose={() => setOpened(null)} />
    </ListPage>
  );
}

const unsettledColumns = (t: Words, types: PaymentWords): readonly Column<UnsettledPayment>[] => [
  { id: 'payment', header: t.payment, isFixed: true, cell: ({ id }) => <span className="id">{shortId(id)}</span> },
  { id: 'type', header: t.type, cell: ({ paymentType }) => wordFor(types, paymentType) },
  { id: 'begun', header: t.created, cell: ({ createdAt }) => <Timestamp at={createdAt} />, sortBy: ({ createdAt }) => createdAt },
  amountColumn(t.amount, (row) => row),
];

const unsettledFilters = (t: Words): readonly Filter[] => [
  { name: 'from', label: t.from, type: 'date' },
  { name: 'to', label: t.to, type: 'date' },
];

/** Payments that no settlement file contains. */
export function Unsettled(): ReactNode {
  const t = useTexts(settlementTexts);
  const isMerchant = useOneMerchant() !== null;
  const { entityId } = useScope();
  const filters = unsettledFilters(t);
  const { from, to } = useFilters(filters);
  const values = { entityId, from: instantText(from), to: instantText(to) };
  return (
    <ListPage
      name="unsettled"
      title={t.unsettled}
      says={t.unsettledSays}
      filters={filters}
      list={useApiList('listUnsettled', values, { rowsOf: ({ payments }) => payments, isWanted: isMerchant })}
      columns={unsettledColumns(t, useTexts(paymentTexts))}
      keyOf={({ id }) => id}
      to={({ id }) => `/payments/${id}`}
      empty={{ title: t.noUnsettled, says: t.noUnsettledSays }}
      instead={isMerchant ? null : <MerchantPicker />}
    />
  );
}
