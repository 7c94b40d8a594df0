import type { Begins, Later, LaterAct, SettlingDay } from '../reports/days/needs.ts';
import { BrokenCommit } from './errors.ts';
import type { Cell } from './rows.ts';

/** PostgreSQL answers large integers as text. */
export type LaterRow = {
  readonly merchant_id: string;
  readonly payment_id: string;
  readonly act: string;
  readonly due_at: number | string;
};
export type DayRow = {
  readonly merchant_id: string;
  readonly since: number | string;
  readonly due_at: number | string | null;
};
export type BeginsRow = {
  readonly merchant_id: string;
  readonly since: number | string | null;
  readonly first_at: number | string;
};

const instantOf = (cell: number | string | null): number | null => (cell === null ? null : Number(cell));

export const laterOf = ({ merchant_id, payment_id, act, due_at }: LaterRow): Later => ({
  merchantId: merchant_id,
  paymentId: payment_id,
  dueAt: Number(due_at),
  act: JSON.parse(act) as LaterAct,
});

/** The members of an act in one order, whoever made it. */
export const actText = (act: LaterAct): string =>
  JSON.stringify(Object.fromEntries(Object.entries(act).toSorted(([one], [other]) => (one < other ? -1 : 1))));

export const laterCells = ({ merchantId, paymentId, act, dueAt }: Later): Cell[] => [merchantId, paymentId, actText(act), dueAt];

export const dayOf = ({ merchant_id, since, due_at }: DayRow): SettlingDay => ({
  merchantId: merchant_id,
  since: Number(since),
  dueAt: instantOf(due_at),
});

export const beginsOf = ({ merchant_id, since, first_at }: BeginsRow): Begins => ({
  merchantId: merchant_id,
  since: instantOf(since),
  firstAt: Number(first_at),
});

/** One merchant's acts, at instants. */
export function checkLater(acts: readonly Later[], owner: string): void {
  const isSound = acts.every(({ merchantId, dueAt }) => merchantId === owner && Number.isSafeInteger(dueAt));
  if (!isSound) throw new BrokenCommit('acts that no merchant can have');
}

export function checkDay({ since, dueAt }: SettlingDay): void {
  if (!Number.isSafeInteger(since) || !Number.isSafeInteger(dueAt ?? 0))
    throw new BrokenCommit('a day that no merchant can have');
}
