/** One payment in Adyen's book, in the smallest units of its currency. */
export type BookedPayment = {
  readonly pspReference: string;
  readonly reference: string;
  readonly currency: string;
  readonly isDebit: boolean;
  readonly method: string;
  state: 'authorised' | 'refused' | 'pending' | 'redirected' | 'cancelled';
  authorised: bigint;
  captured: bigint;
  refunded: bigint;
  times: number;
};

/** Adyen's units, written down anew: hundredths for one unit of the currency, as a fraction. */
const units: Readonly<Record<string, readonly [bigint, bigint]>> = {
  JPY: [100n, 1n],
  IDR: [100n, 1n],
  CVE: [100n, 1n],
  KWD: [1n, 10n],
  BHD: [1n, 10n],
};

export function hundredths(value: bigint, currency: string): bigint {
  const [times, by] = units[currency] ?? [1n, 1n];
  return (value * times) / by;
}

export function createBook() {
  const byPsp = new Map<string, BookedPayment>();
  const byReference = new Map<string, BookedPayment>();
  const byPayment = new Map<string, readonly BookedPayment[]>();
  const paymentOf = (reference: string): string => reference.split('.', 2).join('.');
  let count = 0;
  const nextPsp = (): string => {
    count += 1;
    return `PSP${String(count).padStart(13, '0')}`;
  };

  return {
    nextPsp,
    byPsp,
    byReference,
    add(payment: Omit<BookedPayment, 'captured' | 'refunded' | 'times' | 'pspReference'>): BookedPayment {
      const before = byReference.get(payment.reference);
      const isBooked = payment.state === 'authorised';
      const made: BookedPayment = {
        ...payment,
        pspReference: nextPsp(),
        captured: isBooked && payment.isDebit ? payment.authorised : 0n,
        refunded: 0n,
        times: (before?.times ?? 0) + (isBooked ? 1 : 0),
      };
      byPsp.set(made.pspReference, made);
      byReference.set(made.reference, made);
      const name = paymentOf(made.reference);
      byPayment.set(name, [...(byPayment.get(name) ?? []).filter(({ reference }) => reference !== made.reference), made]);
      return made;
    },
    /** The last booking under each reference of our payment, by `<merchant>.<payment>`. */
    named: (payment: string): readonly BookedPayment[] => byPayment.get(payment) ?? [],
    /** The shopper or the bank decides later. */
    decide(payment: BookedPayment, isApproved: boolean): void {
      payment.state = isApproved ? 'authorised' : 'refused';
      if (!isApproved) return;
      payment.times += 1;
      if (payment.isDebit) payment.captured = payment.authorised;
    },
  };
}

/** What a modification does to the book; a text says why Adyen does not carry it out. */
export const changes = {
  captures(payment: BookedPayment, value: bigint): string | null {
    if (payment.state !== 'authorised') return 'Transaction is not authorised';
    if (payment.captured + value > payment.authorised) return 'Insufficient balance on payment';
    payment.captured += value;
    return null;
  },
  refunds(payment: BookedPayment, value: bigint): string | null {
    if (payment.refunded + value > payment.captured) return "Transaction hasn't been captured, refund not possible";
    payment.refunded += value;
    return null;
  },
  cancels(payment: BookedPayment): string | null {
    if (payment.state !== 'authorised' || (payment.captured > 0n && payment.captured === payment.authorised))
      return 'Transaction is captured or not authorised';
    payment.state = 'cancelled';
    return null;
  },
  reversals(payment: BookedPayment): string | null {
    if (payment.state !== 'authorised') return 'Transaction is not authorised';
    if (payment.captured === 0n) payment.state = 'cancelled';
    payment.refunded = payment.captured;
    return null;
  },
  amountUpdates(payment: BookedPayment, value: bigint): string | null {
    if (payment.state !== 'authorised' || payment.captured > 0n) return 'Authorisation cannot be adjusted';
    payment.authorised = value;
    return null;
  },
};
