import type { Page, Unreadable } from '../../ledger/ports.ts';
import type { Payment } from '../../payments/payment.ts';
import type { HistoryQuery } from '../../payments/ports.ts';

export type PageReading<Row, Thing> = {
  readonly read: (rows: readonly Row[]) => Promise<readonly Thing[]>;
  readonly nameOf: (row: Row) => Omit<Unreadable, 'says'>;
  /** The name of a record in a finding. */
  readonly noun: string;
};

/** Reads the rows of a page together; row by row where one of them cannot be read. */
export async function readPage<Row, Thing>(
  rows: readonly Row[],
  { read, nameOf, noun }: PageReading<Row, Thing>,
): Promise<Page<Thing>> {
  try {
    return { records: await read(rows), unreadable: [] };
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const records: Thing[] = [];
  const unreadable: Unreadable[] = [];
  for (const row of rows) {
    try {
      records.push(...(await read([row])));
    } catch (error) {
      if (!isDamage(error)) throw error;
      unreadable.push({ ...nameOf(row), says: damageOf(noun) });
    }
  }
  return { records, unreadable };
}

/** Reading the content has failed, not the database. */
const isDamage = (error: unknown): boolean =>
  error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError;

/** The message of the parser would quote the content. */
export const damageOf = (noun: string): string => `this ${noun} cannot be read: its stored content is damaged`;

type Dated = { readonly merchantId: string; readonly id: string; readonly createdAt: number };

type HistoryReading<Row> = {
  readonly rows: (query: HistoryQuery) => Promise<readonly Row[]>;
  readonly read: PageReading<Row, Payment>['read'];
  readonly dateOf: (row: Row) => Dated;
};

/** A page of the past without the payments that cannot be read. It is full unless the past ends: a short page means the end. */
export async function readHistory<Row>(
  query: HistoryQuery,
  { rows: ask, read, dateOf }: HistoryReading<Row>,
): Promise<readonly Payment[]> {
  const payments: Payment[] = [];
  for (let after = query.after; ; ) {
    const limit = query.limit - payments.length;
    const rows = await ask({ ...query, after, limit });
    payments.push(...(await readPage(rows, { read, nameOf: dateOf, noun: 'payment' })).records);
    const last = rows.at(-1);
    if (!last || rows.length < limit || payments.length === query.limit) return payments;
    after = dateOf(last);
  }
}
