import type { EntityKind, EntityRow, TokenRow, VersionedEntity } from '../../merchants/ports.ts';
import { customerIdOf, type Family, type Payment } from '../../payments/payment.ts';
import type { Commit, HistoryQuery } from '../../payments/ports.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import { last4Of } from '../../registrations/registration.ts';
import { tookPlace } from '../../spec/resultCodes/accepted.ts';
import { postingCells, postingCellsOf } from './ledger.ts';
import { hasManyFields, isSliced, readInSlices, writeInSlices } from './longFields.ts';
import { type FurtherCell, faultOfFurther, furtherCells, furtherCellsOf, registrationData } from './registrationRules.ts';
import { type ScheduleCell, scheduleCellsOf } from './schedules.ts';

export type Cell = string | number | bigint | Uint8Array | null;
/** One cell for each name: a column without a value does not compile. */
export type CellsOf<Names extends readonly string[]> = { [At in keyof Names]: Cell };

/** `open`: the outcome is not known yet. The database counts by state, and allows transitions out of `open` only. */
export type State = 'open' | 'approved' | 'declined';

export function stateOf({ phase }: Payment): State {
  if (phase.at !== 'final') return 'open';
  return tookPlace(phase.code) ? 'approved' : 'declined';
}

/** Thirteen digits and two decimals, as the CHECK of the payment table says. */
const AMOUNT_MAX = 999_999_999_999_999n;

/** Throws when a commit contradicts itself, so that every driver refuses the same ones before anything is touched. */
export function checkCommit(change: Commit): void {
  const { payment, version, sealed } = change;
  const { id, familyId, revision, amount, referencedId } = payment;
  const isFirst = id === familyId && revision === 1;
  const fault =
    (isFirst !== (version === 0) && 'version 0 belongs to the first payment of a family and to no other') ||
    (!(Number.isSafeInteger(revision) && revision >= 1) && 'revisions count from 1') ||
    (id !== familyId && referencedId === null && 'a member of a family references a payment') ||
    ((amount < 0n || amount > AMOUNT_MAX) && 'the amount is out of range') ||
    (sealed !== null && revision > 1 && 'an instrument is sealed with a new payment only') ||
    faultOfFurther(change);
  if (fault) throw new BrokenCommit(`commit of payment ${id}: ${fault}`);
}

/** What no commit may change in a stored payment. */
export const fixedFields = [
  'familyId',
  'entityId',
  'referencedId',
  'paymentType',
  'industryPractice',
  'amount',
  'currency',
  'createdAt',
  'checkoutId',
] as const satisfies readonly (keyof Payment)[];

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
 * rows in sqlite/pages.ts.
 */
const readColumns = {
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
} as const satisfies Readonly<Record<keyof PaymentRow, ColumnField | CellReader>>;

/** The fields that have a column of their own. */
type OwnColumn = Extract<(typeof readColumns)[keyof typeof readColumns], keyof Payment>;
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
  ...Object.values(readColumns).filter((column) => typeof column === 'string'),
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
const ownColumns = {
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
} as const satisfies Readonly<Record<string, CellReader>>;

/** The other cells of a commit: of the event, the idempotency key and the statistics. */
const besideColumns = {
  moved_at: ({ payment }) => payment.movedAt,
  event_id: ({ change }) => change.event?.id ?? null,
  event_type: ({ change }) => change.event?.type ?? null,
  event_code: ({ change }) => change.event?.code ?? null,
  event_action: ({ change }) => change.event?.action ?? null,
  idempotency_entity_id: ({ change }) => change.idempotencyKey?.entityId ?? null,
  idempotency_key: ({ change }) => change.idempotencyKey?.key ?? null,
  idempotency_body_hash: ({ change }) => change.idempotencyKey?.bodyHash ?? null,
  counted: ({ change }) => change.statisticsLine,
} as const satisfies Readonly<Record<string, CellReader>>;

const namesIn = <Name extends string>(columns: Readonly<Record<Name, unknown>>) =>
  Object.keys(columns) as unknown as readonly Name[];

/** The columns of the payment table. */
export const paymentColumns = [...namesIn(readColumns), ...namesIn(ownColumns)] as const;

/** The columns of a payment as they are read. */
export const readable = namesIn(readColumns)
  .map((name) => (name === 'amount' ? 'CAST(amount AS TEXT) AS amount' : name))
  .join(', ');

/**
 * A commit as a flat row: what crosses to the writer's thread, and what PostgreSQL gets as JSON. The names are those of the columns. A
 * commit with a registration, a wallet token or a schedule has the cells of registrationRules.ts behind these, and one with a schedule
 * those of schedules.ts behind them.
 */
export const commitCells = [...paymentColumns, ...namesIn(besideColumns), ...postingCells] as const;

export type CommitCell = (typeof commitCells)[number] | FurtherCell | ScheduleCell;

const readerOf = (column: ColumnField | CellReader): CellReader =>
  typeof column === 'string' ? ({ payment }) => payment[column] : column;

