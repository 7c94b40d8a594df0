import { callsOfBatch } from '../../developer/callBatch.ts';
import type { StoredSettlement, Unreadable } from '../../ledger/ports.ts';
import type { Payment } from '../../payments/payment.ts';
import { bookedAmount } from '../../settlement/postings.ts';
import { resultCodes } from '../../spec/resultCodes.ts';
import { type SealedRow, sealedTables } from '../../vault/ports.ts';
import { blockColumns, line } from './ledger.ts';
import { listable } from './listedPayments.ts';
import { damageOf, type PageReading } from './readPage.ts';
import { type StoredSealed, sealedReads, sealedRowOf } from './registrations.ts';
import { keptFile, type RecordRow, recordList, recordOf } from './settlement.ts';

/** What is read to prove the books, all of it or of one merchant, each in one statement. */

const where = (isOne: boolean): string => (isOne ? 'WHERE merchant_id = ?1' : '');

export const auditReads = {
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
    WHERE r.status = 'MATCHED' AND ${keptFile} ${isOne ? 'AND r.merchant_id = ?1' : ''}`,
  // What is sealed: the rest is of the last second.
  countPostings: (isOne: boolean) => `SELECT COALESCE(SUM(count), 0) AS count FROM ledger_block ${where(isOne)}`,
  // Payments are counted by the day as they come.
  countPayments: (isOne: boolean) =>
    `SELECT COALESCE(SUM(count), 0) AS count FROM payment_count WHERE span = 86400000 ${isOne ? 'AND merchant_id = ?1' : ''}`,
} as const;

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

/** Throws when the content is JSON, and not that of a payment. */
function assertPayment({ phase, mode, movedAt, details, fields }: Payment): void {
  const isFinished = phase.at !== 'final' || Object.hasOwn(resultCodes, phase.code);
  const isWhole = typeof phase.at === 'string' && typeof mode === 'string' && Number.isFinite(movedAt);
  const objects: readonly unknown[] = [details, fields];
  if (isFinished && isWhole && objects.every((one) => typeof one === 'object' && one !== null)) return;
  throw new TypeError('not the content of a payment');
}

type Member = { readonly merchant_id: string; readonly id: string; readonly family_id: string };
export const memberName = ({ merchant_id, id, family_id }: Member) => ({ merchantId: merchant_id, id, familyId: family_id });

/** Reads payments, and checks that the books can be made of them. */
export const paymentReading = <Row>(
  read: (rows: readonly Row[]) => readonly Payment[] | Promise<readonly Payment[]>,
  nameOf: (row: Row) => Omit<Unreadable, 'says'>,
): PageReading<Row, Payment> => ({
  noun: 'payment',
  nameOf,
  read: async (rows) => {
    const payments = await read(rows);
    payments.forEach(assertPayment);
    return payments;
  },
});

export const settlementReading: PageReading<SettlementRow, StoredSettlement> = {
  noun: 'line of a settlement',
  nameOf: ({ merchant_id, id }) => ({ merchantId: merchant_id ?? '', id }),
  read: (rows) => rows.flatMap((row) => storedSettlement(row) ?? []),
};

type RecordTable = { readonly table: string; readonly noun: string; readonly merchant: string; readonly id: string } & {
  readonly content: string;
  /** There may be none. */
  readonly isOptional?: true;
};

/** The columns that hold JSON, other than those of payments and lines of settlements. Their ids and owners are columns. */
const recordTables: readonly RecordTable[] = [
  { table: 'entity', noun: 'entity', merchant: 'id', id: 'id', content: 'settings' },
  { table: 'registration', noun: 'registration', merchant: 'merchant_id', id: 'id', content: 'data' },
  { table: 'checkout', noun: 'checkout', merchant: 'merchant_id', id: 'id', content: 'data' },
  { table: 'schedule', noun: 'schedule', merchant: 'merchant_id', id: 'id', content: 'data' },
  { table: 'webhook', noun: 'webhook', merchant: 'entity_id', id: 'id', content: 'data' },
  { table: 'outbox', noun: 'event', merchant: 'merchant_id', id: 'id', content: 'detail', isOptional: true },
  { table: 'delivery', noun: 'delivery', merchant: 'merchant_id', id: 'id', content: 'detail', isOptional: true },
  { table: 'delivery', noun: 'delivery', merchant: 'merchant_id', id: 'id', content: 'tries' },
  { table: 'settlement_file', noun: 'settlement file', merchant: 'entity_id', id: 'id', content: 'data' },
  { table: 'scheduled_settlement', noun: 'scheduled settlement', merchant: 'merchant_id', id: 'payment_id', content: 'act' },
  { table: 'reconciliation_run', noun: 'reconciliation', merchant: 'merchant_id', id: 'day', content: 'data' },
  { table: 'document', noun: 'document', merchant: 'owner_id', id: "collection || '/' || id", content: 'body' },
];

type RecordRead = { readonly noun: string; readonly text: string };

const readOf = ({ table, noun, merchant, id, content }: RecordTable, conditions: readonly (string | false)[]): RecordRead => {
  const all = conditions.filter(Boolean);
  const where = all.length > 0 ? ` WHERE ${all.join(' AND ')}` : '';
  return { noun, text: `SELECT ${merchant} AS owner, ${id} AS id, ${content} AS content FROM ${table}${where}` };
};

const isThere = ({ content, isOptional }: RecordTable): string | false => isOptional === true && `${content} IS NOT NULL`;

/** For each column the statement that reads its records; calls are read as their bytes. */
export const recordReads = (isOne: boolean): readonly RecordRead[] =>
  [
    ...recordTables,
    { table: 'call_batch', noun: 'batch of API calls', merchant: 'merchant_id', id: 'id', content: 'data' } as const,
  ].map((its) => readOf(its, [isThere(its), isOne && `${its.merchant} = ?1`]));

/** For each column the statement that finds records without an object or a list in SQLite, which reads JSON itself. */
export const sqliteBrokenRecords: readonly RecordRead[] = [
  ...recordTables,
  { table: 'payment', noun: 'payment', merchant: 'merchant_id', id: 'id', content: 'data' } as const,
  { table: 'settlement_record', noun: 'line of a settlement', merchant: 'merchant_id', id: 'id', content: 'data' } as const,
].map((its) =>
  readOf(its, [
    isThere(its),
    `CASE WHEN json_valid(${its.content}) THEN json_type(${its.content}) NOT IN ('object', 'array') ELSE 1 END`,
  ]),
);

export type ContentRow = { readonly owner: string | null; readonly id: string; readonly content: string | Uint8Array };

/** Null: the record can be read. */
export function unreadableIn({ owner, id, content }: ContentRow, noun: string): Unreadable | null {
  try {
    const value: unknown = typeof content === 'string' ? JSON.parse(content) : callsOfBatch(content);
    if (typeof value === 'object' && value !== null) return null;
  } catch {}
  return { merchantId: owner ?? '', id, says: damageOf(noun) };
}

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

const SEALED = 500;

type Portion = (
  text: string,
  cells: [owner: string, record: string, limit: number],
) => Promise<readonly StoredSealed[]> | readonly StoredSealed[];

/** Sealed texts along the keys of their tables. A proof in a damaged payment is left out: the payment is named. */
export async function* sealedPages(merchantId: string | null, portion: Portion): AsyncGenerator<readonly SealedRow[]> {
  for (const table of sealedTables) {
    const read = sealedRowOf(table);
    for (let behind: readonly [string, string] | null = [merchantId ?? '', '']; behind !== null; ) {
      const rows: readonly StoredSealed[] = await portion(sealedReads[table], [...behind, SEALED]);
      const own = rows.filter(({ owner_id }) => merchantId === null || owner_id === merchantId);
      yield own.flatMap((row) => {
        try {
          const text = read(row);
          return table === 'proof' && text.sealed.length === 0 ? [] : [text];
        } catch {
          return [];
        }
      });
      const last = own.at(-1);
      const isEnd = rows.length < SEALED || own.length < rows.length;
      behind = last && !isEnd ? [last.owner_id, table === 'secret' ? last.field : last.record_id] : null;
    }
  }
}
