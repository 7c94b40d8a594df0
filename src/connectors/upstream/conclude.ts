import type { Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer } from '../../payments/ports.ts';
import type { AccountNeeds } from '../ports.ts';
import type { Mirror } from './mirror.ts';
import type { Found } from './search.ts';

/** Rejects when what was read proves nothing about the payment. */
export type Conclude = (found: Found, payment: Payment) => Promise<AcquirerAnswer>;

export const silence = (why: string): Error => new Error(`the platform did not answer: ${why}`);

/** The answer to the core, from what was read of the platform. */
export const createConclude =
  ({ alarm, mirror }: Pick<AccountNeeds, 'alarm'> & { readonly mirror: Mirror | null }): Conclude =>
  async ({ reading, json }, payment) => {
    switch (reading.is) {
      case 'answer':
        // Before the payment is called approved: from then on its registration is charged.
        if (reading.answer.is === 'approved') await mirror?.keep(payment, json);
        return reading.answer;
      case 'misconfigured':
        alarm('the platform refuses the account', { code: reading.code, paymentId: payment.id });
        return reading.answer;
      case 'uncertain':
        // The platform has the payment, and will know more later.
        if (reading.reference !== null) return { is: 'waiting', reference: reading.reference };
        throw silence('it does not know the outcome');
      case 'foreign':
        alarm('an answer of the platform does not fit the payment', { paymentId: payment.id, why: reading.why });
        throw silence('the answer does not fit');
      case 'notFound':
        return { is: 'declined', code: '700.400.580', details: {} };
      case 'throttled':
        throw silence('too many requests');
    }
  };
