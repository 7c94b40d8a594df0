import { allowSkew } from '../../merchants/merchantFilter.ts';
import type { NewOutboxEvent } from '../../payments/ports.ts';
import type { Schedule, ScheduleRun } from '../../payments/schedule.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { ScheduleStore } from '../../schedules/ports.ts';
import { detailText, ownCellsOf } from '../commit/cells.ts';
import { faultOfSchedule, isCount } from '../commit/check.ts';
import { scheduleSource } from '../commit/columns.ts';
import {
  type Cell,
  type Database,
  dueStatements,
  forMerchants,
  isFree,
  needed,
  postgresWords,
  readDue,
  sqliteWords,
  step,
} from '../database.ts';

/** Schedules, their runs and the claims of due ones. A commit may change a schedule too: see commit/. */

export const scheduleColumns = Object.keys(scheduleSource);
const columns = scheduleColumns.join(', ');

/** Claims due schedules: ?1 now, ?2 the end of the claim, ?3 the limit, ?4 the merchants. */
const sqliteClaim = (merchants: string): string => `
  UPDATE schedule SET claimed_until = ?2 WHERE rowid IN (
    SELECT rowid FROM schedule
    WHERE next_at IS NOT NULL AND next_at <= ?1 AND ${isFree('claimed_until')} AND ${merchants} ORDER BY next_at, id LIMIT ?3
  )
  RETURNING ${columns}`;

/** Rows that another node has locked are skipped. A claim that the node has just made is seen when the row is locked. */
const postgresClaim = (merchants: string): string => `
  WITH picked AS (
    SELECT merchant_id, id FROM schedule
    WHERE next_at IS NOT NULL AND next_at <= ?1 AND ${isFree('claimed_until')} AND ${merchants}
    ORDER BY next_at, id LIMIT ?3 FOR UPDATE SKIP LOCKED
  )
  UPDATE schedule SET claimed_until = ?2 FROM picked WHERE schedule.merchant_id = picked.merchant_id AND schedule.id = picked.id
  RETURNING ${scheduleColumns.map((name) => `schedule.${name}`).join(', ')}`;

const ofOne = 'merchant_id = ?4';

export const scheduleStatements = {
  schedule: `SELECT ${columns} FROM schedule WHERE merchant_id = ?1 AND id = ?2`,
  schedulesOf: `
    SELECT ${columns} FROM schedule WHERE merchant_id = ?1 AND registration_id = ?2 ORDER BY created_at DESC, id DESC LIMIT ?3`,
  runs: `
    SELECT schedule_id, due_at, done_at, payment_id, skipped FROM schedule_run
    WHERE merchant_id = ?1 AND schedule_id = ?2 ORDER BY due_at DESC LIMIT ?3`,
  nextRunAt: 'SELECT next_at AS number FROM schedule WHERE merchant_id = ?1 AND next_at IS NOT NULL ORDER BY next_at LIMIT 1',
  // The last place of the next two is the revision that the schedule has when they run.
  skipRun: `
    INSERT INTO schedule_run (merchant_id, schedule_id, due_at, done_at, skipped)
    SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM schedule WHERE merchant_id = ?1 AND id = ?2 AND revision = ?6)`,
  addScheduleEvent: `
    INSERT INTO outbox (merchant_id, id, entity_id, subject_id, revision, type, code, created_at, transaction_id, detail)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
    WHERE EXISTS (SELECT 1 FROM schedule WHERE merchant_id = ?1 AND id = ?4 AND revision = ?11)`,
  saveSchedule: `
    UPDATE schedule
    SET entity_id = ?3, registration_id = ?4, state = ?5, next_at = ?6, created_at = ?7, charge_moved_at = ?8, revision = ?9, data = ?10,
      claimed_until = 0
    WHERE merchant_id = ?1 AND id = ?2 AND revision + 1 = ?9`,
  claimSchedules: {
    ofAll: {
      sqlite: sqliteClaim(`merchant_id NOT IN (${sqliteWords.among('?4')})`),
      postgres: postgresClaim(`merchant_id NOT IN (${postgresWords.among('?4')})`),
    },
    ofOne: { sqlite: sqliteClaim(ofOne), postgres: postgresClaim(ofOne) },
  },
  // Along the index schedule_charge_moved, which holds open charges only.
  misdatedSchedules: dueStatements(
    (merchants) => `
    SELECT ${columns} FROM schedule
    WHERE charge_moved_at IS NOT NULL AND charge_moved_at > ?1 AND next_at > ?1 AND ${merchants}
    ORDER BY charge_moved_at, id LIMIT ?2`,
    "merchant_id || '' = ?3",
  ),
} as const;

