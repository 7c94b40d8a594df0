import type { Payment } from '../../payments/payment.ts';
import { LIST_MEGABYTES_MAX, ListTooLong } from '../../payments/storeErrors.ts';
import { type Listed, listedColumns, readBriefly } from './listedRows.ts';
import { type PaymentRow, paymentFrom, readable, readPayment, readPayments } from './payments.ts';

/** Payments in lists. */

/** The columns of a payment in a list. */
export const listable = listedColumns(readable);

/** A row with these columns. */
export type ListedRow = Listed<PaymentRow>;

/** Reads the row of a long one. */
export type Whole = (merchantId: string, id: string) => PaymentRow | undefined | Promise<PaymentRow | undefined>;

/** The payments of a list that is answered. Refuses one that would fill the memory. */
export async function readListed(rows: readonly ListedRow[], whole: Whole): Promise<Payment[]> {
  const bytes = rows.reduce((sum, row) => sum + Number(row.bytes), 0);
  if (bytes > LIST_MEGABYTES_MAX * 1_048_576) throw new ListTooLong(bytes);
  if (rows.every(({ data }) => data !== null)) return readPayments(rows as readonly PaymentRow[]);
  const payments: Payment[] = [];
  for (const { data, ...row } of rows) {
    const found = data === null ? await whole(row.merchant_id, row.id) : { ...row, data };
    if (found) payments.push(await readPayment(found));
  }
  return payments;
}

/** The payments of a list that is only looked through: long ones without the items of their carts. */
export const lookThrough = (rows: readonly ListedRow[], whole: Whole): Payment[] | Promise<Payment[]> =>
  readBriefly(rows, { of: paymentFrom, whole: ({ merchant_id, id }) => whole(merchant_id, id) });
