import type { Cell } from '../database.ts';

/**
 * The names of the cells of a commit, which are those of the columns. The drivers need no more of a commit than these: the writer's thread
 * loads no module of the domain.
 */

/** The columns of the payment table that are read back. */
export const readColumns = [
  'merchant_id',
  'id',
  'family_id',
  'entity_id',
  'referenced_id',
  'payment_type',
  'industry_practice',
  'amount',
  'currency',
  'created_at',
  'merchant_transaction_id',
  'short_id',
  'fingerprint',
  'version',
  'revision',
  'data',
  'checkout_id',
] as const;

/** Columns for the indexes and guards of the database; `data` has the values that they are made of. */
export const ownColumns = [
  'state',
  'due_at',
  'sealed',
  'method',
  'mode',
  'last4',
  'brand',
  'code',
  'email_hash',
  'customer_id',
  'release_at',
] as const;

/** The columns of the payment table. */
export const paymentColumns = [...readColumns, ...ownColumns] as const;

/** The other cells of a commit: of the event, the idempotency key and the statistics. */
export const besideColumns = [
  'moved_at',
  'event_id',
  'event_type',
  'event_code',
  'event_action',
  'idempotency_entity_id',
  'idempotency_key',
  'idempotency_body_hash',
  'counted',
] as const;

/** The cells of what a commit does to the books, null where it does nothing; see `isSum`. Fees come with settlements only. */
export const postingCells = [
  'posting_at',
  'posting_shopper',
  'posting_reserve',
  'posting_contra',
  'posting_merchant',
  'posting_acquirer',
  'posting_chargebacks',
] as const;

/** Of these a null is a 0 in the table: what is left out of a commit need not be sent. */
export const isSum = (cell: string): boolean => cell.startsWith('posting_') && cell !== 'posting_at';

/** The cells of every commit. */
export const commitCells = [...paymentColumns, ...besideColumns, ...postingCells] as const;

/** The further cells of a commit that changes a registration or a schedule, or uses a wallet token. Other commits leave them out. */
export const furtherCells = [
  'registration_id',
  'registration_entity_id',
  'registration_payment_id',
  'registration_state',
  'registration_fingerprint',
  'registration_customer_id',
  'registration_created_at',
  'registration_used_at',
  'registration_expires_at',
  'registration_token_due_at',
  'registration_revision',
  'registration_data',
  'registration_sealed',
  'registration_is_sealed_kept',
  'registration_moved_at',
  'registration_event_id',
  'registration_event_type',
  'registration_event_code',
  'registration_event_action',
  'token_use_wallet',
  'token_use_token_id',
  'token_use_until',
] as const;

export type FurtherCell = (typeof furtherCells)[number];

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

export type CommitCell = (typeof commitCells)[number] | FurtherCell | ScheduleCell;

/** Whether a row has nothing but a payment in it. */
export const isPlain = (cells: readonly Cell[]): boolean => cells.length === commitCells.length;

/** Whether a row has a schedule in it. */
export const hasSchedule = (cells: readonly Cell[]): boolean => cells.length > commitCells.length + furtherCells.length;

const [STATE, REVISION, CHECKOUT] = (['state', 'revision', 'checkout_id'] as const).map((name) => commitCells.indexOf(name)) as [
  number,
  number,
  number,
];

/** Whether a row begins a payment that another payment of its checkout may block. A stored payment is not blocked. */
export const entersCheckout = (cells: readonly Cell[]): boolean =>
  cells[CHECKOUT] !== null && cells[REVISION] === 1 && cells[STATE] !== 'declined';
