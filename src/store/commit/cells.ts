import { customerIdOf, type Payment } from '../../payments/payment.ts';
import type { Commit, NewOutboxEvent, RegistrationChange, ScheduleChange } from '../../payments/ports.ts';
import type { Schedule } from '../../payments/schedule.ts';
import { last4Of, type Registration } from '../../registrations/registration.ts';
import { tookPlace } from '../../spec/resultCodes/accepted.ts';
import type { Cell } from '../database.ts';
import { hasManyFields, writeInSlices } from '../records/longRecords.ts';
import { besideColumns, ownColumns, postingCells, readColumns } from './columns.ts';

/**
 * A commit as a flat row of cells: the writer's thread gets it so, and PostgreSQL as JSON. The cells of a registration, a wallet token and
 * a schedule follow at the end; most commits have none.
 */

/** One cell for each name: a column without a value does not compile. */
export type CellsOf<Names extends readonly string[]> = { [At in keyof Names]: Cell };

/** `open`: the outcome is not known yet. The database counts by state, and allows transitions out of `open` only. */
export type State = 'open' | 'approved' | 'declined';

export function stateOf({ phase }: Payment): State {
  if (phase.at !== 'final') return 'open';
  return tookPlace(phase.code) ? 'approved' : 'declined';
}

/** The result code of an open payment. */
const OPEN = '000.200.000';

/** The JSON of what a commit writes, where it was made beforehand. */
type WrittenTexts = { readonly payment?: string; readonly registration?: string };
/** A commit and its payment. */
type CellSource = { readonly change: Commit; readonly payment: Payment; readonly texts: WrittenTexts };
type CellReader = (source: CellSource) => Cell;
/** A field whose value is a cell as it stands. */
type ColumnField = { [Field in keyof Payment]-?: Payment[Field] extends Cell ? Field : never }[keyof Payment];

/**
 * The columns of the payment table that are read back: the field of the payment that each holds, or its cell. The order is that of the
 * cells in areas/payments.ts.
 */
const readCells = {
  merchant_id: 'merchantId',
  id: 'id',
  family_id: 'familyId',
  entity_id: 'entityId',
  referenced_id: 'referencedId',
  payment_type: 'paymentType',
  industry_practice: 'industryPractice',
  amount: 'amount',
  currency: 'currency',
  created_at: 'createdAt',
  merchant_transaction_id: 'merchantTransactionId',
  short_id: 'shortId',
  fingerprint: 'fingerprint',
  // The version of the family on which the change was decided.
  version: ({ change }) => change.version,
  revision: 'revision',
  // The fields without a column of their own.
  data: ({ payment, texts }): string => texts.payment ?? JSON.stringify(withUnknownFields(dataOf(payment), payment)),
  checkout_id: 'checkoutId',
} as const satisfies Readonly<Record<(typeof readColumns)[number] & keyof PaymentRow, ColumnField | CellReader>>;

/** The fields that have a column of their own. */
type OwnColumn = Extract<(typeof readCells)[keyof typeof readCells], keyof Payment>;
/** A brief payment is not stored. */
type DataField = Exclude<keyof Payment, OwnColumn | 'isBrief'>;

/** The other fields: one missing here does not compile. JSON leaves out undefined members. */
function dataOf(payment: Payment): { readonly [Field in DataField]: Payment[Field] | undefined } {
  return {
    paymentBrand: payment.paymentBrand,
    method: payment.method,
    mode: payment.mode,
    connector: payment.connector,
    earlier: payment.earlier,
    reference: payment.reference,
    ndc: payment.ndc,
    descriptor: payment.descriptor,
    isBrandDetected: payment.isBrandDetected,
    isLast: payment.isLast,
    numberOfCaptures: payment.numberOfCaptures,
    validity: payment.validity,
    movedAt: payment.movedAt,
    phase: payment.phase,
    instrument: payment.instrument,
    registrationId: payment.registrationId,
    customerId: payment.customerId,
    scheduleId: payment.scheduleId,
    scheduledRun: payment.scheduledRun,
    recordedBy: payment.recordedBy,
    remark: payment.remark,
    traceparent: payment.traceparent,
    details: payment.details,
    threeDS: payment.threeDS,
    risk: payment.risk,
    fields: payment.fields,
  };
}

const knownFields: ReadonlySet<string> = new Set([
  ...Object.values(readCells).filter((column) => typeof column === 'string'),
  ...Object.keys(dataOf({} as Payment)),
]);

/** A later version of the program may have stored fields that this one does not know: they stay. */
function withUnknownFields<Data extends object>(data: Data, payment: Payment): Data {
  for (const name in payment) {
    if (!knownFields.has(name)) Object.assign(data, { [name]: payment[name as keyof Payment] });
  }
  return data;
}

/** Columns for the indexes and guards of the database. `data` has what they are made of. */
const ownCells = {
  state: ({ payment }) => stateOf(payment),
  due_at: ({ payment: { phase } }) => (phase.at === 'final' ? null : phase.dueAt),
  sealed: ({ change }) => change.sealed,
  method: ({ payment }) => payment.method,
  mode: ({ payment }) => payment.mode,
  last4: ({ payment }) => last4Of(payment.instrument),
  brand: ({ payment }) => payment.paymentBrand,
  code: ({ payment: { phase } }) => (phase.at === 'final' ? phase.code : OPEN),
  email_hash: ({ change }) => change.emailHash,
  customer_id: ({ payment }) => customerIdOf(payment),
  release_at: ({ change }) => change.releaseAt,
} as const satisfies Readonly<Record<(typeof ownColumns)[number], CellReader>>;

