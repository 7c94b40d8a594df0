import { allowSkew } from '../../merchants/merchantFilter.ts';
import type { Family, Payment } from '../../payments/payment.ts';
import {
  type DueRelease,
  type HistoryQuery,
  NEVER_AGAIN,
  type PaymentHistory,
  type PaymentStore,
  type ReleaseMark,
  type ReleaseStore,
} from '../../payments/ports.ts';
import type { ListedPayment } from '../../payments/search/listing.ts';
import { BrokenCommit, LIST_MEGABYTES_MAX, ListTooLong } from '../../payments/storeErrors.ts';
import { createItemTexts, ITEMS, isOfItem, itemsApart } from '../../runtime/json.ts';
import type { PaymentRow } from '../commit/cells.ts';
import { readColumns } from '../commit/columns.ts';
import {
  type BulkStatement,
  type Cell,
  type Database,
  deleteInBatches,
  dueStatements,
  each,
  first,
  type ReadDatabase,
  readDue,
} from '../database.ts';
import { type Listed, listedColumns, readBriefly, readData } from '../records/listedRows.ts';
import { isSliced, readInPart } from '../records/longRecords.ts';
import { readHistory } from '../records/readPage.ts';

/** Payments and families. `commit/` has the write of a payment; claims of sweepers are the drivers'. */

/** The columns of a payment as they are read. */
export const readable = readColumns.map((name) => (name === 'amount' ? 'CAST(amount AS TEXT) AS amount' : name)).join(', ');

/** The columns of a payment in a list. */
export const listable = listedColumns(readable);
export type ListedRow = Listed<PaymentRow>;

/** The rows of the indexes payment_release and payment_release_of_merchant. An authorisation without an instant is due. */
export const releasable = "payment_type = 'PA' AND state = 'approved' AND COALESCE(release_at, 0) >= 0";
export const releaseAt = 'COALESCE(release_at, 0)';

/** Few payments are open at any time, so that the open ones of one merchant need no index of their own. */
const due = (merchants: string): string => `
    SELECT ${listable} FROM payment WHERE state = 'open' AND due_at <= ?1 AND ${merchants} ORDER BY due_at, id LIMIT ?2`;

export const paymentStatements = {
  payment: `SELECT ${readable} FROM payment WHERE merchant_id = ?1 AND id = ?2`,
  // One statement, because version and members must come from one view of the database.
  family: `
    SELECT ${readable} FROM payment
    WHERE merchant_id = ?1 AND id = (SELECT family_id FROM payment WHERE merchant_id = ?1 AND id = ?2)
    UNION ALL
    SELECT ${readable} FROM payment
    WHERE merchant_id = ?1 AND family_id = (SELECT family_id FROM payment WHERE merchant_id = ?1 AND id = ?2)
      AND referenced_id IS NOT NULL AND id <> family_id`,
  familyVersion: 'SELECT version FROM payment WHERE merchant_id = ?1 AND id = ?2 AND family_id = id',
  sealed: 'SELECT sealed FROM payment WHERE merchant_id = ?1 AND id = ?2',
  idempotencyKey: 'SELECT payment_id, body_hash FROM idempotency WHERE merchant_id = ?1 AND entity_id = ?2 AND key = ?3',
  // In batches, so that no commit is delayed for long.
  deleteIdempotencyKeys: `
    DELETE FROM idempotency WHERE (merchant_id, entity_id, key) IN
      (SELECT merchant_id, entity_id, key FROM idempotency WHERE created_at < ?1 ORDER BY created_at LIMIT ?2)`,
  due: dueStatements(due, "merchant_id || '' = ?3"),
  // Along the same index. The instant of the last move is inside `data`.
  misdated: dueStatements(
    (merchants, { numberAt }) => `
    SELECT ${listable} FROM payment
    WHERE state = 'open' AND due_at > ?1 AND ${numberAt('data', 'movedAt')} > ?1 AND ${merchants} ORDER BY due_at, id LIMIT ?2`,
    "merchant_id || '' = ?3",
  ),
  releasesDue: dueStatements(
    (merchants) => `
    SELECT merchant_id, id, release_at FROM payment
    WHERE ${releasable} AND ${releaseAt} <= ?1 AND ${merchants} ORDER BY ${releaseAt}, id LIMIT ?2`,
  ),
  markReleases: {
    columns: ['merchant_id', 'id', 'release_at', 'next'],
    sqlite: `
    UPDATE payment SET release_at = ?4
    WHERE merchant_id = ?1 AND id = ?2 AND payment_type = 'PA' AND state = 'approved' AND release_at IS NOT DISTINCT FROM ?3`,
    postgres: `
    UPDATE payment p SET release_at = c.next
    FROM json_to_recordset(?1::text::json) AS c (merchant_id text, id text, release_at bigint, next bigint)
    WHERE p.merchant_id = c.merchant_id AND p.id = c.id AND p.payment_type = 'PA' AND p.state = 'approved'
      AND p.release_at IS NOT DISTINCT FROM c.release_at`,
  } satisfies BulkStatement,
} as const;

type Read = 'family' | 'familyVersion' | 'payment' | 'sealed' | 'idempotencyKey' | 'due' | 'misdated';

