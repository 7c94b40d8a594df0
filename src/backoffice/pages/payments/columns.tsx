import type { FoundPayment } from '../../../spec/answers/payments.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { Id } from '../../kit/Id.tsx';
import { Money } from '../../kit/Money.tsx';
import { StatusWithReason } from '../../kit/PaymentStatus.tsx';
import { cardText } from '../../kit/PaymentsTable.tsx';
import { ResultCode } from '../../kit/ResultCode.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { type PaymentWords, wordFor } from '../../texts/payments.ts';

/** The columns of the list; the last ones are hidden until chosen. */
export const columnsIn = (t: PaymentWords): readonly Column<FoundPayment>[] => [
  { id: 'created', header: t.created, isFixed: true, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  {
    id: 'amount',
    header: t.amount,
    isNumber: true,
    isFixed: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    id: 'state',
    header: t.state,
    cell: ({ status, currency, code }) => <StatusWithReason status={status} currency={currency} code={code} />,
  },
  { id: 'type', header: t.type, cell: ({ paymentType }) => wordFor(t, paymentType) },
  { id: 'card', header: t.card, cell: ({ paymentBrand, last4 }) => cardText(paymentBrand, last4) },
  { id: 'reference', header: t.reference, isLong: true, cell: ({ merchantTransactionId }) => merchantTransactionId },
  { id: 'email', header: t.email, isHidden: true, cell: ({ email }) => email },
  { id: 'channel', header: t.channel, isHidden: true, cell: ({ channel }) => channel },
  { id: 'code', header: t.code, isHidden: true, cell: ({ code }) => <ResultCode code={code} /> },
  { id: 'shortId', header: t.shortId, isHidden: true, cell: ({ shortId }) => <Id id={shortId} /> },
  { id: 'id', header: t.id, isHidden: true, cell: ({ id }) => <Id id={id} isShort /> },
];
