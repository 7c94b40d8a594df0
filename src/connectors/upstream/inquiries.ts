import type { Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer, Connector } from '../../payments/ports.ts';
import { HOUR_MS } from '../../spec/time.ts';
import type { AccountNeeds } from '../ports.ts';
import { idIn } from './answers.ts';
import type { Conclude } from './conclude.ts';
import type { Search } from './search.ts';

/** A platform that does not know the outcome of its own payment for so long is asked to reverse it. */
const UNCERTAIN_MS_MAX = HOUR_MS;

type InquiryNeeds = Pick<AccountNeeds, 'clockOf'> & {
  readonly search: Search;
  readonly conclude: Conclude;
  readonly undo: (payment: Payment, reference: string) => Promise<AcquirerAnswer>;
};

/** The questions about a payment whose outcome is not known. */
export function createInquiries({ clockOf, search, conclude, undo }: InquiryNeeds): Pick<Connector, 'inquire' | 'cancel'> {
  const nowFor = ({ merchantId }: Payment): number => clockOf(merchantId).now();

  /** The platform will not learn it by itself any more. A reversal makes it certain. */
  function isLongUncertain(payment: Payment): boolean {
    const { phase, createdAt } = payment;
    const since = phase.at === 'doubt' || phase.at === 'cancelling' ? (phase.since ?? createdAt) : createdAt;
    return nowFor(payment) >= since + UNCERTAIN_MS_MAX;
  }

  return {
    async inquire({ payment }) {
      const found = await search.payment(payment, nowFor(payment));
      if (found === null || (found.reading.is === 'uncertain' && isLongUncertain(payment))) return { is: 'absent' };
      return conclude(found, payment);
    },
    /** A payment cannot be cancelled before it arrives: what is not found is believed only when it cannot arrive any more. */
    async cancel({ payment }) {
      const found = await search.payment(payment, nowFor(payment));
      if (found === null) return { is: 'cancelled' };
      const { reading, json } = found;
      const isBooked = reading.is === 'answer' && reading.answer.is === 'approved';
      const isStuck = reading.is === 'uncertain' && isLongUncertain(payment);
      const reference = idIn(json);
      return (isBooked || isStuck) && reference !== null ? undo(payment, reference) : conclude(found, payment);
    },
  };
}
