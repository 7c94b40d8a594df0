import { isApproved } from '../../payments/balance.ts';
import { isOpen, type Payment } from '../../payments/payment.ts';
import { DAY_MS } from '../../spec/dates.ts';
import type { TransactionType } from '../../spec/paymentTypes.ts';
import { chargebackActs, settlementActs } from '../../spec/scenarios/money.ts';
import { playedIn } from '../../spec/scenarios/played.ts';
import type { Later, LaterAct } from './needs.ts';

/** Minutes after midnight, in UTC: then the day before is looked at, and the file of the new day comes. */
const FILE_AT_MS = 5 * 60_000;

export const dayBegin = (instant: number): number => Math.floor(instant / DAY_MS) * DAY_MS;
/** When the file of the day comes that begins at this instant. */
export const fileAt = (begins: number): number => begins + FILE_AT_MS;

/** Whatever moves money between the acquirer and the merchant, apart from what a bank takes back. */
export const settledTypes: readonly TransactionType[] = ['DB', 'CP', 'CD', 'RF', 'RB', 'RC'];

/** What a scenario speaks of: the payment whose money it is about. Refunds and records of banks are settled whole. */
const isStaged = ({ paymentType }: Payment): boolean => ['DB', 'CP', 'CD'].includes(paymentType);
const isChargeable = ({ paymentType }: Payment): boolean => paymentType === 'DB' || paymentType === 'CP';

type Act = { readonly at: number; readonly act: LaterAct };

/** Everything that becomes of the money of an approved payment. What would be nothing or less does not come. */
function moneyActs(payment: Payment): readonly Act[] {
  const acts = (isStaged(payment) && playedIn(payment.fields)?.acts) || {};
  const paid = settlementActs(acts, payment)
    .filter(({ gross }) => gross > 0n)
    .map(({ at, gross, fee }, number): Act => ({ at, act: { does: 'pay', number, gross: String(gross), fee: String(fee) } }));
  const taken = (isChargeable(payment) ? chargebackActs(acts, payment) : [])
    .filter(({ amount }) => amount > 0n)
    .map(({ at, does, amount, code }, number): Act => ({ at, act: { does, number, amount: String(amount), code } }));
  return [...paid, ...taken];
}

/**
 * What is to be done with a payment whose day is over, as it stands at an instant. Everything counts in days: an act belongs to the file
 * of the day in which its instant lies, or to the next one when that has come already.
 */
export function actsOf(payment: Payment, { now, looks }: { readonly now: number; readonly looks: number }): readonly Later[] {
  const { merchantId, id: paymentId, createdAt } = payment;
  if (isOpen(payment)) return [{ merchantId, paymentId, dueAt: now + DAY_MS, act: { does: 'look', number: looks + 1 } }];
  if (!isApproved(payment)) return [];
  return moneyActs(payment).map(({ at, act }) => ({
    merchantId,
    paymentId,
    dueAt: Math.max(now, fileAt(dayBegin(createdAt + at))),
    act,
  }));
}
