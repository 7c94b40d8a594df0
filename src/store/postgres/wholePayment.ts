import type { Whole } from '../tables/listedPayments.ts';
import type { PaymentRow } from '../tables/payments.ts';
import { reads } from '../tables/statements.ts';
import type { Pool } from './pool.ts';

/** Reads the row of a payment that is long in a list. */
export const wholePayment =
  (pool: Pick<Pool, 'read'>): Whole =>
  async (merchantId, id) =>
    (await pool.read<PaymentRow>(reads.payment, [merchantId, id]))[0];
