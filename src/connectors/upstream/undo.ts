import { amountText } from '../../money/amount.ts';
import { acquirerKey, type Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer } from '../../payments/ports.ts';
import type { PaymentType, TransactionType } from '../../spec/paymentTypes.ts';
import type { AccountNeeds } from '../ports.ts';
import { type Api, textAt } from './client.ts';
import { meaningOf, NOTHING_BOOKED } from './codes.ts';
import type { Search } from './search.ts';

/** How a booking is taken back: a reversal, and a refund where the platform's day is over. A refund and a reversal cannot be taken back. */
const UNDO: Readonly<Partial<Record<TransactionType, readonly PaymentType[]>>> = {
  PA: ['RV'],
  DB: ['RV', 'RF'],
  CD: ['RV', 'RF'],
  CP: ['RV', 'RF'],
};

/** The reference of what takes a payment back. Webhooks about it are not about the payment. */
const undoReference = (payment: Payment): string => `${acquirerKey(payment)}-undo`;

export type UndoNeeds = Pick<AccountNeeds, 'alarm'> & {
  readonly api: Api;
  readonly search: Search;
  readonly withinMs: number;
  /** The fields that every request about the payment has. */
  fieldsFor(payment: Payment): Readonly<Record<string, string>>;
};

const WAITING: AcquirerAnswer = { is: 'waiting' };

/**
 * Takes back what the platform has booked under this id. The answer is `cancelled` only when the platform has confirmed it; a request whose
 * answer was lost is found by its reference the next time, and not sent again.
 */
export function createUndo({ api, search, withinMs, alarm, fieldsFor }: UndoNeeds) {
  return async (payment: Payment, reference: string): Promise<AcquirerAnswer> => {
    const cancelled: AcquirerAnswer = { is: 'cancelled', reference };
    if (payment.paymentType === 'RG') return (await deregister(reference)) ? cancelled : WAITING;
    const steps = UNDO[payment.paymentType] ?? [];
    const earlier = (await search.named(undoReference(payment))).map((json) => ({
      type: textAt(json, 'paymentType'),
      meaning: meaningOf(textAt(json, 'result', 'code') ?? ''),
    }));
    if (earlier.some(({ meaning }) => meaning === 'approved' || meaning === 'review')) return cancelled;
    if (earlier.some(({ meaning }) => meaning === 'pending' || meaning === 'uncertain')) return WAITING;
    for (const step of steps) {
      if (earlier.some(({ type }) => type === step)) continue;
      switch (await take(payment, reference, step)) {
        case 'done':
          return cancelled;
        case 'open':
          return WAITING;
        case 'refused':
      }
    }
    alarm('a payment that the platform booked too late cannot be taken back', { paymentId: payment.id, reference });
    return WAITING;
  };

  async function take(payment: Payment, reference: string, step: PaymentType): Promise<'done' | 'open' | 'refused'> {
    const { amount, currency } = payment;
    const fields = {
      ...fieldsFor(payment),
      paymentType: step,
      ...(step === 'RF' && { amount: amountText(amount), currency }),
      merchantTransactionId: undoReference(payment),
    };
    const idempotencyKey = `${undoReference(payment)}-${step}`;
    const reply = await api(
      { step: 'undo', method: 'POST', path: `/v1/payments/${reference}`, fields, idempotencyKey },
      withinMs,
    );
    if (reply.is !== 'answered') throw new Error(`the platform did not answer: ${reply.reason}`);
    const meaning = meaningOf(reply.code);
    if (meaning === 'approved' || meaning === 'review' || NOTHING_BOOKED.has(reply.code)) return 'done';
    return meaning === 'declined' ? 'refused' : 'open';
  }

  async function deregister(reference: string): Promise<boolean> {
    const reply = await api({ step: 'undo', method: 'DELETE', path: `/v1/registrations/${reference}`, fields: {} }, withinMs);
    if (reply.is !== 'answered') throw new Error(`the platform did not answer: ${reply.reason}`);
    return meaningOf(reply.code) === 'approved';
  }
}
