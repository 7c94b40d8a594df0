import type { ReactNode } from 'react';
import type { PaymentStatus as StatusOfPayment } from '../../spec/answers/payments.ts';
import { paymentStatusTexts } from '../texts/paymentStatus.ts';
import { useTexts } from '../texts/texts.ts';
import { useMoneyText } from './Money.tsx';
import { ResultReason } from './ResultCode.tsx';
import { Status, type Tone } from './Status.tsx';

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
