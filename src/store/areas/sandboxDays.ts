import { BrokenCommit } from '../../payments/storeErrors.ts';
import type {
  DayStart,
  SandboxSettlementStore,
  ScheduledAction,
  ScheduledSettlement,
  SettlementDay,
} from '../../settlement/ports.ts';
import { type BulkStatement, type Cell, type Database, dueStatements, each, inBoth, needed, readDue, step } from '../database.ts';

/** The days of the sandbox's acquirer, and the settlements that are scheduled in them. */

const columns = 'merchant_id, payment_id, act, due_at';
const dayColumns = 'merchant_id, since, due_at';

export const sandboxDayStatements = {
  scheduledSettlementsDue: dueStatements(
    (merchants) =>
      `SELECT ${columns} FROM scheduled_settlement WHERE due_at <= ?1 AND ${merchants} ORDER BY due_at, merchant_id, payment_id, act LIMIT ?2`,
  ),
  // All or none of them follow the step that they depend on.
  addScheduledSettlements: {
    columns: ['merchant_id', 'payment_id', 'act', 'due_at'],
    sqlite: `INSERT INTO scheduled_settlement (${columns}) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING`,
    postgres: `
    INSERT INTO scheduled_settlement (${columns})
    SELECT ${columns} FROM json_to_recordset(?1::text::json) AS c (merchant_id text, payment_id text, act text, due_at bigint)
    ON CONFLICT DO NOTHING`,
  } satisfies BulkStatement,
  dropScheduledSettlement: 'DELETE FROM scheduled_settlement WHERE merchant_id = ?1 AND payment_id = ?2 AND act = ?3',
  daysDue: dueStatements(
    (merchants) =>
      `SELECT ${dayColumns} FROM settlement_day
   WHERE due_at IS NOT NULL AND due_at <= ?1 AND ${merchants} ORDER BY due_at, merchant_id LIMIT ?2`,
  ),
  // One search in an index for each merchant without a day that is still to end.
  daysToBegin: inBoth(
    ({ among, number }) => `
    SELECT merchant_id, since, first_at FROM (
      SELECT one.id AS merchant_id, d.since, (
        SELECT p.created_at FROM payment p
        WHERE p.merchant_id = one.id AND p.created_at >= CASE WHEN d.since <= ${number('?2')} THEN d.since ELSE ${number('?3')} END
          AND p.created_at <= ${number('?2')}
        ORDER BY p.created_at LIMIT 1
      ) AS first_at
      FROM (${among('?1', 'id')}) one LEFT JOIN settlement_day d ON d.merchant_id = one.id
      WHERE d.due_at IS NULL OR d.since > ${number('?2')}
    ) AS query
    WHERE first_at IS NOT NULL`,
  ),
  // Locks the day: the end of the day waits for it. Changes no row when the day has already ended.
  holdDay: 'UPDATE settlement_day SET since = since WHERE merchant_id = ?1 AND since = ?2',
  addDay: `INSERT INTO settlement_day (${dayColumns}) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING`,
  saveDay: 'UPDATE settlement_day SET since = ?2, due_at = ?3 WHERE merchant_id = ?1 AND since = ?4',
} as const;

export const sandboxDayMethods = (db: Database): SandboxSettlementStore => ({
  scheduledSettlementsDue: async (query) =>
    (await readDue<ScheduledSettlementRow>(db, sandboxDayStatements.scheduledSettlementsDue, query)).map(scheduledSettlementOf),
  addScheduledSettlements: async ({ merchantId, since }, acts) => {
    checkScheduledSettlements(acts, merchantId);
    return (await db.write(needed(sandboxDayStatements.holdDay, merchantId, since), added(acts))) > 0;
  },
  finishScheduledSettlements: async (done, instead) => {
    const [first, ...others] = done;
    checkScheduledSettlements([...done, ...instead], first.merchantId);
    const { dropScheduledSettlement } = sandboxDayStatements;
    const changed = await db.write(
      needed(dropScheduledSettlement, ...nameOf(first)),
      ...others.map((act) => step(dropScheduledSettlement, ...nameOf(act))),
      added(instead),
    );
    return changed > 0;
  },
  daysDue: async (query) => (await readDue<DayRow>(db, sandboxDayStatements.daysDue, query)).map(dayOf),
  daysToBegin: async ({ merchantIds, now, floor }) =>
    (await db.read<BeginsRow>(sandboxDayStatements.daysToBegin, JSON.stringify(merchantIds), now, floor)).map(beginsOf),
  saveDay: async (day, from, acts = []) => {
    checkDay(day);
    checkScheduledSettlements(acts, day.merchantId);
    const cells = [day.merchantId, day.since, day.dueAt] as const;
    if (from === null) return (await db.write(step(sandboxDayStatements.addDay, ...cells))) > 0;
    return (await db.write(needed(sandboxDayStatements.saveDay, ...cells, from), added(acts))) > 0;
  },
});

const added = (acts: readonly ScheduledSettlement[]) =>
  each(
    sandboxDayStatements.addScheduledSettlements,
    acts.map((act): Cell[] => [...nameOf(act), act.dueAt]),
  );

/** The key of a scheduled settlement. */
const nameOf = ({ merchantId, paymentId, act }: ScheduledSettlement): [string, string, string] => [
  merchantId,
  paymentId,
  actText(act),
];

/** PostgreSQL returns large integers as strings. */
type ScheduledSettlementRow = {
  readonly merchant_id: string;
  readonly payment_id: string;
  readonly act: string;
  readonly due_at: number | string;
};
type DayRow = {
  readonly merchant_id: string;
  readonly since: number | string;
  readonly due_at: number | string | null;
};
type BeginsRow = {
  readonly merchant_id: string;
  readonly since: number | string | null;
  readonly first_at: number | string;
};

const instantOf = (cell: number | string | null): number | null => (cell === null ? null : Number(cell));

const scheduledSettlementOf = ({ merchant_id, payment_id, act, due_at }: ScheduledSettlementRow): ScheduledSettlement => ({
  merchantId: merchant_id,
  paymentId: payment_id,
  dueAt: Number(due_at),
  act: JSON.parse(act) as ScheduledAction,
});

/** The members of an act in a fixed order. */
export const actText = (act: ScheduledAction): string =>
  JSON.stringify(Object.fromEntries(Object.entries(act).toSorted(([one], [other]) => (one < other ? -1 : 1))));

const dayOf = ({ merchant_id, since, due_at }: DayRow): SettlementDay => ({
  merchantId: merchant_id,
  since: Number(since),
  dueAt: instantOf(due_at),
});

const beginsOf = ({ merchant_id, since, first_at }: BeginsRow): DayStart => ({
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
