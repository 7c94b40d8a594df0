import type { Payment } from '../../payments/payment.ts';
import type { ListedPayment } from '../../payments/search/listing.ts';
import { LIST_MEGABYTES_MAX, ListTooLong } from '../../payments/storeErrors.ts';
import { createItemTexts, ITEMS, isOfItem, itemsApart } from '../../spec/longJson.ts';
import { type Listed, listedColumns, readBriefly } from './listedRows.ts';
import { isSliced, readInPart } from './longFields.ts';
import { type PaymentRow, paymentFrom, paymentOf, readable } from './payments.ts';

/** Payments in lists. */

/** The columns of a payment in a list. */
export const listable = listedColumns(readable);

/** A row with these columns. */
export type ListedRow = Listed<PaymentRow>;

/** Reads the row of a long one. */
export type Whole = (merchantId: string, id: string) => PaymentRow | undefined | Promise<PaymentRow | undefined>;

/**
 * The payments of a list that is answered: long ones without the items of their carts, which follow one by one. Refuses a list that would
 * keep the processor for seconds.
 */
export function readListed(rows: readonly ListedRow[], whole: Whole): Payment[] | Promise<Payment[]> {
  const bytes = rows.reduce((sum, row) => sum + Number(row.bytes), 0);
  if (bytes > LIST_MEGABYTES_MAX * 1_048_576) throw new ListTooLong(bytes);
  return lookThrough(rows, whole);
}

/** A payment for a list that is answered; null: it is gone. */
export async function readForList(row: PaymentRow | undefined, withItems: boolean): Promise<ListedPayment | null> {
  if (row === undefined) return null;
  if (!isSliced(row.data)) {
    const payment = paymentOf(row);
    const { fields, items } = itemsApart(payment.fields, withItems);
    return { payment: { ...payment, fields, isBrief: true }, items };
  }
  const texts = createItemTexts();
  let hasItems = false;
  const data = await readInPart<Payment>(row.data, (name, json) => {
    if (!isOfItem(name)) return name;
    if (!withItems) return null;
    texts.add(name, json);
    const isFirst = !hasItems;
    hasItems = true;
    return isFirst ? ITEMS : null;
  });
  return { payment: { ...paymentFrom(row, data), isBrief: true }, items: texts.slices() };
}

/** The payments of a list that is only looked through: long ones without the items of their carts. `known`: read before, by their ids. */
export const lookThrough = (
  rows: readonly ListedRow[],
  whole: Whole,
  known?: ReadonlyMap<string, Payment>,
): Payment[] | Promise<Payment[]> =>
  readBriefly(rows, {
    of: paymentFrom,
    whole: ({ merchant_id, id }) => whole(merchant_id, id),
    known: ({ id }) => known?.get(id),
  });
