import type { Payment } from '../../payments/payment.ts';
import type { ExceptionKind } from '../../spec/answers/settlement.ts';
import type { PaymentName } from '../ports.ts';
import { isFee, type Match, type SettledLine, type SettlementRecord } from '../record.ts';
import type { Tolerance } from '../settings.ts';
import { disagreement, isDispute, type Pair, subjectsBelow, subjectsOf } from './checks.ts';

/** The payments that a line may refer to, of its merchants only. */
export type MatchContext = {
  readonly named: (name: PaymentName) => readonly Payment[];
  /** Payments with the same amount, for a line without a reference. */
  readonly alike: (line: SettledLine) => readonly Payment[];
  readonly family: (payment: Payment) => readonly Payment[];
  /** Records already matched with a payment. */
  readonly earlier: (payment: Payment) => readonly SettlementRecord[];
  readonly tolerance: Tolerance;
  /** The format of the file, and its id. */
  readonly format: string;
  readonly fileId: string;
};

/** A match and the payment that it was made with. */
export type MatchResult = { readonly match: Match; readonly payment: Payment | null };

type Unmatched = {
  readonly kind: ExceptionKind;
  readonly by: string;
  readonly why: string;
  readonly candidates?: readonly Payment[];
  /** By default it waits for a decision. */
  readonly isOpen?: boolean;
};

const shownIds = (payments: readonly Payment[]): readonly string[] => payments.slice(0, SHOWN_MAX).map(({ id }) => id);

const unmatched = ({ kind, by, why, candidates = [], isOpen = true }: Unmatched): MatchResult => ({
  match: {
    status: 'NOT_MATCHED',
    paymentIds: [],
    by,
    why,
    isOpen,
    exception: { kind, candidateIds: shownIds(candidates) },
  },
  payment: null,
});

const several = (payments: readonly Payment[], { kind, by, why }: Unmatched): MatchResult => ({
  match: {
    status: 'MULTIPLE_MATCHES',
    paymentIds: shownIds(payments),
    by,
    why,
    isOpen: true,
    exception: { kind, candidateIds: shownIds(payments) },
  },
  payment: null,
});

const matched = (by: string, payment: Payment, why: string): MatchResult => ({
  match: { status: 'MATCHED', paymentIds: [payment.id], by, why, isOpen: false },
  payment,
});

const SHOWN_MAX = 20;
/** A truncated reference of this length still identifies a payment that another reference names. */
const CUT_MIN = 8;

/** Matches a line by the first rule that applies. */
export function matchLine(line: SettledLine, context: MatchContext): MatchResult {
  for (const rule of rules) {
    const result = rule(line, context);
    if (result) return result;
  }
  const why = 'the line names no payment, and none of its amount was made with such an account in its time';
  return unmatched({ kind: 'noReference', by: 'none', why });
}

type Rule = (line: SettledLine, context: MatchContext) => MatchResult | null;

/** Totals and account charges refer to no single payment and are no exceptions. */
const withoutPayment: Rule = (line) => {
  if (subjectsOf(line).length > 0) return null;
  const why = `a ${line.recordType} of ${line.transactionType} is about no single payment`;
  return { match: { status: 'NOT_MATCHED', paymentIds: [], by: 'no payment', why, isOpen: false }, payment: null };
};

type Lead = { readonly name: LineName; readonly subjects: readonly Payment[]; readonly isKnown: boolean };

/** By references: all of them must lead to the same payment. */
const byNames: Rule = (line, context) => {
  const own = namesOfLine(line).map((name) => leadOf(line, name, context));
  const leads = platformLeads(line, own, context) ?? own;
  // A reference of the acquirer may be unknown here.
  const telling = leads.filter(({ name, isKnown }) => isKnown || name.isOurs);
  if (telling.length === 0) return null;
  const known = telling.filter(({ isKnown }) => isKnown);
  const [first] = known;
  if (!first)
    return unmatched({ kind: 'unknownReference', by: 'names', why: `nothing of yours is known by the ${listed(telling)}` });
  const common = first.subjects.filter(({ id }) => known.every(({ subjects }) => subjects.some((one) => one.id === id)));
  if (common.length === 0) return contradictory(line, known);
  const cut = telling.filter(({ isKnown }) => !isKnown);
  const whole = common.filter((payment) => cut.every(({ name }) => isCut(name, payment)));
  if (whole.length === 0) {
    const why = `the ${listed(known)} leads to ${idsOf(common)}, and nothing is known by the ${listed(cut)}`;
    return unmatched({ kind: 'unknownReference', by: 'names', why, candidates: common });
  }
  return chosen(whole, { by: listed(known), line, context });
};

