import type { Payment } from '../../payments/payment.ts';
import { LIST_MEGABYTES_MAX, ListTooLong } from '../../payments/storeErrors.ts';
import { type PaymentRow, readable, readPayment, readPayments } from './payments.ts';

/** Payments in lists. A cart can make a payment megabytes long, and a list has hundreds of them: the lengths are read first. */

/** A longer payment is read apart from the others of its list. */
const LISTED_BYTES_MAX = 65_536;

const shortData = `CASE WHEN octet_length(data) <= ${LISTED_BYTES_MAX} THEN data END AS data`;

/** The columns of a payment in a list. The length is read without the data. */
export const listable = `${readable.replace(/\bdata\b/, shortData)}, octet_length(data) AS bytes`;

/** A row with these columns. */
export type ListedRow = Omit<PaymentRow, 'data'> & { readonly data: string | null; readonly bytes: string | number };

/** The payments of a list. `whole` reads the row of a long one. */
export async function readListed(
  rows: readonly ListedRow[],
  whole: (merchantId: string, id: string) => Promise<PaymentRow | undefined>,
): Promise<Payment[]> {
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
