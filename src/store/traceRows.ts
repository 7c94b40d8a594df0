import { type Account, accounts, type Posting } from '../ledger/entry.ts';
import type { Mode } from '../registrations/registration.ts';

/** A row of the postings as it is read; amounts come as text from both databases. */
export type PostingRow = {
  readonly merchant_id: string;
  readonly subject_id: string;
  readonly revision: string | number;
  readonly at: string | number;
  readonly currency: string;
  readonly mode: Mode;
} & Readonly<Record<Account, string>>;

export const postingOf = (row: PostingRow): Posting => ({
  merchantId: row.merchant_id,
  subjectId: row.subject_id,
  revision: Number(row.revision),
  kind: 'payment',
  at: Number(row.at),
  currency: row.currency,
  mode: row.mode,
  entries: Object.fromEntries(
    accounts.map((account) => [account, BigInt(row[account])] as const).filter(([, amount]) => amount !== 0n),
  ),
});