/** The leads of a line of another platform: its payment id is no id of ours, and one of ours has it as the acquirer's. */
function platformLeads(line: SettledLine, own: readonly Lead[], context: MatchContext): readonly Lead[] | null {
  if (own.some(({ name, isKnown }) => name.label === 'payment id' && isKnown)) return null;
  const leads = (platformNamesOfLine(line) ?? []).map((name) => leadOf(line, name, context));
  return leads.length > 0 && leads.every(({ isKnown }) => isKnown) ? leads : null;
}

function leadOf(line: SettledLine, name: LineName, { named, family }: MatchContext): Lead {
  const payments = name.as.flatMap((kind) => named({ kind, value: name.value }));
  const subjects = payments.flatMap((payment) => subjectsBelow(line, payment, family(payment)));
  return { name, subjects: unique(subjects), isKnown: payments.length > 0 };
}

const unique = (payments: readonly Payment[]): readonly Payment[] => [...new Map(payments.map((one) => [one.id, one])).values()];
const listed = (leads: readonly Lead[]): string => leads.map(({ name }) => `${name.label} ${name.value}`).join(' and the ');
const idsOf = (payments: readonly Payment[]): string =>
  payments
    .slice(0, SHOWN_MAX)
    .map(({ id }) => id)
    .join(', ');

function contradictory(line: SettledLine, known: readonly Lead[]): MatchResult {
  const none = known.find(({ subjects }) => subjects.length === 0);
  if (none) {
    const why = `the ${listed([none])} leads to nothing that a ${line.recordType} of a ${line.transactionType} can be about`;
    return unmatched({ kind: 'unknownReference', by: 'names', why });
  }
  const why = `the ${listed(known)} do not lead to the same payment`;
  return several(unique(known.flatMap(({ subjects }) => subjects)), { kind: 'referencesDiffer', by: 'names', why });
}

/** Whether an unknown reference is the start of one of this payment. */
function isCut({ label, value }: LineName, payment: Payment): boolean {
  const own = label === 'merchantTransactionId' ? payment.merchantTransactionId : label === 'payment id' ? payment.id : null;
  return own !== null && value.length >= CUT_MIN && own.startsWith(value);
}

/** By amount, for lines without a reference: only if the account agrees too, because amounts alone prove nothing. */
const byAmount: Rule = (line, context) => {
  if (isDispute(line) || isFee(line)) return null;
  const alike = context.alike(line).filter(({ paymentType }) => subjectsOf(line).includes(paymentType));
  if (alike.length === 0) return null;
  const proven = alike.filter(
    ({ instrument }) => line.last4 !== null && instrument && 'last4Digits' in instrument && instrument.last4Digits === line.last4,
  );
  if (proven.length > 0) return chosen(proven, { by: 'amount, day and the end of the account', line, context });
  const why = `the line names no payment; ${alike.length === 1 ? 'one' : 'some'} with its amount and currency: ${idsOf(alike)}`;
  return unmatched({ kind: 'noReference', by: 'amount', why: `${why}; but nothing else proves it`, candidates: alike });
};

const rules: readonly Rule[] = [withoutPayment, byNames, byAmount];

type Choice = { readonly by: string; readonly line: SettledLine; readonly context: MatchContext };

