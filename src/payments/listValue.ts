import { domainOf, emailOf } from '../risk/normalise.ts';
import type { ListKind } from '../risk/ports.ts';
import type { Payment } from './payment.ts';

const emailIn = ({ fields }: Payment): string | null => emailOf(fields['customer.email'] ?? '');

const readers: Readonly<Record<ListKind, (payment: Payment) => string | null>> = {
  card: ({ instrument, fingerprint }) => (instrument?.kind === 'card' ? fingerprint : null),
  bin: ({ instrument }) => (instrument?.kind === 'card' ? instrument.bin : null),
  email: emailIn,
  emailDomain: (payment) => {
    const email = emailIn(payment);
    return email && domainOf(email);
  },
  ip: ({ fields }) => fields['customer.ip'] ?? null,
  // Card, line and addresses may each have another one.
  country: () => null,
  customer: ({ fields }) => fields['customer.merchantCustomerId'] ?? null,
};

/** The value of a payment that a list of this kind holds; null: none. */
export const listValueOf = (payment: Payment, kind: ListKind): string | null => readers[kind](payment);
