import { isApproved } from '../payments/balance.ts';
import { isOpen, type Payment } from '../payments/payment.ts';
import type { WidgetResult } from '../spec/widget.ts';

/** Which of several attempts stands for the checkout: the one that succeeded, else the one under way, else the last that did not. */
export function decisiveAttempt(newestFirst: readonly Payment[]): Payment | null {
  return newestFirst.find(isApproved) ?? newestFirst.find(isOpen) ?? newestFirst[0] ?? null;
}

/** The shopper himself has ended it. */
const CANCELLED = /^100\.396\.10[14]$/;

/** How an attempt ended, in the words of the widget. */
export function outcomeOf(payment: Payment): WidgetResult['outcome'] {
  const { phase } = payment;
  if (phase.at !== 'final') return 'pending';
  if (isApproved(payment)) return 'success';
  return CANCELLED.test(phase.code) ? 'cancelled' : 'declined';
}
