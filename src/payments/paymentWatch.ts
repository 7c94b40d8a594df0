import type { Payment } from './payment.ts';
import type { AcquirerAnswer } from './ports.ts';

/** Watches payments for traces, metrics and log lines. */
export interface PaymentWatch {
  /** The trace that a new payment belongs to; undefined: none. */
  traceparent(): string | undefined;
  /** Runs a question to the acquirer of a payment. The result is that of `ask`. */
  question<Answer extends { readonly is: string }>(
    about: { readonly payment: Payment; readonly question: Question },
    ask: () => Promise<Answer>,
  ): Promise<Answer>;
  /** A connector within the process has answered. */
  answered(payment: Payment, answer: AcquirerAnswer): void;
}

export type Question = 'send' | 'inquire' | 'cancel';
