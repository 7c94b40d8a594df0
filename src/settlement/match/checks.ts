import type { Directory, Entity } from '../../merchants/directory.ts';
import { amountText } from '../../money/amount.ts';
import { balanceOf, isApproved } from '../../payments/balance.ts';
import { disputedPayment, recordable } from '../../payments/chargebacks/bankRecord.ts';
import type { Payment } from '../../payments/payment.ts';
import type { ExceptionKind } from '../../spec/answers/settlement.ts';
import type { TransactionType } from '../../spec/paymentTypes.ts';
import { DAY_MS } from '../../spec/time.ts';
import { isFee, type SettledLine, type SettledType, type SettlementRecord } from '../record.ts';
import { settlementOf, type Tolerance, toleranceOf } from '../settings.ts';

/** A line, a payment that it may be about, and the data to compare them. */
export type Pair = {
  readonly line: SettledLine;
  readonly payment: Payment;
  readonly family: readonly Payment[];
  /** Records matched with this payment before. */
  readonly earlier: readonly SettlementRecord[];
  readonly tolerance: Tolerance;
  /** The format of the line's file, and its id. */
  readonly format: string;
  readonly fileId: string;
};

const debits: readonly TransactionType[] = ['DB', 'CP', 'RB', 'RC'];

/** The transaction types that a line can be about, by its own type. None: it is about no single payment. */
const subjects: Readonly<Record<SettledType, readonly TransactionType[]>> = {
  DEBIT: debits,
  CREDIT: ['CD'],
  REFUND: ['RF'],
  BATCH: [],
  MONTHLY: [],
  SUBMERCHANT: [],
  PAYMENT_FACILITATOR: [],
  AUTH_FEE: ['PA', 'DB'],
  CAPTURE_FEE: ['CP', 'DB'],
  CANCEL_FEE: ['RV'],
  REFUND_FEE: ['RF'],
};

/** The transaction types that can be charged back, by the type of the line: a refund that came back is one too. */
const chargeable: Readonly<Partial<Record<SettledType, readonly TransactionType[]>>> = { REFUND: ['RF'] };
const charged: readonly TransactionType[] = ['DB', 'CP', 'RB'];

export const isDispute = <Line extends Pick<SettledLine, 'recordType'>>(
  line: Line,
): line is Line & { readonly recordType: 'CHARGEBACK' | 'CHARGEBACK REVERSAL' } =>
  line.recordType === 'CHARGEBACK' || line.recordType === 'CHARGEBACK REVERSAL';

export const subjectsOf = (line: Pick<SettledLine, 'recordType' | 'transactionType'>): readonly TransactionType[] =>
  isDispute(line) ? (chargeable[line.transactionType] ?? charged) : subjects[line.transactionType];

/** The payments that a line can be about when it names this one: the payment itself, or its follow-ups. */
export function subjectsBelow(line: SettledLine, payment: Payment, family: readonly Payment[]): readonly Payment[] {
  const types = subjectsOf(line);
  if (types.includes(payment.paymentType)) return [payment];
  const children = family.filter(({ referencedId }) => referencedId === payment.id);
  return children.flatMap((child) => subjectsBelow(line, child, family));
}

const moneyText = (amount: bigint, currency: string): string => `${amountText(amount)} ${currency}`;

const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
const dayOf = ({ createdAt }: Payment): number => Math.floor(createdAt / DAY_MS);

/** Allows for the clocks and time zones of two institutions. */
const PRESENTED_MS_MAX = 2 * DAY_MS;

type Check = (pair: Pair) => string | null;

const approved: Check = ({ payment }) => (isApproved(payment) ? null : 'it was not approved');

const sameCurrency: Check = ({ line, payment }) =>
  isFee(line) || line.currency === payment.currency ? null : `the line is in ${line.currency} and it is in ${payment.currency}`;

const cashflows: Readonly<Record<string, 'POS' | 'NEG'>> = {
  'SETTLED DEBIT': 'POS',
  'SETTLED CREDIT': 'NEG',
  'SETTLED REFUND': 'NEG',
  'CHARGEBACK DEBIT': 'NEG',
  'CHARGEBACK REVERSAL DEBIT': 'POS',
  'CHARGEBACK REFUND': 'POS',
  'CHARGEBACK REVERSAL REFUND': 'NEG',
};

const direction: Check = ({ line }) => {
  const expected = cashflows[`${line.recordType} ${line.transactionType}`];
  if (line.status === 'FAILED' || expected === undefined || expected === line.cashflow) return null;
  return `the money goes the wrong way for a ${line.recordType} of a ${line.transactionType}`;
};

