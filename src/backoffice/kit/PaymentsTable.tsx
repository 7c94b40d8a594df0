import type { ReactNode } from 'react';
import { NO_CURRENCY } from '../../money/amount.ts';
import type { PaymentStatus as StatusOfPayment } from '../../spec/answers/payments.ts';
import type { InstrumentView, PaymentView } from '../../spec/answers/stored.ts';
import type { Problem } from '../app/api.ts';
import { paymentStatusTexts, storedTexts } from '../texts/paymentStatus.ts';
import { type PaymentWords, paymentTexts, wordFor } from '../texts/payments.ts';
import { useTexts } from '../texts/texts.ts';
import { type Column, DataTable } from './DataTable.tsx';
import { Empty } from './Empty.tsx';
import { Money, useMoneyText } from './Money.tsx';
import { ResultReason, Status, type Tone } from './Status.tsx';
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
  { id: 'card', header: t.method, cell: ({ paymentBrand, last4 }) => cardText(paymentBrand, last4) },
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

type PaymentsTableProps = {
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

const tones: Readonly<Record<StatusOfPayment['kind'], Tone>> = {
  pending: 'warn',
  declined: 'bad',
  approved: 'good',
  authorised: 'accent',
  captured: 'good',
  reversed: 'quiet',
  expired: 'quiet',
  refunded: 'quiet',
  recorded: 'quiet',
  partiallyCaptured: 'accent',
  partiallyRefunded: 'accent',
  disputed: 'bad',
  returned: 'warn',
};

/** The status of a payment and its money: `Partially refunded · €82.00 left`. */
export function PaymentStatus({ status, currency }: { readonly status: StatusOfPayment; readonly currency: string }): ReactNode {
  const t = useTexts(paymentStatusTexts);
  const money = useMoneyText();
  const words = () => {
    switch (status.kind) {
      case 'partiallyCaptured':
        return t.partiallyCaptured(money(status.captured, currency), money(status.total, currency));
      case 'partiallyRefunded':
        return status.uncaptured === undefined
          ? t.partiallyRefunded(money(status.left, currency))
          : t.refundedUncaptured(money(status.left, currency), money(status.uncaptured, currency));
      case 'disputed':
        return status.amount === null ? t.disputed : t.partiallyDisputed(money(status.amount, currency));
      case 'returned':
        return status.amount === null ? t.returned : t.partiallyReturned(money(status.amount, currency));
      default:
        return t[status.kind];
    }
  };
  return <Status tone={tones[status.kind]}>{words()}</Status>;
}

/** The status and, below it, its reason: the cell of a list. */
export function StatusWithReason({
  status,
  currency,
  code,
}: {
  readonly status: StatusOfPayment;
  readonly currency: string;
  readonly code: string | null;
}): ReactNode {
  return (
    <span className="status-lines">
      <PaymentStatus status={status} currency={currency} />
      {code !== null && <ResultReason code={code} />}
    </span>
  );
}
