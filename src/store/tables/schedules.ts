import type { Payment } from '../../payments/payment.ts';
import type { NewOutboxEvent, ScheduleChange } from '../../payments/ports.ts';
import type { Schedule, ScheduleRun } from '../../payments/schedule.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { Cell, CommitCell } from './payments.ts';

/** Every statement about schedules, in the form of statements.ts. Their claims are in claimStatements.ts. */

/** Where the columns of a schedule come from. */
export const scheduleSource = {
  merchant_id: 'merchant_id',
  id: 'schedule_id',
  entity_id: 'schedule_entity_id',
  registration_id: 'schedule_registration_id',
  state: 'schedule_state',
  next_at: 'schedule_next_at',
  created_at: 'schedule_created_at',
  charge_moved_at: 'schedule_charge_moved_at',
  revision: 'schedule_revision',
  data: 'schedule_data',
} as const satisfies Record<string, CommitCell>;

/** What an update writes. It writes the origin too, so that the guards refuse another origin. */
export const scheduleUpdated = Object.entries(scheduleSource).filter(
  ([column]) => column !== 'merchant_id' && column !== 'id',
) as readonly (readonly [column: string, cell: ScheduleCell])[];

/** The run for which the payment of a commit is taken. */
export const runSource = {
  merchant_id: 'merchant_id',
  schedule_id: 'schedule_id',
  due_at: 'schedule_due_at',
  done_at: 'moved_at',
  payment_id: 'id',
} as const satisfies Record<string, CommitCell>;

/** The event of a schedule in a commit. */
export const scheduleEventSource = {
  merchant_id: 'merchant_id',
  id: 'schedule_event_id',
  entity_id: 'entity_id',
  subject_id: 'schedule_id',
  revision: 'schedule_revision',
  type: 'schedule_event_type',
  code: 'schedule_event_code',
  created_at: 'moved_at',
  transaction_id: 'id',
  detail: 'schedule_event_detail',
} as const satisfies Record<string, CommitCell>;

export const scheduleColumns = Object.keys(scheduleSource);
const columns = scheduleColumns.join(', ');

/** Along the index schedule_charge_moved, which holds open charges only. */
export const misdatedSchedules = (merchants: string): string => `
    SELECT ${columns} FROM schedule
    WHERE charge_moved_at IS NOT NULL AND charge_moved_at > ?1 AND next_at > ?1 AND ${merchants}
    ORDER BY charge_moved_at, id LIMIT ?2`;

export const scheduleReads = {
  schedule: `SELECT ${columns} FROM schedule WHERE merchant_id = ?1 AND id = ?2`,
  schedulesOf: `
    SELECT ${columns} FROM schedule WHERE merchant_id = ?1 AND registration_id = ?2 ORDER BY created_at DESC, id DESC LIMIT ?3`,
  runs: `
    SELECT schedule_id, due_at, done_at, payment_id, skipped FROM schedule_run
    WHERE merchant_id = ?1 AND schedule_id = ?2 ORDER BY due_at DESC LIMIT ?3`,
  nextRunAt: 'SELECT next_at AS number FROM schedule WHERE merchant_id = ?1 AND next_at IS NOT NULL ORDER BY next_at LIMIT 1',
} as const;

/** The cells of a schedule come in the order of its columns: the merchant, then those of schedules.ts. */
export const scheduleWrites = {
  // Written before the schedule, because it checks the same revision.
  skipRun: `
    INSERT INTO schedule_run (merchant_id, schedule_id, due_at, done_at, skipped)
    SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM schedule WHERE merchant_id = ?1 AND id = ?2 AND revision + 1 = ?6)`,
  // The place ?11 is the revision that is stored when this runs.
  addScheduleEvent: `
    INSERT INTO outbox (merchant_id, id, entity_id, subject_id, revision, type, code, created_at, transaction_id, detail)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
    WHERE EXISTS (SELECT 1 FROM schedule WHERE merchant_id = ?1 AND id = ?4 AND revision = ?11)`,
  saveSchedule: `
    UPDATE schedule
    SET entity_id = ?3, registration_id = ?4, state = ?5, next_at = ?6, created_at = ?7, charge_moved_at = ?8, revision = ?9, data = ?10,
      claimed_until = 0
    WHERE merchant_id = ?1 AND id = ?2 AND revision + 1 = ?9`,
} as const;