const sameCard: Check = ({ line, payment: { instrument } }) => {
  const own = instrument && 'last4Digits' in instrument ? instrument.last4Digits : null;
  if (line.last4 === null || own === null || line.last4 === own) return null;
  return `the line is about an account that ends with ${line.last4}, and it was paid with one that ends with ${own}`;
};

const inTime: Check = ({ line, payment, family, tolerance }) => {
  const days = dayNumber(line.settledOn) - dayOf(payment);
  const most = isDispute(line) || isFee(line) ? tolerance.chargebackDaysMax : tolerance.daysMax;
  if (days < -1) return `it was made after the ${line.settledOn} on which the line is settled`;
  if (days > most) return `it was made ${days} days before it was settled, and ${most} are allowed`;
  if (line.presentedAt === null) return null;
  const presented = Date.parse(`${line.presentedAt.replace(' ', 'T')}Z`);
  const { familyId } = payment;
  const began = family.filter(({ id }) => id === payment.id || id === familyId || id === payment.referencedId);
  const isNear = began.some(({ createdAt }) => Math.abs(createdAt - presented) <= PRESENTED_MS_MAX);
  return isNear ? null : `the line was presented at ${line.presentedAt}, and it was made at another time`;
};

/** Equal lines are one line sent twice: the money moved once. */
const isTwin = (one: SettledLine, other: SettledLine): boolean =>
  one.recordType === other.recordType &&
  one.transactionType === other.transactionType &&
  one.status === other.status &&
  one.amount === other.amount &&
  one.settledOn === other.settledOn &&
  one.settlementId === other.settlementId;

/** A bank's intraday reports, its statement and its notification repeat each other. */
const repeating = ['camt.052', 'camt.053', 'camt.054'];
/** Lines of these types repeat each other when they are of one day, too. */
const repeatingItself = 'camt.052';

type Repeating = Pick<Pair, 'line' | 'format' | 'fileId'>;

/**
 * Whether a line is in another of them as well. The bank's references may differ there, and an intraday report may not have the day of
 * value yet, but not both.
 */
function isRepeat({ line, format, fileId }: Repeating, earlier: SettlementRecord): boolean {
  const isOther = earlier.format !== format || (format === repeatingItself && earlier.fileId !== fileId);
  if (!isOther || !repeating.includes(format) || !repeating.includes(earlier.format)) return false;
  const { settlementId, settledOn } = line;
  const isSameBooking = settlementId !== null && settlementId === earlier.settlementId;
  return isTwin({ ...earlier, settlementId, ...(isSameBooking && { settledOn }) }, line);
}

const recordPlace = ({ line, fileId, settledOn }: SettlementRecord): string =>
  `line ${line} of the file ${fileId}, settled on ${settledOn}`;

const repeated: Check = ({ line, format, fileId, earlier }) => {
  const twin = earlier.find((record) => isRepeat({ line, format, fileId }, record));
  return twin ? `the same is said already by ${recordPlace(twin)}` : null;
};

const once: Check = ({ line, payment, earlier }) => {
  const twin = earlier.find((record) => isTwin(record, line));
  if (twin) return `the same is said already by ${recordPlace(twin)}`;
  if (line.recordType !== 'SETTLED' || line.status === 'FAILED' || isFee(line)) return null;
  const settled = earlier.filter((record) => record.recordType === 'SETTLED' && record.status === 'SUCCESS' && !isFee(record));
  const sum = settled.reduce((total, { amount }) => total + amount, 0n);
  const [first] = settled;
  return first && sum >= payment.amount ? `it is settled already, by ${recordPlace(first)}` : null;
};

const sameAmount: Check = ({ line, payment, earlier, tolerance, family }) => {
  if (isFee(line)) return null;
  const lineText = `the line is about ${moneyText(line.amount, line.currency)}`;
  const disputed = { payment, family, records: earlier };
  if (isDispute(line) && clearsRecorded(line.recordType, line.amount, disputed)) return null;
  const pending = (type: 'CHARGEBACK' | 'CHARGEBACK REVERSAL'): bigint =>
    unrecordedLines(type, disputed).reduce((total, { amount }) => total + amount, 0n);
  if (line.recordType === 'CHARGEBACK') {
    const rest = recordable('CB', { family, payment }) - pending('CHARGEBACK') + pending('CHARGEBACK REVERSAL');
    return line.amount > 0n && line.amount <= rest
      ? null
      : `${lineText}, and ${moneyText(rest < 0n ? 0n : rest, payment.currency)} of it can be charged back`;
  }
  if (line.recordType === 'CHARGEBACK REVERSAL') {
    const rest = balanceOf(family, payment).chargedBack.least + pending('CHARGEBACK') - pending('CHARGEBACK REVERSAL');
    return line.amount > 0n && line.amount <= rest
      ? null
      : `${lineText}, and ${moneyText(rest < 0n ? 0n : rest, payment.currency)} of it was charged back`;
  }
  if (line.amount === payment.amount && earlier.length === 0) return null;
  const sum = earlier
    .filter(({ recordType, status }) => recordType === 'SETTLED' && status === 'SUCCESS')
    .reduce((total, { amount }) => total + amount, 0n);
  if (tolerance.isInParts && line.amount > 0n && line.amount + sum <= payment.amount) return null;
  if (sum === 0n && line.amount === payment.amount) return null;
  const rest =
    sum === 0n
      ? `it is of ${moneyText(payment.amount, payment.currency)}`
      : `${moneyText(payment.amount - sum, payment.currency)} of it is left`;
  return `${lineText}, and ${rest}`;
};

