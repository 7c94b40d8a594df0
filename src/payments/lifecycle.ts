import type { Mode } from '../registrations/registration.ts';
import type { FinalCode } from '../spec/resultCodes.ts';
import type { Answer } from './needs.ts';
import type { AnswerDetails, Payment, Phase } from './payment.ts';

/** What can happen to an open payment. Silence is an answer of its own: nobody may take it for a no. */
export type PaymentEvent = Answer | { readonly is: 'silence' };

type Move = { readonly phase: Phase; readonly details?: AnswerDetails };
type Arrow = (payment: Payment, event: PaymentEvent, now: number) => Move;
type Arrows = Readonly<Partial<Record<PaymentEvent['is'], Arrow>>>;

/** What success is called: existing clients know these codes and no others. */
export const SUCCESS: Readonly<Record<Mode, FinalCode>> = {
  INTERNAL: '000.100.110',
  EXTERNAL: '000.100.112',
  LIVE: '000.000.000',
};

const WAIT_MS_FIRST = 1_000;
const WAIT_MS_MAX = 300_000;

/** How long to wait before the next question: doubling from one second to five minutes, spread by the payment's own random digits. */
export function waitMs(paymentId: string, tries: number): number {
  const wait = Math.min(WAIT_MS_FIRST * 2 ** Math.min(tries, 20), WAIT_MS_MAX);
  const spread = Number.parseInt(paymentId.slice(-4), 16) / 0x10000;
  return Math.round(wait * (0.75 + spread / 2));
}

const final = (code: FinalCode, details?: AnswerDetails): Move => ({ phase: { at: 'final', code }, ...(details && { details }) });

const approved: Arrow = (payment, event) =>
  event.is === 'approved' ? final(event.code ?? SUCCESS[payment.mode], event.details) : stay(payment);
const declined: Arrow = (payment, event) => (event.is === 'declined' ? final(event.code, event.details) : stay(payment));
/** Told nothing and confirmed that nothing will be booked: only now may the payment be called failed. */
const cancelled: Arrow = () => final('900.100.301');
const stay = (payment: Payment): Move => ({ phase: payment.phase });
const doubt: Arrow = (payment, _event, now) => ({ phase: { at: 'doubt', tries: 0, dueAt: now + waitMs(payment.id, 0) } });
const again: Arrow = (payment, _event, now) => {
  const { phase } = payment;
  if (phase.at !== 'doubt' && phase.at !== 'cancelling') return stay(payment);
  const tries = phase.tries + 1;
  return { phase: { at: phase.at, tries, dueAt: now + waitMs(payment.id, tries) } };
};
const cancelling: Arrow = (_payment, _event, now) => ({ phase: { at: 'cancelling', tries: 0, dueAt: now } });

/** The life of a payment, whole: what is not in this table cannot happen. ARCHITECTURE.md prints it. */
export const table: Readonly<Record<Phase['at'], Arrows>> = {
  acquirer: { approved, declined, waiting: doubt, silence: doubt },
  doubt: { approved, declined, cancelled, absent: cancelling, waiting: again, silence: again },
  // Written down before the acquirer is told, so a late approval finds the door closed and is undone, never believed.
  cancelling: { declined, cancelled, approved: again, absent: again, waiting: again, silence: again },
  final: {},
};

/** The payment after the event: the same object when the event means nothing to it, otherwise one revision on. */
export function next(payment: Payment, event: PaymentEvent, now: number): Payment {
  const arrow = table[payment.phase.at][event.is];
  if (!arrow) return payment;
  const { phase, details } = arrow(payment, event, now);
  if (phase === payment.phase) return payment;
  return { ...payment, phase, details: details ?? payment.details, movedAt: now, revision: payment.revision + 1 };
}
