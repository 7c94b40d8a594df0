import type { ReactNode } from 'react';
import { NO_CURRENCY } from '../../money/amount.ts';
import type { InstrumentView, PaymentView } from '../../spec/answers/stored.ts';
import type { Problem } from '../app/problem.ts';
import { type PaymentWords, paymentTexts, wordFor } from '../texts/payments.ts';
import { storedTexts } from '../texts/stored.ts';
import { useTexts } from '../texts/texts.ts';
import { type Column, DataTable } from './DataTable.tsx';
import { Empty } from './Empty.tsx';
import { Money } from './Money.tsx';
import { StatusWithReason } from './PaymentStatus.tsx';
import { Timestamp } from './Timestamp.tsx';

type Words = (typeof storedTexts)['en'];

/** The columns of short lists of payments. */
export const paymentColumns = <Row extends PaymentView>(t: Words, types: PaymentWords): readonly Column<Row>[] => [
  { id: 'created', header: t.created, isFixed: true, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { id: 'type', header: t.type, cell: ({ paymentType }) => wordFor(types, paymentType) },
  {
    id: 'amount',
    header: t.amount,
    isNumber: true,
    cell: ({ amount, currency }) => currency !== NO_CURRENCY && <Money amount={amount} currency={currency} />,
  },
  {
    id: 'state',
    header: t.state,
    cell: ({ status, currency, code }) => <StatusWithReason status={status} currency={currency} code={code} />,
  },
  { id: 'card', header: t.card, cell: ({ paymentBrand, last4 }) => cardText(paymentBrand, last4) },
  {
    id: 'reference',
    header: t.reference,
    isHidden: true,
    isLong: true,
    cell: ({ merchantTransactionId }) => merchantTransactionId,
  },
];

export const cardText = (brand: string | null, last4: string | null): string =>
  [brand, last4 && `•••• ${last4}`].filter((part) => part !== null).join(' ');

/** An instrument as it may be shown. */
export const instrumentText = ({ brand, masked }: InstrumentView): string =>
  [brand, masked].filter((part) => part !== null).join(' ');

export type PaymentsTableProps = {
  readonly name: string;
  readonly label: string;
  readonly rows: readonly PaymentView[] | undefined;
  readonly empty?: string;
  readonly problem?: Problem | null;
  readonly retry?: () => void;
  readonly more?: { readonly load: () => void; readonly isLoading: boolean } | null;
};

/** A short list of payments; each leads to its own page. */
export function PaymentsTable({ name, label, rows, empty, ...more }: PaymentsTableProps): ReactNode {
  const t = useTexts(storedTexts);
  const columns = paymentColumns(t, useTexts(paymentTexts));
  return (
    <DataTable
      name={name}
      label={label}
      rows={rows}
      columns={columns}
      keyOf={({ id }) => id}
      to={({ id }) => `/payments/${id}`}
      empty={<Empty title={empty ?? t.noPayments} />}
      {...more}
    />
  );
}