const RATE = /^([0-9]+)(?:\.([0-9]+))?$/;

/** Converts an amount and rounds it down to hundredths. */
function exchanged(amount: bigint, rate: string): bigint {
  const [, whole = '0', part = ''] = RATE.exec(rate) ?? [];
  return (amount * BigInt(whole + part)) / 10n ** BigInt(part.length);
}

const feeCap = (gross: bigint, { feeBasisPoints, feeFixed }: Tolerance): bigint => (gross * feeBasisPoints) / 10_000n + feeFixed;

const fairFee: Check = ({ line, tolerance }) => {
  if (isFee(line) || isDispute(line) || line.fee === null) return null;
  const most = feeCap(exchanged(line.amount, line.fxRate), tolerance);
  return line.fee <= most
    ? null
    : `the fee of ${moneyText(line.fee, line.settledCurrency)} is more than the ${amountText(most)} that are allowed`;
};

/** The settled amount is the paid amount at the rate, with or without the fee. */
const fairSum: Check = ({ line, tolerance }) => {
  if (isFee(line) || isDispute(line)) return null;
  const gross = exchanged(line.amount, line.fxRate);
  const isSame = line.currency === line.settledCurrency;
  const slack = isSame ? 0n : (gross * tolerance.fxBasisPoints) / 10_000n + 1n;
  const fee = line.fee ?? feeCap(gross, tolerance);
  const [least, most] = line.cashflow === 'POS' ? [gross - fee - slack, gross + slack] : [gross - slack, gross + fee + slack];
  if (line.settledAmount >= least && line.settledAmount <= most) return null;
  return `${moneyText(line.settledAmount, line.settledCurrency)} was settled where its amount, rate and fee make ${amountText(gross - (line.fee ?? 0n))}`;
};

/** All checks of a match, in the order in which failures are reported, with the exception that each is. */
const checks: readonly (readonly [kind: ExceptionKind, check: Check])[] = [
  ['notApproved', approved],
  ['currencyDiffers', sameCurrency],
  ['directionDiffers', direction],
  ['duplicate', repeated],
  ['duplicate', once],
  ['amountDiffers', sameAmount],
  ['cardDiffers', sameCard],
  ['dateDiffers', inTime],
  ['feeDiffers', fairFee],
  ['amountDiffers', fairSum],
];

/** Checks that a manual match must pass too. */
const manualChecks: readonly Check[] = [
  approved,
  sameCurrency,
  repeated,
  once,
  (pair) => (isDispute(pair.line) ? sameAmount(pair) : null),
];

export const manualDisagreement = (pair: Pair): string | null =>
  manualChecks.map((check) => check(pair)).find((why) => why !== null) ?? null;

/** `why`: the end of a sentence about the payment. `isRepeat`: it is expected, and no work for a person. */
type Disagreement = { readonly kind: ExceptionKind; readonly why: string; readonly isRepeat: boolean };

/** The first failed check; null: all pass. */
export function disagreement(pair: Pair): Disagreement | null {
  for (const [kind, check] of checks) {
    const why = check(pair);
    if (why !== null) return { kind, why, isRepeat: check === repeated };
  }
  return null;
}

/**
 * A platform may record a chargeback by the API, or the acquirer notify of it, before the acquirer's file has it. Its line clears that
 * transaction: a second one would take the money twice.
 */

const LINE_SOURCE = 'settlement record ';
/** The source of a transaction that a settlement line has made. */
export const lineSourceOf = ({ id }: Pick<SettlementRecord, 'id'>): string => LINE_SOURCE + id;
/** A line that is about to save its transaction has none yet. Another line must not clear it. */
const isMadeByLine = ({ recordedBy }: Payment): boolean => recordedBy?.startsWith(LINE_SOURCE) === true;