const cellReaders = [readColumns, ownColumns, besideColumns]
  .flatMap((columns): (ColumnField | CellReader)[] => Object.values(columns))
  .map(readerOf);

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

export const paymentOf = (row: PaymentRow): Payment => paymentFrom(row, JSON.parse(row.data) as Payment);

/** The same; a long one is read in slices, and other requests come in between. */
export const readPayment = (row: PaymentRow): Payment | Promise<Payment> =>
  isSliced(row.data) ? readInSlices<Payment>(row.data).then((data) => paymentFrom(row, data)) : paymentOf(row);

/** Several of them. */
export function readPayments(rows: readonly PaymentRow[]): Payment[] | Promise<Payment[]> {
  return rows.some(({ data }) => isSliced(data)) ? Promise.all(rows.map(readPayment)) : rows.map(paymentOf);
}

export function paymentFrom(row: PaymentRow, data: Payment): Payment {
  return {
    ...data,
    merchantId: row.merchant_id,
    id: row.id,
    familyId: row.family_id,
    entityId: row.entity_id,
    referencedId: row.referenced_id,
    paymentType: row.payment_type,
    industryPractice: row.industry_practice,
    amount: BigInt(row.amount),
    currency: row.currency,
    createdAt: Number(row.created_at),
    merchantTransactionId: row.merchant_transaction_id,
    shortId: row.short_id,
    fingerprint: row.fingerprint,
    revision: Number(row.revision),
    checkoutId: row.checkout_id,
  };
}

/** The first payment leads; the clocks of several nodes may differ, so the rest goes by time and then by id. */
export function oldestFirst(one: Payment, other: Payment): number {
  const lead = Number(other.id === other.familyId) - Number(one.id === one.familyId);
  return lead || one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
}

export function readFamily(rows: readonly PaymentRow[]): Family | null | Promise<Family> {
  const root = rows.find((row) => row.id === row.family_id);
  if (!root) return null;
  const familyOf = (payments: Payment[]): Family => ({ version: Number(root.version), payments: payments.sort(oldestFirst) });
  const payments = readPayments(rows);
  return payments instanceof Promise ? payments.then(familyOf) : familyOf(payments);
}

/** The parameters of the statements for a page of payments of all merchants, or of one. */
export function historyCells({ after, before, merchantId, limit }: HistoryQuery): (string | number)[] {
  const from = after ? [after.createdAt, after.merchantId, after.id] : [Number.MIN_SAFE_INTEGER, '', ''];
  const cells = [...from, Math.min(before, Number.MAX_SAFE_INTEGER), limit];
  return merchantId === null ? cells : [...cells, merchantId];
}

export type StoredIdempotencyKey = { readonly payment_id: string; readonly body_hash: string };

export type StoredEntity = {
  readonly id: string;
  readonly kind: EntityKind;
  readonly parent_id: string | null;
  readonly name: string;
  readonly settings: string;
  readonly revision: string | number;
};

export const entityCells = ({ id, kind, parentId, name, settings }: EntityRow): Cell[] => [
  id,
  kind,
  parentId,
  name,
  JSON.stringify(settings),
];

export const entityOf = ({ id, kind, parent_id, name, settings, revision }: StoredEntity): VersionedEntity => ({
  id,
  kind,
  parentId: parent_id,
  name,
  settings: settings === '{}' ? {} : (JSON.parse(settings) as EntityRow['settings']),
  revision: Number(revision),
});

export type StoredToken = {
  readonly token_hash: string;
  readonly entity_id: string;
  readonly user_id: string;
  readonly created_at: string | number;
  readonly name: string | null;
  readonly created_by: string | null;
  readonly ends_at: string | number | null;
  readonly used_on: string | number | null;
  /** JSON. */
  readonly allowed_addresses: string | null;
};

export const tokenCells = ({ tokenHash, entityId, userId, createdAt, ...known }: TokenRow): Cell[] => [
  tokenHash,
  entityId,
  userId,
  createdAt,
  known.name ?? null,
  known.createdBy ?? null,
  known.endsAt ?? null,
  known.usedOn ?? null,
  known.allowedAddresses ? JSON.stringify(known.allowedAddresses) : null,
];

/** Without a copy of the rest: a node reads some hundred thousand at its start. */
export const tokenOf = (row: StoredToken): TokenRow => ({
  tokenHash: row.token_hash,
  entityId: row.entity_id,
  userId: row.user_id,
  createdAt: Number(row.created_at),
  ...(row.name !== null && { name: row.name }),
  ...(row.created_by !== null && { createdBy: row.created_by }),
  ...(row.ends_at !== null && { endsAt: Number(row.ends_at) }),
  ...(row.used_on !== null && { usedOn: Number(row.used_on) }),
  ...(row.allowed_addresses !== null && { allowedAddresses: JSON.parse(row.allowed_addresses) as readonly string[] }),
});