/** Reads of payments, and the marks of authorisations. */
export const paymentMethods = (db: Database): Pick<PaymentStore, Read | 'deleteIdempotencyKeys'> & ReleaseStore => ({
  family: async (merchantId, paymentId) => readFamily(await db.read<PaymentRow>(paymentStatements.family, merchantId, paymentId)),
  familyVersion: async (merchantId, familyId) => {
    const [row] = await db.read<{ readonly version: string | number }>(paymentStatements.familyVersion, merchantId, familyId);
    return row ? Number(row.version) : null;
  },
  payment: async (merchantId, paymentId) => {
    const [row] = await db.read<PaymentRow>(paymentStatements.payment, merchantId, paymentId);
    return row ? readPayment(row) : null;
  },
  sealed: async (merchantId, paymentId) => {
    const [row] = await db.read<{ readonly sealed: Uint8Array | null }>(paymentStatements.sealed, merchantId, paymentId);
    return row?.sealed ? bytesOf(row.sealed) : null;
  },
  idempotencyKey: async (merchantId, entityId, key) => {
    const [row] = await db.read<StoredIdempotencyKey>(paymentStatements.idempotencyKey, merchantId, entityId, key);
    return row ? { paymentId: row.payment_id, bodyHash: row.body_hash } : null;
  },
  deleteIdempotencyKeys: (before) => deleteInBatches(db, paymentStatements.deleteIdempotencyKeys, before),
  due: async (query) => readBrief(db, await readDue<ListedRow>(db, paymentStatements.due, query)),
  misdated: async (query) => readBrief(db, await readDue<ListedRow>(db, paymentStatements.misdated, allowSkew(query))),
  releasesDue: async (query) => (await readDue<ReleaseRow>(db, paymentStatements.releasesDue, query)).map(dueReleaseOf),
  markReleases: async (marks) => {
    // All nodes use the same order, so that two of them do not deadlock.
    const ordered = marks.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const rows = ordered.map(markCells);
    if (rows.length > 0) await db.write(each(paymentStatements.markReleases, rows));
  },
});

/** The driver of PostgreSQL returns a Buffer, which may be a view of shared memory. */
export const bytesOf = (bytes: Uint8Array): Uint8Array => (Buffer.isBuffer(bytes) ? new Uint8Array(bytes) : bytes);

type StoredIdempotencyKey = { readonly payment_id: string; readonly body_hash: string };

const paymentOf = (row: PaymentRow): Payment => paymentFrom(row, JSON.parse(row.data) as Payment);

/** The payment of a row; a long one is read in slices. */
export const readPayment = async (row: PaymentRow): Promise<Payment> => paymentFrom(row, await readData<Payment>(row.data));

function paymentFrom(row: PaymentRow, data: Payment): Payment {
  return {
    ...data,
    merchantId: row.merchant_id,
    id: row.id,
    familyId: row.family_id,
    entityId: row.entity_id,
    referencedId: row.referenced_id,
    paymentType: row.payment_type,
    industryPractice: row.industry_practice,
    amount: BigInt(row.amount),
    currency: row.currency,
    createdAt: Number(row.created_at),
    merchantTransactionId: row.merchant_transaction_id,
    shortId: row.short_id,
    fingerprint: row.fingerprint,
    revision: Number(row.revision),
    checkoutId: row.checkout_id,
  };
}

/** The first payment leads; the clocks of several nodes may differ, so the others are ordered by time and then by id. */
export function oldestFirst(one: Payment, other: Payment): number {
  const lead = Number(other.id === other.familyId) - Number(one.id === one.familyId);
  return lead || one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
}

async function readFamily(rows: readonly PaymentRow[]): Promise<Family | null> {
  const root = rows.find((row) => row.id === row.family_id);
  if (!root) return null;
  const payments = rows.some(({ data }) => isSliced(data)) ? await Promise.all(rows.map(readPayment)) : rows.map(paymentOf);
  return { version: Number(root.version), payments: payments.sort(oldestFirst) };
}

/** Reads the row of a payment that is long in a list. */
export type Whole = (merchantId: string, id: string) => Promise<PaymentRow | undefined>;

export const wholePayment =
  (db: Pick<ReadDatabase, 'read'>): Whole =>
  (merchantId, id) =>
    first(db.read<PaymentRow>(paymentStatements.payment, merchantId, id));

/** The payments of a list without details: long ones come without the items of their carts. `known`: read before, by their ids. */
export const readBrief = (
  db: Pick<ReadDatabase, 'read'>,
  rows: readonly ListedRow[],
  known?: ReadonlyMap<string, Payment>,
): Promise<Payment[]> => briefPayments(rows, wholePayment(db), known);

export const briefPayments = (
  rows: readonly ListedRow[],
  whole: Whole,
  known?: ReadonlyMap<string, Payment>,
): Promise<Payment[]> =>
  readBriefly(rows, {
    of: paymentFrom,
    whole: ({ merchant_id, id }) => whole(merchant_id, id),
    known: ({ id }) => known?.get(id),
  });

/**
 * The payments of a list that is answered: long ones come without the items of their carts, which `readForList` reads one by one. Refuses
 * a list that would keep the processor busy for seconds.
 */
export async function readListed(db: Pick<ReadDatabase, 'read'>, rows: readonly ListedRow[]): Promise<Payment[]> {
  const bytes = rows.reduce((sum, row) => sum + Number(row.bytes), 0);
  if (bytes > LIST_MEGABYTES_MAX * 1_048_576) throw new ListTooLong(bytes);
  return readBrief(db, rows);
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

/** PostgreSQL returns large integers as strings. */
type ReleaseRow = { readonly merchant_id: string; readonly id: string; readonly release_at: number | string | null };

const dueReleaseOf = ({ merchant_id, id, release_at }: ReleaseRow): DueRelease => ({
  merchantId: merchant_id,
  id,
  releaseAt: release_at === null ? null : Number(release_at),
});

/** The cells of a mark. Throws when no store could keep it. */
export function markCells({ merchantId, id, releaseAt: from, next }: ReleaseMark): Cell[] {
  if (!Number.isSafeInteger(next) || next < NEVER_AGAIN) throw new BrokenCommit(`the mark of ${id} is no instant`);
  return [merchantId, id, from, next];
}

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