/** The other cells of a commit: of the event, the idempotency key and the statistics. */
const besideCells = {
  moved_at: ({ payment }) => payment.movedAt,
  event_id: ({ change }) => change.event?.id ?? null,
  event_type: ({ change }) => change.event?.type ?? null,
  event_code: ({ change }) => change.event?.code ?? null,
  event_action: ({ change }) => change.event?.action ?? null,
  idempotency_entity_id: ({ change }) => change.idempotencyKey?.entityId ?? null,
  idempotency_key: ({ change }) => change.idempotencyKey?.key ?? null,
  idempotency_body_hash: ({ change }) => change.idempotencyKey?.bodyHash ?? null,
  counted: ({ change }) => change.statisticsLine,
} as const satisfies Readonly<Record<(typeof besideColumns)[number], CellReader>>;

type PostingCells = CellsOf<typeof postingCells>;
const nothing = postingCells.map(() => null) as readonly null[] as PostingCells;

export function postingCellsOf({ posting }: Pick<Commit, 'posting'>): PostingCells {
  if (!posting) return nothing;
  const { at, entries } = posting;
  const { shopper = null, reserve = null, contra = null, merchant = null, acquirer = null, chargebacks = null } = entries;
  return [at, shopper, reserve, contra, merchant, acquirer, chargebacks];
}

/** The number of a registration's own cells; its merchant is that of the payment. */
const REGISTRATION_CELLS = 15;
const EVENT_CELLS = 4;

/** `text`: the JSON of the registration, where it was made beforehand. */
export function furtherCellsOf({ registration, tokenUse }: Pick<Commit, 'registration' | 'tokenUse'>, text?: string): Cell[] {
  const event = registration?.event;
  return [
    ...(registration ? registrationCells(registration, text) : Array<null>(REGISTRATION_CELLS).fill(null)),
    ...(event ? [event.id, event.type, event.code, event.action] : Array<null>(EVENT_CELLS).fill(null)),
    tokenUse?.wallet ?? null,
    tokenUse?.tokenId ?? null,
    tokenUse?.until ?? null,
  ];
}

/** The fields without a column of their own. */
export function registrationData(registration: Registration) {
  const { id, merchantId, entityId, paymentId, state, fingerprint, createdAt, usedAt, expiresAt, tokenDueAt, revision, ...rest } =
    registration;
  return rest;
}

function registrationCells({ registration, sealed }: RegistrationChange, text?: string): Cell[] {
  const { id, entityId, paymentId, state, fingerprint, createdAt, usedAt, expiresAt, tokenDueAt, revision } = registration;
  return [
    id,
    entityId,
    paymentId,
    state,
    fingerprint,
    registration.fields['customer.merchantCustomerId'] ?? null,
    createdAt,
    usedAt,
    expiresAt,
    tokenDueAt,
    revision,
    text ?? JSON.stringify(registrationData(registration)),
    sealed === 'kept' ? null : sealed,
    sealed === 'kept' ? 1 : 0,
    registration.movedAt,
  ];
}

/** In the order of the columns of a schedule, without the merchant. */
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

export const detailText = ({ detail }: NewOutboxEvent): string | null => (detail ? JSON.stringify(detail) : null);

const readerOf = (column: ColumnField | CellReader): CellReader =>
  typeof column === 'string' ? ({ payment }) => payment[column] : column;

/** In the order of the names. */
const cellReaders: readonly CellReader[] = [
  ...readColumns.map((name) => readerOf(readCells[name])),
  ...ownColumns.map((name) => ownCells[name]),
  ...besideColumns.map((name) => besideCells[name]),
];

const NO_TEXTS: WrittenTexts = {};

/** The cells of a commit, in the order of commitCells and those behind them. */
export function cellsOf(change: Commit, texts = NO_TEXTS): Cell[] {
  const source: CellSource = { change, payment: change.payment, texts };
  // One by one: see `packed` of sqlite/jobs.ts.
  const cells: Cell[] = [];
  for (const read of cellReaders) cells.push(read(source));
  cells.push(...postingCellsOf(change));
  if (change.schedule) cells.push(...furtherCellsOf(change, texts.registration), ...scheduleCellsOf(change.schedule));
  else if (change.registration || change.tokenUse) cells.push(...furtherCellsOf(change, texts.registration));
  return cells;
}

/** Whether a commit has to be written in slices. */
export const isLongCommit = ({ payment, registration }: Commit): boolean =>
  hasManyFields(payment) || (registration !== null && hasManyFields(registration.registration));

/** The cells of a long commit: other requests come in between. */
export async function longCellsOf(change: Commit): Promise<Cell[]> {
  const { payment, registration } = change;
  const texts = { payment: await writeInSlices({ ...withUnknownFields(dataOf(payment), payment), fields: payment.fields }) };
  return cellsOf(
    change,
    registration ? { ...texts, registration: await writeInSlices(registrationData(registration.registration)) } : texts,
  );
}

/** A row of the payment table as it is read. 64-bit columns come as text from PostgreSQL, the amount from both. */
export type PaymentRow = {
  readonly merchant_id: string;
  readonly id: string;
  readonly family_id: string;
  readonly entity_id: string;
  readonly referenced_id: string | null;
  readonly payment_type: Payment['paymentType'];
  readonly industry_practice: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly created_at: string | number;
  readonly merchant_transaction_id: string | null;
  readonly short_id: string;
  readonly fingerprint: string | null;
  readonly version: string | number;
  readonly revision: string | number;
  readonly data: string;
  readonly checkout_id: string | null;
};