export const scheduleMethods = (db: Database): ScheduleStore => ({
  schedule: async (merchantId, scheduleId) => {
    const [row] = await db.read<ScheduleRow>(scheduleStatements.schedule, merchantId, scheduleId);
    return row ? scheduleOf(row) : null;
  },
  schedulesOf: async (merchantId, registrationId, limit) =>
    (await db.read<ScheduleRow>(scheduleStatements.schedulesOf, merchantId, registrationId, limit)).map(scheduleOf),
  claimSchedules: async ({ now, until, limit, merchants }) => {
    const [statement, cell] = forMerchants(scheduleStatements.claimSchedules, merchants);
    return (await db.returning<ScheduleRow>(statement, now, until, limit, cell)).map(scheduleOf).sort(byNextAt);
  },
  misdatedSchedules: async (query) =>
    (await readDue<ScheduleRow>(db, scheduleStatements.misdatedSchedules, allowSkew(query))).map(scheduleOf),
  saveSchedule: (...change) => saveSchedule(db, ...change),
  runs: async (merchantId, scheduleId, limit) =>
    (await db.read<RunRow>(scheduleStatements.runs, merchantId, scheduleId, limit)).map(runOf),
  nextRunAt: async (merchantId) => {
    const [row] = await db.read<{ readonly number: number | string }>(scheduleStatements.nextRunAt, merchantId);
    return row ? Number(row.number) : null;
  },
});

/** The constraints by which the databases refuse a second run at one due instant. */
const RUN_TAKEN: readonly string[] = ['schedule_run_no_replace', 'schedule_run_pkey'];

/** The schedule first: its row lock orders concurrent changes. A due instant that another run has taken undoes everything. */
async function saveSchedule(
  db: Database,
  ...[schedule, skipped, event = null]: Parameters<ScheduleStore['saveSchedule']>
): Promise<boolean> {
  checkSchedule(schedule, skipped);
  const { merchantId, id, revision } = schedule;
  const { saveSchedule: save, skipRun, addScheduleEvent } = scheduleStatements;
  const runs = skipped.map((run) => step(skipRun, merchantId, id, run.dueAt, run.at, run.skipped, revision));
  const events = event ? [step(addScheduleEvent, ...scheduleEventCells(schedule, event), revision)] : [];
  try {
    return (await db.write(needed(save, merchantId, ...ownCellsOf(schedule)), ...runs, ...events)) > 0;
  } catch (error) {
    if (error instanceof BrokenCommit && RUN_TAKEN.includes(error.constraint)) return false;
    throw error;
  }
}

/** The cells of an event that is saved with a schedule, outside of a commit. */
const scheduleEventCells = ({ merchantId, id, entityId, revision, transactionId, movedAt }: Schedule, event: NewOutboxEvent) =>
  [
    merchantId,
    event.id,
    entityId,
    id,
    revision,
    event.type,
    event.code,
    movedAt,
    transactionId,
    detailText(event),
  ] as const satisfies Cell[];

/** PostgreSQL returns large integers as strings. */

export type ScheduleRow = {
  readonly merchant_id: string;
  readonly id: string;
  readonly entity_id: string;
  readonly registration_id: string;
  readonly state: Schedule['state'];
  readonly next_at: string | number | null;
  readonly created_at: string | number;
  readonly revision: string | number;
  readonly data: string;
};

export const scheduleOf = (row: ScheduleRow): Schedule => ({
  ...(JSON.parse(row.data) as Schedule),
  merchantId: row.merchant_id,
  id: row.id,
  entityId: row.entity_id,
  registrationId: row.registration_id,
  state: row.state,
  nextAt: row.next_at === null ? null : Number(row.next_at),
  createdAt: Number(row.created_at),
  revision: Number(row.revision),
});

type RunRow = {
  readonly schedule_id: string;
  readonly due_at: string | number;
  readonly done_at: string | number;
  readonly payment_id: string | null;
  readonly skipped: string | null;
};

const runOf = (row: RunRow): ScheduleRun => ({
  scheduleId: row.schedule_id,
  dueAt: Number(row.due_at),
  at: Number(row.done_at),
  paymentId: row.payment_id,
  skipped: row.skipped,
});

/** The earliest moved first. */
export const byMovedAt = (one: Schedule, other: Schedule): number => one.movedAt - other.movedAt || (one.id < other.id ? -1 : 1);

/** The longest overdue first. */
export const byNextAt = (one: Schedule, other: Schedule): number =>
  (one.nextAt ?? 0) - (other.nextAt ?? 0) || (one.id < other.id ? -1 : 1);

/** Throws when a schedule that is saved contradicts itself, so that every driver refuses the same ones before anything is touched. */
export function checkSchedule(schedule: Schedule, skipped: readonly ScheduleRun[]): void {
  const isSkipped = ({ scheduleId, dueAt, paymentId, skipped: why }: ScheduleRun) =>
    scheduleId === schedule.id && isCount(dueAt, 0) && paymentId === null && why !== null && why !== '';
  const fault =
    faultOfSchedule(schedule) ??
    (schedule.revision === 1 ? 'a schedule is made in the commit of a transaction' : null) ??
    (skipped.every(isSkipped) ? null : 'a skipped run is of the schedule, and says why it was skipped');
  if (fault) throw new BrokenCommit(`schedule ${schedule.id}: ${fault}`);
}
