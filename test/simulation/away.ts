import type { Answer } from '../../src/payments/needs.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { operationOf } from './machine.ts';
import type { Sim } from './sim.ts';
import type { Operation } from './tally.ts';

/** Only what the shopper decides about elsewhere says where he goes afterwards. */
export const isAway = ({ fields }: Payment): boolean => fields.shopperResultUrl !== undefined;

/** Under which column of the tally a payment is counted. */
export const columnOf = (payment: Payment): Operation => (isAway(payment) ? 'away' : operationOf(payment));

const MINUTE_MS = 60_000;
const PATIENCE_MS = [MINUTE_MS, 3 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS] as const;

/** Until when the bank expects him, by its own clock. */
export const patienceOf = ({ chance, scheduler }: Sim): number => scheduler.now() + chance.pick(PATIENCE_MS);

/** Where he decides. */
export const redirectedUntil = ({ id }: Payment, until: number): Answer => ({
  is: 'redirected',
  redirect: { url: `https://bank.example/${id}`, method: 'GET', parameters: [{ name: 'ticket', value: id }] },
  until,
});
