import type { Cell } from '../database.ts';

/**
 * The names of the cells of a commit, which are the names of the columns. The drivers need no more of a commit than these, so that the
 * writer's thread loads no module of the domain.
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

/** A null in these cells is a 0 in the table, so that a commit need not send zeros. */
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

type FurtherCell = (typeof furtherCells)[number];

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

type ScheduleCell = (typeof scheduleCells)[number];

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

/** Which cell of a commit each column of each table comes from. */

/** Columns that a commit may not change. They are part of its condition, so that a commit that would change one updates no row. */
export const fixedColumns = [
  'family_id',
  'entity_id',
  'referenced_id',
  'payment_type',
  'industry_practice',
  'amount',
  'currency',
  'created_at',
  'checkout_id',
] as const satisfies readonly CommitCell[];

/** Where the columns of the smaller tables come from. */
export const idempotencyKeySource = {
  merchant_id: 'merchant_id',
  entity_id: 'idempotency_entity_id',
  key: 'idempotency_key',
  body_hash: 'idempotency_body_hash',
  payment_id: 'id',
  created_at: 'moved_at',
} as const satisfies Record<string, CommitCell>;

export const eventSource = {
  merchant_id: 'merchant_id',
  id: 'event_id',
  entity_id: 'entity_id',
  subject_id: 'id',
  revision: 'revision',
  type: 'event_type',
  code: 'event_code',
  action: 'event_action',
  created_at: 'moved_at',
} as const satisfies Record<string, CommitCell>;
/** Where the columns of a payment's posting come from. */
export const postingSource = {
  merchant_id: 'merchant_id',
  subject_id: 'id',
  revision: 'revision',
  at: 'posting_at',
  currency: 'currency',
  mode: 'mode',
  shopper: 'posting_shopper',
  reserve: 'posting_reserve',
  contra: 'posting_contra',
  merchant: 'posting_merchant',
  acquirer: 'posting_acquirer',
  chargebacks: 'posting_chargebacks',
} as const satisfies Record<string, CommitCell>;

/** Where the columns of a payment's line come from. */
export const changeSource = {
  merchant_id: 'merchant_id',
  subject_id: 'id',
  revision: 'revision',
  line: 'counted',
} as const satisfies Record<string, CommitCell>;

/** Where the columns of a registration come from. */
export const registrationSource = {
  merchant_id: 'merchant_id',
  id: 'registration_id',
  entity_id: 'registration_entity_id',
  payment_id: 'registration_payment_id',
  state: 'registration_state',
  fingerprint: 'registration_fingerprint',
  customer_id: 'registration_customer_id',
  created_at: 'registration_created_at',
  used_at: 'registration_used_at',
  expires_at: 'registration_expires_at',
  token_due_at: 'registration_token_due_at',
  revision: 'registration_revision',
  data: 'registration_data',
  sealed: 'registration_sealed',
} as const satisfies Record<string, CommitCell>;

/** The columns of an update, the origin included, so that the guards refuse another origin. */
export const registrationUpdated = Object.entries(registrationSource).filter(
  ([column]) => !['merchant_id', 'id', 'sealed'].includes(column),
) as readonly (readonly [column: string, cell: FurtherCell])[];

export const registrationEventSource = {
  merchant_id: 'merchant_id',
  id: 'registration_event_id',
  entity_id: 'registration_entity_id',
  subject_id: 'registration_id',
  revision: 'registration_revision',
  type: 'registration_event_type',
  code: 'registration_event_code',
  action: 'registration_event_action',
  created_at: 'registration_moved_at',
  transaction_id: 'id',
} as const satisfies Record<string, CommitCell>;

export const tokenUseSource = {
  merchant_id: 'merchant_id',
  wallet: 'token_use_wallet',
  token_id: 'token_use_token_id',
  until: 'token_use_until',
  payment_id: 'id',
} as const satisfies Record<string, CommitCell>;

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

/** The columns of an update, the origin included, so that the guards refuse another origin. */
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

/** Whether another payment of a checkout is open or has succeeded, along the index payment_checkout. */
export const otherOfCheckout = `
    SELECT 1 FROM payment
    WHERE merchant_id = ?1 AND checkout_id = ?2 AND checkout_id IS NOT NULL AND state <> 'declined' AND id <> ?3`;
