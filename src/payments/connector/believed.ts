import type { PaymentEvent } from '../lifecycle.ts';
import type { Payment } from '../payment.ts';
import type { Uncertainty } from '../ports.ts';

const WAITING: PaymentEvent = { is: 'waiting' };

/**
 * What counts of an answer, by what its connector has declared. A request that was sent may arrive late or be found late: until its
 * declared lifetime is over, "not found" is no answer, and a cancellation that found nothing is none either. A cancellation that names
 * the acquirer's reference has found the payment, and counts at once.
 */
export function believed(event: PaymentEvent, payment: Payment, uncertainty: Uncertainty, now: number): PaymentEvent {
  if (event.is !== 'absent' && event.is !== 'cancelled') return event;
  const { lateMs, cancelBindsLate, absenceIsProof } = uncertainty;
  if (cancelBindsLate) return event;
  const isOver = now >= sentBy(payment) + lateMs;
  if (event.is === 'absent') return isOver ? event : WAITING;
  const isFound = event.reference !== undefined || payment.reference !== undefined;
  return isFound || (absenceIsProof && isOver) ? event : WAITING;
}

/** No byte of the request left later. A clock that was put back may have left an instant ahead of it; the wait is then longer. */
function sentBy({ phase, movedAt, createdAt }: Payment): number {
  if (phase.at === 'doubt' || phase.at === 'cancelling') return phase.since ?? createdAt;
  return movedAt;
}
