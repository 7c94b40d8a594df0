import type { DatabaseSync } from 'node:sqlite';
import type { Payment } from '../../payments/payment.ts';
import type { HistoryQuery } from '../../payments/ports.ts';
import { type ListedRow, lookThrough, type Whole } from '../tables/listedPayments.ts';
import { historyCells, type PaymentRow, paymentOf } from '../tables/payments.ts';
import { readHistory } from '../tables/readPage.ts';
import { historyReads, reads } from '../tables/statements.ts';

/**
 * Pages of the past. Rows come as arrays: the driver's objects have no shape that the engine could remember, and reading them takes half
 * as long again.
 */
export function preparePages(db: DatabaseSync): (query: HistoryQuery) => Promise<readonly Payment[]> {
  const prepared = (text: string) => {
    const statement = db.prepare(text);
    statement.setReturnArrays(true);
    return (query: HistoryQuery) => statement.all(...historyCells(query)) as unknown as ListedCells[];
  };
  const [ofAll, ofOne] = [prepared(historyReads.ofAll), prepared(historyReads.ofOne)];
  const whole = wholeIn(db);
  return (query) =>
    readHistory(query, {
      rows: query.merchantId === null ? ofAll : ofOne,
      read: (rows) => lookThroughCells(rows, whole),
      dateOf: (cells) => ({ merchantId: cells[0], id: cells[1], createdAt: cells[9] }),
    });
}

/** The payments of such rows, long ones without the items of their carts. */
export function lookThroughCells(rows: readonly ListedCells[], whole: Whole): Payment[] | Promise<Payment[]> {
  // Without the step over objects: backtests read millions.
  if (rows.every((cells) => cells[DATA] !== null)) return rows.map((cells) => paymentOf(rowOf(cells as unknown as Cells)));
  return lookThrough(rows.map(listedOf), whole);
}

/** Reads the row of a payment that is long in a list. */
export function wholeIn(db: DatabaseSync): Whole {
  const payment = db.prepare(reads.payment);
  return (merchantId, id) => payment.get(merchantId, id) as PaymentRow | undefined;
}

/** A column more, and no data where it is long. */
export type ListedCells = readonly [...Cells, bytes: number];
const [DATA, BYTES] = [15, 17] as const;
const listedOf = (cells: ListedCells): ListedRow => ({ ...rowOf(cells as unknown as Cells), bytes: cells[BYTES] });

/** In the order of the columns in statements.ts. */
type Cells = readonly [
  merchant_id: string,
  id: string,
  family_id: string,
  entity_id: string,
  referenced_id: string | null,
  payment_type: PaymentRow['payment_type'],
  industry_practice: string | null,
  amount: string,
  currency: string,
  created_at: number,
  merchant_transaction_id: string | null,
  short_id: string,
  fingerprint: string | null,
  version: number,
  revision: number,
  data: string,
  checkout_id: string | null,
];

const rowOf = (cells: Cells): PaymentRow => ({
  merchant_id: cells[0],
  id: cells[1],
  family_id: cells[2],
  entity_id: cells[3],
  referenced_id: cells[4],
  payment_type: cells[5],
  industry_practice: cells[6],
  amount: cells[7],
  currency: cells[8],
  created_at: cells[9],
  merchant_transaction_id: cells[10],
  short_id: cells[11],
  fingerprint: cells[12],
  version: cells[13],
  revision: cells[14],
  data: cells[15],
  checkout_id: cells[16],
});
