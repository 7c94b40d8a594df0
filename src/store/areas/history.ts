import type { Payment } from '../../payments/payment.ts';
import type { HistoryQuery, PaymentHistory } from '../../payments/ports.ts';
import type { PaymentRow } from '../commit/cells.ts';
import type { ReadDatabase } from '../database.ts';
import { readHistory } from '../records/readPage.ts';
import { briefPayments, type ListedRow, listable, paymentOf, type Whole, wholePayment } from './payments.ts';

/**
 * Pages of past payments. Rows come as arrays: the objects of SQLite's driver have no shape that the engine could remember, and reading
 * them takes half as long again.
 */

/** Along the index payment_history. */
const history = (merchants: string): string => `
    SELECT ${listable} FROM payment
    WHERE (created_at, merchant_id, id) > (?1, ?2, ?3) AND created_at < ?4 ${merchants}
    ORDER BY created_at, merchant_id, id LIMIT ?5`;

export const historyStatements = {
  ofAll: history(''),
  // With `=`, SQLite would read and sort all payments of the merchant for every page.
  ofOne: history('AND merchant_id BETWEEN ?6 AND ?6'),
} as const;

export const historyMethods = (db: Pick<ReadDatabase, 'read' | 'walk'>): PaymentHistory => ({
  history: (query) =>
    readHistory(query, {
      rows: (page) =>
        db.walk<ListedCells, ListedCells>(
          query.merchantId === null ? historyStatements.ofAll : historyStatements.ofOne,
          historyCells(page),
          (cells) => cells,
        ),
      read: (rows) => readCells(rows, wholePayment(db)),
      dateOf: (cells) => ({ merchantId: cells[0], id: cells[1], createdAt: Number(cells[9]) }),
    }),
});

function historyCells({ after, before, merchantId, limit }: HistoryQuery): (string | number)[] {
  const from = after ? [after.createdAt, after.merchantId, after.id] : [Number.MIN_SAFE_INTEGER, '', ''];
  const cells = [...from, Math.min(before, Number.MAX_SAFE_INTEGER), limit];
  return merchantId === null ? cells : [...cells, merchantId];
}

/** The payments of such rows; long ones come without the items of their carts. */
export async function readCells(rows: readonly ListedCells[], whole: Whole): Promise<Payment[]> {
  // Without the detour over `ListedRow`: back-tests read millions.
  if (rows.every((cells) => cells[DATA] !== null)) return rows.map((cells) => paymentOf(rowOf(cells as unknown as PaymentCells)));
  return briefPayments(rows.map(listedOf), whole);
}

/** The columns of `listable`: data is null where it is long. */
export type ListedCells = readonly [...PaymentCells, bytes: number | string];
const [DATA, BYTES] = [15, 17] as const;
const listedOf = (cells: ListedCells): ListedRow => ({ ...rowOf(cells as unknown as PaymentCells), bytes: cells[BYTES] });

/** The columns of `readable` in their order. */
type PaymentCells = readonly [
  merchant_id: string,
  id: string,
  family_id: string,
  entity_id: string,
  referenced_id: string | null,
  payment_type: PaymentRow['payment_type'],
  industry_practice: string | null,
  amount: string,
  currency: string,
  created_at: string | number,
  merchant_transaction_id: string | null,
  short_id: string,
  fingerprint: string | null,
  version: string | number,
  revision: string | number,
  data: string,
  checkout_id: string | null,
];

const rowOf = (cells: PaymentCells): PaymentRow => ({
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
