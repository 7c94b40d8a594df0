import type { MerchantClock } from '../merchants/needs.ts';
import { BrokenCommit } from './errors.ts';
import type { Cell } from './rows.ts';

/** PostgreSQL answers large integers as text. */
export type ClockRow = {
  readonly merchant_id: string;
  readonly offset_ms: number | string;
  readonly frozen_at: number | string | null;
  readonly target: number | string | null;
  readonly stepped_at: number | string;
  readonly revision: number | string;
};

const instantOf = (cell: number | string | null): number | null => (cell === null ? null : Number(cell));

export const clockOf = (row: ClockRow): MerchantClock => ({
  merchantId: row.merchant_id,
  offsetMs: Number(row.offset_ms),
  frozenAt: instantOf(row.frozen_at),
  target: instantOf(row.target),
  steppedAt: Number(row.stepped_at),
  revision: Number(row.revision),
});

export const clockCells = ({ merchantId, offsetMs, frozenAt, target, steppedAt, revision }: MerchantClock): Cell[] => [
  merchantId,
  offsetMs,
  frozenAt,
  target,
  steppedAt,
  revision,
];

/** The instants of a clock are whole milliseconds. */
export function checkClock({ offsetMs, frozenAt, target, steppedAt, revision }: MerchantClock): void {
  const numbers = [offsetMs, frozenAt ?? 0, target ?? 0, steppedAt, revision];
  if (!numbers.every(Number.isSafeInteger) || revision < 1) throw new BrokenCommit('a clock that no merchant can have');
}
