import type { ReactNode } from 'react';
import type { FoundPayment } from '../../../spec/answers/payments.ts';
import type { Column } from '../../kit/DataTable.tsx';
import { Id } from '../../kit/Id.tsx';
import { Money } from '../../kit/Money.tsx';
import { PageLink } from '../../kit/PageLink.tsx';
import { ResultCode } from '../../kit/ResultCode.tsx';
import { Status } from '../../kit/Status.tsx';
import { Timestamp } from '../../kit/Timestamp.tsx';
import { type PaymentWords, wordFor } from '../../texts/payments.ts';

export const stateTones = { open: 'warn', approved: 'good', declined: 'bad' } as const;

export function State({ state, t }: { readonly state: FoundPayment['state']; readonly t: PaymentWords }): ReactNode {
  return <Status tone={stateTones[state]}>{t[state]}</Status>;
}

/** The columns of the list; the last ones are hidden until chosen. */
export const columnsIn = (t: PaymentWords): readonly Column<FoundPayment>[] => [
  {
    id: 'created',
    header: t.created,
    isFixed: true,
    cell: ({ createdAt, id }) => (
      <PageLink to={`/payments/${id}`}>
        <Timestamp at={createdAt} />
      </PageLink>
    ),
  },
  {
    id: 'amount',
    header: t.amount,
    isNumber: true,
    isFixed: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  { id: 'state', header: t.state, cell: ({ state }) => <State state={state} t={t} /> },
  { id: 'type', header: t.type, cell: ({ paymentType }) => wordFor(t, paymentType) },
  { id: 'code', header: t.code, cell: ({ code }) => <ResultCode code={code} /> },
  { id: 'brand', header: t.brand, cell: ({ paymentBrand }) => paymentBrand },
  { id: 'last4', header: t.last4, cell: ({ last4 }) => last4 && <span className="id">{last4}</span> },
  { id: 'reference', header: t.reference, cell: ({ merchantTransactionId }) => merchantTransactionId },
  { id: 'email', header: t.email, isHidden: true, cell: ({ email }) => email },
  { id: 'channel', header: t.channel, isHidden: true, cell: ({ channel }) => channel },
  { id: 'shortId', header: t.shortId, isHidden: true, cell: ({ shortId }) => <Id id={shortId} /> },
  { id: 'id', header: t.id, cell: ({ id }) => <Id id={id} isShort /> },
];
