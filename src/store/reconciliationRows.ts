import type { ReconciliationRun } from '../reports/out/needs.ts';
import { BrokenCommit } from './errors.ts';
import type { Cell } from './rows.ts';

/** PostgreSQL answers large integers as text. */
export type RunRow = {
  readonly merchant_id: string;
  readonly day: string;
  readonly part: string | number;
  readonly state: ReconciliationRun['state'];
  readonly due_at: string | number;
  readonly claimed_until: string | number;
  readonly revision: string | number;
  readonly data: string;
};

export const runOf = (row: RunRow): ReconciliationRun => ({
  ...(JSON.parse(row.data) as ReconciliationRun),
  merchantId: row.merchant_id,
  day: row.day,
  part: Number(row.part),
  state: row.state,
  dueAt: Number(row.due_at),
  claimedUntil: Number(row.claimed_until),
  revision: Number(row.revision),
});

/** In the order of the columns in reconciliationStatements.ts. */
export function runCells({ merchantId, day, part, state, dueAt, claimedUntil, revision, ...rest }: ReconciliationRun) {
  return [merchantId, day, part, state, dueAt, claimedUntil, revision, JSON.stringify(rest)] as const satisfies Cell[];
}

/** What can be renamed or is done has been sent, and one that is over is in nobody's hands. */
export function checkRun({ merchantId, day, part, state, name, digest, claimedUntil, revision }: ReconciliationRun): void {
  const isNamed = state === 'due' || state === 'failed' || (name !== null && digest !== null);
  const isFree = state === 'due' || state === 'renaming' || claimedUntil === 0;
  const isPlaced = merchantId !== '' && /^\d{4}-\d\d-\d\d$/.test(day) && part >= 1 && revision >= 1;
  if (!isNamed || !isFree || !isPlaced) throw new BrokenCommit('a run that makes no sense');
}
