import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { DayStart, ScheduledAction, ScheduledSettlement, SettlementDay } from '../../settlement/sandboxDays/ports.ts';
import type { Cell } from './payments.ts';

/** Every statement about the days of the sandbox's acquirer, in the form of statements.ts. */

const columns = 'merchant_id, payment_id, act, due_at';
const dayColumns = 'merchant_id, since, due_at';

export const scheduledSettlementsDue = (merchants: string): string =>
  `SELECT ${columns} FROM scheduled_settlement WHERE due_at <= ?1 AND ${merchants} ORDER BY due_at, merchant_id, payment_id, act LIMIT ?2`;

export const daysDue = (merchants: string): string =>
  `SELECT ${dayColumns} FROM settlement_day
   WHERE due_at IS NOT NULL AND due_at <= ?1 AND ${merchants} ORDER BY due_at, merchant_id LIMIT ?2`;

/** `list`: a table with a column `id`. One look into an index for each merchant who has no day that waits. */
const daysToBegin = (list: string): string => `
    SELECT merchant_id, since, first_at FROM (
      SELECT one.id AS merchant_id, d.since, (
        SELECT p.created_at FROM payment p
        WHERE p.merchant_id = one.id AND p.created_at >= CASE WHEN d.since <= ?2 THEN d.since ELSE ?3 END AND p.created_at <= ?2
        ORDER BY p.created_at LIMIT 1
      ) AS first_at
      FROM ${list} LEFT JOIN settlement_day d ON d.merchant_id = one.id
      WHERE d.due_at IS NULL OR d.since > ?2
    ) AS query
    WHERE first_at IS NOT NULL`;

export const sqliteScheduledSettlementReads = {
  daysToBegin: daysToBegin('(SELECT value AS id FROM json_each(?1)) one'),
} as const;

export const postgresScheduledSettlement = {
  daysToBegin: daysToBegin('(SELECT json_array_elements_text(?1::text::json) AS id) one')
    .replaceAll('?2', '?2::bigint')
    .replaceAll('?3', '?3::bigint'),
  addScheduledSettlements: `
    INSERT INTO scheduled_settlement (${columns})
    SELECT ${columns} FROM json_to_recordset(?1::text::json) AS c (merchant_id text, payment_id text, act text, due_at bigint)
    ON CONFLICT DO NOTHING`,
  dropScheduledSettlement: `
    DELETE FROM scheduled_settlement USING json_to_recordset(?1::text::json) AS c (merchant_id text, payment_id text, act text)
    WHERE scheduled_settlement.merchant_id = c.merchant_id AND scheduled_settlement.payment_id = c.payment_id AND scheduled_settlement.act = c.act`,
} as const;

export const scheduledSettlementWrites = {
  // Locks the day: the end of the day waits for it. Changes no row when the day has already ended.
  holdDay: 'UPDATE settlement_day SET since = since WHERE merchant_id = ?1 AND since = ?2',
  addScheduledSettlementOfDay: `
    INSERT INTO scheduled_settlement (${columns})
    SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM settlement_day WHERE merchant_id = ?1 AND since = ?5)
    ON CONFLICT DO NOTHING`,
  addScheduledSettlementInstead: `
    INSERT INTO scheduled_settlement (${columns})
    SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM scheduled_settlement WHERE merchant_id = ?1 AND payment_id = ?5 AND act = ?6)
    ON CONFLICT DO NOTHING`,
  dropScheduledSettlement: 'DELETE FROM scheduled_settlement WHERE merchant_id = ?1 AND payment_id = ?2 AND act = ?3',
  dropScheduledSettlementWith: `
    DELETE FROM scheduled_settlement
    WHERE merchant_id = ?1 AND payment_id = ?2 AND act = ?3
      AND EXISTS (SELECT 1 FROM scheduled_settlement WHERE merchant_id = ?1 AND payment_id = ?4 AND act = ?5)`,
  addDay: `INSERT INTO settlement_day (${dayColumns}) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING`,
  saveDay: 'UPDATE settlement_day SET since = ?2, due_at = ?3 WHERE merchant_id = ?1 AND since = ?4',
} as const;

/** PostgreSQL answers large integers as text. */
export type ScheduledSettlementRow = {
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

export const scheduledSettlementOf = ({ merchant_id, payment_id, act, due_at }: ScheduledSettlementRow): ScheduledSettlement => ({
  merchantId: merchant_id,
  paymentId: payment_id,
  dueAt: Number(due_at),
  act: JSON.parse(act) as ScheduledAction,
});

/** The members of an act in a fixed order. */
export const actText = (act: ScheduledAction): string =>
  JSON.stringify(Object.fromEntries(Object.entries(act).toSorted(([one], [other]) => (one < other ? -1 : 1))));

export const scheduledSettlementCells = ({ merchantId, paymentId, act, dueAt }: ScheduledSettlement): Cell[] => [
  merchantId,
  paymentId,
  actText(act),
  dueAt,
];

export const dayOf = ({ merchant_id, since, due_at }: DayRow): SettlementDay => ({
  merchantId: merchant_id,
  since: Number(since),
  dueAt: instantOf(due_at),
});

export const beginsOf = ({ merchant_id, since, first_at }: BeginsRow): DayStart => ({
  merchantId: merchant_id,
  since: instantOf(since),
  firstAt: Number(first_at),
});

/** One merchant's acts, at instants. */
export function checkScheduledSettlements(acts: readonly ScheduledSettlement[], owner: string): void {
  const isSound = acts.every(({ merchantId, dueAt }) => merchantId === owner && Number.isSafeInteger(dueAt));
  if (!isSound) throw new BrokenCommit('acts that no merchant can have');
}

export function checkDay({ since, dueAt }: SettlementDay): void {
  if (!Number.isSafeInteger(since) || !Number.isSafeInteger(dueAt ?? 0))
    throw new BrokenCommit('a day that no merchant can have');
}
