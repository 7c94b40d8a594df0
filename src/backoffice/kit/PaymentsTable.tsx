import type { ReactNode } from 'react';
import { NO_CURRENCY } from '../../money/amount.ts';
import type { SeenInstrument, SeenPayment } from '../../spec/answers/stored.ts';
import type { Problem } from '../app/problem.ts';
import { storedTexts } from '../texts/stored.ts';
import { useTexts } from '../texts/texts.ts';
import { type Column, DataTable } from './DataTable.tsx';
import { Empty } from './Empty.tsx';
import { Money } from './Money.tsx';
import { ResultCode } from './ResultCode.tsx';
import { Status } from './Status.tsx';
import { Timestamp } from './Timestamp.tsx';

type Words = (typeof storedTexts)['en'];

const tones = { open: 'accent', approved: 'good', declined: 'bad' } as const;

/** The columns of short lists of payments. */
export const paymentColumns = <Row extends SeenPayment>(t: Words): readonly Column<Row>[] => [
  { id: 'created', header: t.created, isFixed: true, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { id: 'type', header: t.type, cell: ({ paymentType }) => <code>{paymentType}</code> },
  {
    id: 'amount',
    header: t.amount,
    isNumber: true,
    cell: ({ amount, currency }) => currency !== NO_CURRENCY && <Money amount={amount} currency={currency} />,
  },
  { id: 'state', header: t.state, cell: ({ state }) => <Status tone={tones[state]}>{t[state]}</Status> },
  { id: 'code', header: t.code, cell: ({ code }) => code && <ResultCode code={code} /> },
  { id: 'card', header: t.card, cell: ({ paymentBrand, last4 }) => shownCard(paymentBrand, last4) },
  { id: 'reference', header: t.reference, isHidden: true, cell: ({ merchantTransactionId }) => merchantTransactionId },
];

const shownCard = (brand: string | null, last4: string | null): string =>
  [brand, last4 && `•••• ${last4}`].filter((part) => part !== null).join(' ');

/** An instrument as it may be shown. */
export const instrumentText = ({ brand, masked }: SeenInstrument): string =>
  [brand, masked].filter((part) => part !== null).join(' ');

export type PaymentsTableProps = {
  readonly name: string;
  readonly label: string;
  readonly rows: readonly SeenPayment[] | undefined;
  readonly empty?: string;
  readonly problem?: Problem | null;
  readonly retry?: () => void;
  readonly more?: { readonly load: () => void; readonly isLoading: boolean } | null;
};

/** A short list of payments; each leads to its own page. */
export function PaymentsTable({ name, label, rows, empty, ...more }: PaymentsTableProps): ReactNode {
  const t = useTexts(storedTexts);
  const columns = paymentColumns(t);
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
