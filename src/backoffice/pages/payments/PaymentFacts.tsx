import type { ReactNode } from 'react';
import type { PaymentDetail } from '../../../spec/answers/payments.ts';
import { type Fact, Facts } from '../../kit/Facts.tsx';
import { Id } from '../../kit/Id.tsx';
import { When } from '../../kit/When.tsx';
import { paymentTexts, wordFor } from '../../texts/payments.ts';
import { useTexts } from '../../texts/texts.ts';

/** What is known of a payment beside what happened to it. */
export function PaymentFacts({ payment }: { readonly payment: PaymentDetail['payment'] }): ReactNode {
  const t = useTexts(paymentTexts);
  const linked = (id: string | null, to: string) => id && <Id id={id} to={`${to}/${id}`} isShort />;
  const card = payment.last4 && `${payment.bin ?? ''} •••• ${payment.last4}`.trim();
  const facts: readonly Fact[] = [
    [t.id, <Id key="id" id={payment.id} />],
    [t.shortId, <Id key="shortId" id={payment.shortId} />],
    [t.reference, payment.merchantTransactionId],
    [t.type, wordFor(t, payment.paymentType)],
    [t.created, <When key="created" at={payment.createdAt} isExact />],
    [t.changed, <When key="changed" at={payment.changedAt} isExact />],
    [t.brand, payment.paymentBrand],
    [t.card, card],
    [t.holder, payment.holder],
    [t.expiry, payment.expiry],
    [t.email, payment.email],
    [t.merchant, payment.merchant],
    [t.channel, payment.channel],
    [t.descriptor, payment.descriptor],
    [t.connector, payment.connector],
    [t.mode, payment.mode],
    [t.source, payment.source],
    [t.registration, linked(payment.registrationId, '/registrations')],
    [t.checkout, linked(payment.checkoutId, '/checkouts')],
    [t.schedule, linked(payment.scheduleId, '/schedules')],
  ];
  return <Facts facts={facts} />;
}
