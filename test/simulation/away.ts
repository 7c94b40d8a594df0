import type { Payment } from '../../src/payments/payment.ts';
import type { AcquirerAnswer } from '../../src/payments/ports.ts';
import { operationOf } from './machine.ts';
import type { Sim } from './sim.ts';
import type { Operation } from './tally.ts';

/** The shopper decides about it elsewhere: only then it is said where he goes afterwards. What is stored is charged without him. */
export const isAway = ({ fields, method }: Payment): boolean => fields.shopperResultUrl !== undefined && method === 'OT';

/** Under which column of the tally a payment is counted. */
const OF_PLANS: readonly string[] = ['SD', 'RS', 'DS'];

export const columnOf = (payment: Payment): Operation =>
  payment.scheduleId !== undefined || OF_PLANS.includes(payment.paymentType)
    ? 'schedule'
    : isAway(payment)
      ? 'away'
      : payment.threeDS
        ? 'secure'
        : operationOf(payment);

const MINUTE_MS = 60_000;
const PATIENCE_MS = [MINUTE_MS, 3 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS] as const;

/** Until when the bank expects him, by its own clock. */
export const patienceOf = ({ chance, scheduler }: Sim): number => scheduler.now() + chance.pick(PATIENCE_MS);

/** Where he decides. */
export const redirectedUntil = ({ id }: Payment, until: number): AcquirerAnswer => ({
  is: 'redirected',
  redirect: { url: `https://bank.example/${id}`, method: 'GET', parameters: [{ name: 'ticket', value: id }] },
  until,
});