/** The cells of a commit that changes a schedule. They come last, and other commits leave them out. */
export const scheduleCells = [
  'schedule_id',
  'schedule_entity_id',
  'schedule_registration_id',
  'schedule_state',
  'schedule_next_at',
  'schedule_created_at',
  'schedule_charge_moved_at',
  'schedule_revision',
  'schedule_data',
  'schedule_due_at',
  'schedule_event_id',
  'schedule_event_code',
  'schedule_event_type',
  'schedule_event_detail',
] as const;

export type ScheduleCell = (typeof scheduleCells)[number];

/** In the order of the columns in schedules.ts, behind the merchant. */
export function ownCellsOf({ id, merchantId, entityId, registrationId, state, nextAt, createdAt, revision, ...rest }: Schedule) {
  const chargeMovedAt = rest.charge === null ? null : rest.movedAt;
  return [
    id,
    entityId,
    registrationId,
    state,
    nextAt,
    createdAt,
    chargeMovedAt,
    revision,
    JSON.stringify(rest),
  ] as const satisfies Cell[];
}

export const scheduleCellsOf = ({ schedule, dueAt, event }: ScheduleChange): Cell[] => [
  ...ownCellsOf(schedule),
  dueAt,
  ...(event ? [event.id, event.code, event.type, detailText(event)] : [null, null, null, null]),
];

const detailText = ({ detail }: NewOutboxEvent): string | null => (detail ? JSON.stringify(detail) : null);

/** The cells of an event that is saved with a schedule, outside of a commit. */
export const scheduleEventCells = (
  { merchantId, id, entityId, revision, transactionId, movedAt }: Schedule,
  event: NewOutboxEvent,
) =>
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

/** Rows of the tables of schedules as they are read. 64-bit columns come as text from PostgreSQL. */

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

export type RunRow = {
  readonly schedule_id: string;
  readonly due_at: string | number;
  readonly done_at: string | number;
  readonly payment_id: string | null;
  readonly skipped: string | null;
};

export const runOf = (row: RunRow): ScheduleRun => ({
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

/** What no change may touch in a schedule that is there. */
export const fixedInSchedule = ['merchantId', 'id', 'entityId', 'createdAt'] as const satisfies readonly (keyof Schedule)[];

/** Whether a schedule can become the other one: what is over stays as it is, and its merchant never changes. */
export const continuesSchedule = (stored: Schedule, schedule: Schedule): boolean =>
  stored.state !== 'over' && fixedInSchedule.every((name) => stored[name] === schedule[name]);

const isCount = (number: number, from: number): boolean => Number.isSafeInteger(number) && number >= from;

function faultOfSchedule({ id, state, nextAt, revision }: Schedule): string | null {
  if (id === '') return 'a schedule has an id';
  if (!isCount(revision, 1)) return 'revisions of a schedule count from 1';
  if ((state === 'over') !== (nextAt === null)) return 'a schedule has a next instant exactly until it is over';
  return nextAt === null || isCount(nextAt, 0) ? null : 'the next instant of a schedule is a whole number of milliseconds';
}

/** Returns what contradicts itself in a commit's change of a schedule; null when nothing does. */
export function faultOfScheduleChange(payment: Payment, { schedule, dueAt }: ScheduleChange): string | null {
  if (schedule.merchantId !== payment.merchantId) return 'a schedule belongs to the merchant of the payment';
  if (schedule.revision === 1 && schedule.id !== payment.id) return 'a new schedule has the id of the transaction that makes it';
  if (dueAt !== null && !isCount(dueAt, 0)) return 'a schedule is due at an instant';
  return faultOfSchedule(schedule);
}

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