type DisputeType = 'CHARGEBACK' | 'CHARGEBACK REVERSAL';
const recordedAs: Readonly<Record<DisputeType, Payment['paymentType']>> = { CHARGEBACK: 'CB', 'CHARGEBACK REVERSAL': 'CR' };

type Disputed = {
  readonly payment: Payment;
  readonly family: readonly Payment[];
  /** Records matched with this payment. */
  readonly records: readonly SettlementRecord[];
};

/** The transactions about a payment that no line has made, and that no line has cleared yet; the oldest first. */
export function recordedBefore(type: DisputeType, { payment, family, records }: Disputed): readonly Payment[] {
  const cleared = new Set(records.map(({ chargebackId }) => chargebackId));
  return family
    .filter(
      (one) =>
        one.paymentType === recordedAs[type] &&
        !isMadeByLine(one) &&
        isApproved(one) &&
        !cleared.has(one.id) &&
        disputedPayment(family, one)?.id === payment.id,
    )
    .sort((one, other) => (one.createdAt === other.createdAt ? (one.id < other.id ? -1 : 1) : one.createdAt - other.createdAt));
}

/** Matched lines that will get a transaction of their own, because none was recorded before. */
function unrecordedLines(type: DisputeType, disputed: Disputed): readonly SettlementRecord[] {
  const amounts = recordedBefore(type, disputed).map(({ amount }) => amount);
  return disputed.records
    .filter(({ recordType, chargebackId }) => recordType === type && chargebackId === null)
    .filter(({ amount }) => {
      const at = amounts.indexOf(amount);
      if (at !== -1) amounts.splice(at, 1);
      return at === -1;
    });
}

/** Whether a line of this amount has a transaction to clear, beside the matched lines that wait for theirs. */
function clearsRecorded(type: DisputeType, amount: bigint, disputed: Disputed): boolean {
  const recorded = recordedBefore(type, disputed).filter((one) => one.amount === amount);
  const waiting = disputed.records.filter((one) => one.recordType === type && one.chargebackId === null && one.amount === amount);
  return recorded.length > waiting.length;
}

/** The payments that a line can be about: payments of some merchants, or of one channel. */
export type MatchScope = {
  readonly merchantIds: readonly string[];
  /** A channel; null: all channels of the merchants. */
  readonly entityId: string | null;
  readonly tolerance: Tolerance;
};

export type FileScopes = {
  /** The scope of a line by its account number; null: the number belongs to no entity here. */
  readonly scopeOf: (line: SettledLine) => MatchScope | null;
  /** All payments of the entity that owns the file. */
  readonly whole: MatchScope;
};

export const isWithin = ({ merchantIds, entityId }: MatchScope, payment: Payment): boolean =>
  merchantIds.includes(payment.merchantId) && (entityId === null || payment.entityId === entityId);

function entityScope(directory: Pick<Directory, 'idsBelow'>, entity: Entity): MatchScope {
  const merchants = entity.merchantId === null ? directory.idsBelow(entity.id, 'merchant') : [entity.merchantId];
  const entityId = entity.kind === 'channel' ? entity.id : null;
  return { merchantIds: merchants, entityId, tolerance: toleranceOf(settlementOf(entity.settings.settlement)) };
}

export type ScopeDirectory = Pick<Directory, 'entity' | 'idsBelow' | 'ownersOf'>;

/** The lowest entity with each account number, at or below one. Account numbers are inherited, so the owners of the setting are enough. */
function accountOwners(directory: ScopeDirectory, entity: Entity): ReadonlyMap<string, Entity> {
  const isBelow = (one: Entity): boolean => one.path.includes(entity.id);
  const owners = directory.ownersOf('settlement').flatMap((id) => directory.entity(id) ?? []);
  const lowestLast = [entity, ...owners.filter(isBelow)].sort((one, other) => one.path.length - other.path.length);
  return new Map(
    lowestLast.flatMap((one) => settlementOf(one.settings.settlement).accounts.map((number) => [number, one] as const)),
  );
}

/** The scopes of an entity's file; null: there is no such entity. */
export function findFileScopes(directory: ScopeDirectory, entityId: string): FileScopes | null {
  const entity = directory.entity(entityId);
  if (!entity) return null;
  const whole = entityScope(directory, entity);
  const owners = accountOwners(directory, entity);
  const known = new Map<string, MatchScope>();
  return {
    whole,
    scopeOf: ({ clearingInstitute: { merchantId: number } }) => {
      const owner = owners.get(number);
      // Without any account number in the settings, numbers are not checked.
      if (!owner) return owners.size === 0 ? whole : null;
      const scope = known.get(number) ?? entityScope(directory, owner);
      known.set(number, scope);
      return scope;
    },
  };
}
