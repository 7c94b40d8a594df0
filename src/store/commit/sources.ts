import type { CommitCell, FurtherCell, ScheduleCell } from './names.ts';

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

/** What an update writes. It writes the origin too, so that the guards refuse another origin. */
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

/** Whether another payment of a checkout is open or has succeeded, along the index payment_checkout. */
export const otherOfCheckout = `
    SELECT 1 FROM payment
    WHERE merchant_id = ?1 AND checkout_id = ?2 AND checkout_id IS NOT NULL AND state <> 'declined' AND id <> ?3`;
