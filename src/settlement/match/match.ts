import type { Payment } from '../../payments/payment.ts';
import type { PaymentName } from '../ports.ts';
import { isFee, type Match, type SettledLine, type SettlementRecord } from '../record.ts';
import { disagreement, isDispute, type Pair, subjectsBelow, subjectsOf } from './checks.ts';
import { type LineName, namesOfLine } from './lineNames.ts';
import type { Tolerance } from './tolerance.ts';

/** What is known around a line: payments that it may be about, and nobody else's. */
export type MatchContext = {
  readonly named: (name: PaymentName) => readonly Payment[];
  /** Payments with the same sum, where nothing names one. */
  readonly alike: (line: SettledLine) => readonly Payment[];
  readonly family: (payment: Payment) => readonly Payment[];
  /** Lines that are matched with a payment already. */
  readonly earlier: (payment: Payment) => readonly SettlementRecord[];
  readonly tolerance: Tolerance;
};

/** A match and the payment that it was made with. */
export type MatchResult = { readonly match: Match; readonly payment: Payment | null };

const unmatched = (by: string, why: string, isOpen = true): MatchResult => ({
  match: { status: 'NOT_MATCHED', paymentIds: [], by, why, isOpen },
  payment: null,
});

const several = (by: string, payments: readonly Payment[], why: string): MatchResult => ({
  match: { status: 'MULTIPLE_MATCHES', paymentIds: payments.map(({ id }) => id).slice(0, SHOWN_MAX), by, why, isOpen: true },
  payment: null,
});

const matched = (by: string, payment: Payment, why: string): MatchResult => ({
  match: { status: 'MATCHED', paymentIds: [payment.id], by, why, isOpen: false },
  payment,
});

const SHOWN_MAX = 20;
/** A reference that was cut short still tells a payment from others, where another name leads there. */
const CUT_MIN = 8;

/** What a line is about, by the first rule that has something to say. */
export function matchLine(line: SettledLine, around: MatchContext): MatchResult {
  for (const rule of rules) {
    const judged = rule(line, around);
    if (judged) return judged;
  }
  return unmatched('none', 'the line names no payment, and none of its amount was made with such an account in its time');
}

type Rule = (line: SettledLine, around: MatchContext) => MatchResult | null;

/** Totals and charges of the account are about no single payment, and nobody has to look at them. */
const aboutNone: Rule = (line) =>
  subjectsOf(line).length > 0
    ? null
    : unmatched('no payment', `a ${line.recordType} of ${line.transactionType} is about no single payment`, false);

type Lead = { readonly name: LineName; readonly subjects: readonly Payment[]; readonly isKnown: boolean };

/** By what the line calls it: every name must lead to the same payment. */
const byNames: Rule = (line, around) => {
  const leads = namesOfLine(line).map((name): Lead => leadOf(line, name, around));
  // What the acquirer calls it may be known to him alone.
  const telling = leads.filter(({ name, isKnown }) => isKnown || name.isOurs);
  if (telling.length === 0) return null;
  const known = telling.filter(({ isKnown }) => isKnown);
  const [first] = known;
  if (!first) return unmatched('names', `nothing of yours is known by the ${listed(telling)}`);
  const common = first.subjects.filter(({ id }) => known.every(({ subjects }) => subjects.some((one) => one.id === id)));
  if (common.length === 0) return contradictory(line, known);
  const cut = telling.filter(({ isKnown }) => !isKnown);
  const whole = common.filter((payment) => cut.every(({ name }) => isCut(name, payment)));
  if (whole.length === 0)
    return unmatched('names', `the ${listed(known)} leads to ${idsOf(common)}, and nothing is known by the ${listed(cut)}`);
  return chosen(whole, { by: listed(known), line, around });
};

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
  if (none)
    return unmatched(
      'names',
      `the ${listed([none])} leads to nothing that a ${line.recordType} of a ${line.transactionType} can be about`,
    );
  return several(
    'names',
    unique(known.flatMap(({ subjects }) => subjects)),
    `the ${listed(known)} do not lead to the same payment`,
  );
}

/** Whether a name that leads nowhere is the beginning of one that this payment has. */
function isCut({ label, value }: LineName, payment: Payment): boolean {
  const own = label === 'merchantTransactionId' ? payment.merchantTransactionId : label === 'payment id' ? payment.id : null;
  return own !== null && value.length >= CUT_MIN && own.startsWith(value);
}

/** By what it is, where nothing names it: only where the account agrees too, because sums alone prove nothing. */
const byLikeness: Rule = (line, around) => {
  if (isDispute(line) || isFee(line)) return null;
  const alike = around.alike(line).filter(({ paymentType }) => subjectsOf(line).includes(paymentType));
  if (alike.length === 0) return null;
  const proven = alike.filter(
    ({ instrument }) => line.last4 !== null && instrument && 'last4Digits' in instrument && instrument.last4Digits === line.last4,
  );
  if (proven.length > 0) return chosen(proven, { by: 'amount, day and the end of the account', line, around });
  const why = `the line names no payment; ${alike.length === 1 ? 'one' : 'some'} with its amount and currency: ${idsOf(alike)}`;
  return unmatched('amount', `${why}; but nothing else proves it`);
};

const rules: readonly Rule[] = [aboutNone, byNames, byLikeness];

type Choice = { readonly by: string; readonly line: SettledLine; readonly around: MatchContext };

/** The one payment with which everything agrees. */
function chosen(payments: readonly Payment[], { by, line, around }: Choice): MatchResult {
  const judged = payments.map((payment) => ({ payment, why: disagreement(pairOf(line, payment, around)) }));
  const fitting = judged.filter(({ why }) => why === null).map(({ payment }) => payment);
  const [one] = fitting;
  if (one && fitting.length === 1) return matched(by, one, `by its ${by}; amount, currency, day and account agree`);
  if (one) return several(by, fitting, `${fitting.length} payments agree with the line in everything: ${idsOf(fitting)}`);
  const reasons = judged.slice(0, SHOWN_MAX).map(({ payment, why }) => `${payment.id}: ${why}`);
  return unmatched(by, `by its ${by} it leads to ${reasons.join('; ')}`);
}

export const pairOf = (line: SettledLine, payment: Payment, { family, earlier, tolerance }: MatchContext): Pair => ({
  line,
  payment,
  family: family(payment),
  earlier: earlier(payment),
  tolerance,
});