/** The one payment that agrees with the line in everything. */
function chosen(payments: readonly Payment[], { by, line, context }: Choice): MatchResult {
  const results = payments.map((payment) => ({ payment, differs: disagreement(pairOf(line, payment, context)) }));
  const fitting = results.filter(({ differs }) => differs === null).map(({ payment }) => payment);
  const [one] = fitting;
  if (one && fitting.length === 1) return matched(by, one, `by its ${by}; amount, currency, day and account agree`);
  if (one) {
    const why = `${fitting.length} payments agree with the line in everything: ${idsOf(fitting)}`;
    return several(fitting, { kind: 'severalPayments', by, why });
  }
  const reasons = results.slice(0, SHOWN_MAX).map(({ payment, differs }) => `${payment.id}: ${differs?.why}`);
  const kind = results[0]?.differs?.kind ?? 'unknownReference';
  const isOpen = results.some(({ differs }) => differs?.isRepeat !== true);
  return unmatched({ kind, by, why: `by its ${by} it leads to ${reasons.join('; ')}`, candidates: payments, isOpen });
}

const pairOf = (line: SettledLine, payment: Payment, { family, earlier, tolerance, format, fileId }: MatchContext): Pair => ({
  line,
  payment,
  family: family(payment),
  earlier: earlier(payment),
  tolerance,
  format,
  fileId,
});

/** One reference of a line to its payment. */
type LineName = {
  /** For messages. */
  readonly label: string;
  readonly value: string;
  /** The references of a payment that it is compared with. */
  readonly as: readonly PaymentName['kind'][];
  /** Given by the gateway or the merchant, so it must be known here. The acquirer's own references may be unknown. */
  readonly isOurs: boolean;
};

const PAYMENT_ID = /^[0-9a-f]{32}$/;
const SHORT_ID = /^[0-9]{4}\.[0-9]{4}\.[0-9]{4}$/;

function reference(label: string, value: string): LineName {
  if (PAYMENT_ID.test(value)) return { label, value, as: ['id', 'connectorTxId'], isOurs: true };
  if (SHORT_ID.test(value)) return { label, value, as: ['shortId', 'connectorTxId'], isOurs: true };
  return { label, value, as: ['connectorTxId'], isOurs: false };
}

/** The references of a line, the most specific first. */
export function namesOfLine(line: SettledLine): readonly LineName[] {
  const { paymentId, shortId, merchantTransactionId, clearingInstitute } = line;
  const references = [clearingInstitute.txId1, clearingInstitute.txId2, clearingInstitute.txId3];
  return [
    // Acquirers return some merchants' own references in this field.
    ...(paymentId === null
      ? []
      : [{ label: 'payment id', value: paymentId, as: ['id', 'merchantTransactionId'], isOurs: true } as const]),
    ...references.flatMap((value, at) => (value === null ? [] : [reference(`reference ${at + 1}`, value)])),
    ...(shortId === null ? [] : [{ label: 'short id', value: shortId, as: ['shortId'], isOurs: true } as const]),
    ...(merchantTransactionId === null
      ? []
      : [
          {
            label: 'merchantTransactionId',
            value: merchantTransactionId,
            as: ['merchantTransactionId'],
            isOurs: true,
          } as const,
        ]),
  ];
}

/**
 * The references of a line in a report of another platform of this API, which the connector `upstream` pays through: its payment id and
 * short id are the platform's, and the merchant's reference is our payment id. Null: it cannot be such a line.
 */
export function platformNamesOfLine({ paymentId, merchantTransactionId }: SettledLine): readonly LineName[] | null {
  if (paymentId === null || paymentId === merchantTransactionId) return null;
  const theirs: LineName = { label: "platform's payment id", value: paymentId, as: ['connectorTxId'], isOurs: true };
  if (merchantTransactionId === null || !PAYMENT_ID.test(merchantTransactionId)) return [theirs];
  return [theirs, { label: "platform's merchantTransactionId", value: merchantTransactionId, as: ['id'], isOurs: true }];
}

/** References as the store searches them. */
export const searchNames = (names: readonly LineName[]): readonly PaymentName[] =>
  names.flatMap(({ as, value }) => as.map((kind) => ({ kind, value })));
