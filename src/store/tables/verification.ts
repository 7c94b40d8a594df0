import type { StoredSettlement } from '../../ledger/ports.ts';
import { bookedAmount } from '../../settlement/postings.ts';
import { isPresent } from './absent.ts';
import { blockColumns, line } from './ledger.ts';
import { listable } from './listedPayments.ts';
import { keptFile, type RecordRow, recordList, recordOf } from './settlement.ts';

/** What is read to prove the books, all of it or of one merchant, each in one statement. */

/** The conditions on a merchant: that it is the one, and that its rows are no copy. */
const conditions = (isOne: boolean, presence: string, merchantId: string): string[] => [
  ...(isOne ? [`${merchantId} = ?1`] : []),
  ...(presence === '' ? [] : [`${merchantId} ${presence}`]),
];

/** `presence`: what a merchant's id has to fulfil beside; empty in SQLite, which has no cells. */
function readsOf(presence: string) {
  const where = (isOne: boolean): string => {
    const all = conditions(isOne, presence, 'merchant_id');
    return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
  };
  const and = (isOne: boolean, merchantId: string): string =>
    conditions(isOne, presence, merchantId)
      .map((one) => `AND ${one}`)
      .join(' ');
  return {
    // In SQLite by their numbers; the blocks say which numbers they hold.
    postings: (isOne: boolean) => `SELECT merchant_id, n, ${line} AS line FROM posting ${where(isOne)} ORDER BY merchant_id, n`,
    blockRanges: (isOne: boolean) =>
      `SELECT merchant_id, number, from_n, to_n FROM ledger_block ${where(isOne)} ORDER BY merchant_id, number`,
    // In PostgreSQL by their blocks.
    postingsInBlocks: (isOne: boolean) =>
      `SELECT merchant_id, block, ${line} AS line FROM posting ${where(isOne)} ORDER BY merchant_id, block, subject_id, revision`,
    blocks: (isOne: boolean) => `SELECT ${blockColumns} FROM ledger_block ${where(isOne)} ORDER BY merchant_id, number`,
    // In any order: the quickest.
    payments: (isOne: boolean) => `SELECT ${listable} FROM payment ${where(isOne)}`,
    // Whatever the columns say that the postings were made of: the line is read again.
    settlements: (isOne: boolean) => `
      SELECT ${recordList}, p.mode FROM settlement_record r
      LEFT JOIN payment p ON p.merchant_id = r.merchant_id AND p.id = r.payment_id
      WHERE r.status = 'MATCHED' AND ${keptFile} ${and(isOne, 'r.merchant_id')}`,
    // What is sealed: the rest is of the last second.
    countPostings: (isOne: boolean) => `SELECT COALESCE(SUM(count), 0) AS count FROM ledger_block ${where(isOne)}`,
    // Payments are counted by the day as they come.
    countPayments: (isOne: boolean) =>
      `SELECT COALESCE(SUM(count), 0) AS count FROM payment_count WHERE span = 86400000 ${and(isOne, 'merchant_id')}`,
  } as const;
}

export const auditReads = readsOf('');
export const postgresAuditReads = readsOf(isPresent('').trim());

/** The members of families that a list of names gives, and the database's sums of them. `names`: two columns, owner and root. */
export const familyReads = (names: string) =>
  ({
    members: `
      SELECT ${listable} FROM ${names} CROSS JOIN payment WHERE merchant_id = owner AND id = root
      UNION ALL
      SELECT ${listable} FROM ${names} CROSS JOIN payment
      WHERE merchant_id = owner AND family_id = root AND referenced_id IS NOT NULL AND id <> family_id`,
    sums: `
      SELECT merchant_id, payment_id, CAST(available AS TEXT) AS available, CAST(captured AS TEXT) AS captured,
        CAST(refunded AS TEXT) AS refunded, CAST(reversed AS TEXT) AS reversed, CAST(charged_back AS TEXT) AS charged_back
      FROM ${names} CROSS JOIN balance WHERE merchant_id = owner AND payment_id = root`,
  }) as const;

export type SumsRow = {
  readonly merchant_id: string;
  readonly payment_id: string;
  readonly available: string;
  readonly captured: string;
  readonly refunded: string;
  readonly reversed: string;
  readonly charged_back: string;
};

export const storedSums = (row: SumsRow) => ({
  merchantId: row.merchant_id,
  paymentId: row.payment_id,
  available: BigInt(row.available),
  captured: BigInt(row.captured),
  refunded: BigInt(row.refunded),
  reversed: BigInt(row.reversed),
  chargedBack: BigInt(row.charged_back),
});

export type SettlementRow = RecordRow & { readonly mode: StoredSettlement['mode'] };

/** What a line must have done to the books; null: nothing. */
export function storedSettlement(row: SettlementRow): StoredSettlement | null {
  const booked = bookedAmount(recordOf(row));
  return booked && { ...booked, merchantId: row.merchant_id ?? '', recordId: row.id, mode: row.mode };
}
