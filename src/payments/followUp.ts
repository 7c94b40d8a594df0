import { check, type Faulty } from '../form/check.ts';
import type { Checked } from '../form/checked.ts';
import { decode } from '../form/decode.ts';
import type { Channel } from '../merchants/channel.ts';
import { type Amount, amountText } from '../money/amount.ts';
import type { CustomerTotal } from '../spec/answers/stored.ts';
import type { TransactionType } from '../spec/paymentTypes.ts';
import { balanceOf, isAlive, isApproved } from './balance.ts';
import { isWithdrawal } from './callbacks.ts';
import { recordable } from './chargebacks/bankRecord.ts';
import { decide } from './decide.ts';
import { type Environment, orderOf, type Refusal } from './order.ts';
import type { Family, Payment } from './payment.ts';
import type { World } from './ports.ts';
import { capturesOf, referencedIn, refundedOf, reversible } from './refusal.ts';

/** Captures, refunds and reversals from the back office: the same requests that a merchant's server would send. */
export type FollowUpType = 'CP' | 'RF' | 'RV' | 'CB' | 'CR';

type FollowUp = {
  readonly type: FollowUpType;
  /** Null: all that is left, where the type knows what that is. */
  readonly amount: Amount | null;
  /** The reason of a chargeback. */
  readonly reason?: string;
  /** A remark that only reports and the back office show. */
  readonly memo?: string;
};

type FollowUpScope = { readonly channel: Channel; readonly environment: Environment };

/** The request as it would have come by the API. */
export function followUpRequest(
  payment: Payment,
  { type, amount, reason, memo }: FollowUp,
  place: FollowUpScope,
): Checked | Faulty {
  const form = new URLSearchParams({ entityId: payment.entityId, paymentType: type });
  if (amount !== null) {
    form.set('amount', amountText(amount));
    form.set('currency', payment.currency);
  }
  if (payment.mode === 'EXTERNAL') form.set('testMode', 'EXTERNAL');
  if (reason !== undefined) form.set('chargebackResultCode', reason);
  if (memo !== undefined) form.set('merchantMemo', memo);
  const { channel, environment } = place;
  return check(decode(form.toString()), {
    endpoint: 'refer',
    isLenient: channel.isLenient,
    source: 'server',
    environment,
  });
}

/** The remaining amount of a payment for each type; usage is counted pessimistically. */
export function remainingFor(type: FollowUpType, family: readonly Payment[], named: Payment): Amount {
  const payment = type === 'RF' ? refundedOf(family, named) : named;
  const { refunded, reversed, chargedBack } = balanceOf(family, payment);
  const rest: Readonly<Record<FollowUpType, () => Amount>> = {
    CP: () => reversible({ family, payment }),
    RF: () => (reversed.most > 0n ? 0n : payment.amount - refunded.most - chargedBack.most),
    RV: () => reversible({ family, payment }),
    CB: () => recordable('CB', { family, payment }),
    CR: () => recordable('CR', { family, payment }),
  };
  const left = rest[type]();
  return left > 0n ? left : 0n;
}

/** Why it cannot be done now, by the same ladder that the request itself goes down; null: it can. */
export function refusalOf(world: World, { family, payment }: OfOne, asked: FollowUp, place: FollowUpScope): Refusal | null {
  const checked = followUpRequest(payment, asked, place);
  if (checked.is === 'faulty') return '200.300.404';
  const ordered = orderOf(checked, { ...place, referencedId: payment.id });
  if (ordered.is === 'faulty') return '200.300.404';
  const { order } = ordered;
  const referenced = referencedIn(family, order);
  const { connector, clock } = world;
  // Whether it has left is known when it is tried.
  if (isWithdrawal(order, payment) && connector(payment.connector, payment.entityId)?.withdraw) return null;
  return decide(order, { channel: place.channel, family, referenced, connector, now: clock.now() }).refusal;
}

type OfOne = { readonly family: Family; readonly payment: Payment };

/** The sums of a payment in the answer to a read. Names of the API, in the order of the answer. */
type Sums = {
  readonly capturedAmount: string;
  readonly refundedAmount: string;
  readonly reversedAmount: string;
  readonly disputedAmount: string;
  readonly remainingAmount: string;
};

const summedTypes: readonly TransactionType[] = ['PA', 'DB', 'CD', 'CP', 'RB', 'RC'];

const total = (amounts: readonly Amount[]): Amount => amounts.reduce((sum, amount) => sum + amount, 0n);

/**
 * The sums of an approved payment from its family; null for a transaction that has none. They count what is certain; `remainingAmount` also
 * leaves out what may still be approved, so that a capture or refund of it is never too much.
 */
export function sumsOf(payment: Payment, family: readonly Payment[]): Sums | null {
  if (!summedTypes.includes(payment.paymentType) || !isApproved(payment)) return null;
  const isAuthorisation = payment.paymentType === 'PA';
  const own = balanceOf(family, payment);
  const captures = isAuthorisation ? capturesOf(family, payment).filter(isApproved) : [];
  const parts = isAuthorisation ? captures.map((capture) => balanceOf(family, capture)) : [own];
  const next = isAuthorisation ? 'CP' : 'RF';
  return {
    capturedAmount: amountText(isAuthorisation ? own.captured.least : payment.amount),
    refundedAmount: amountText(total(parts.map(({ refunded }) => refunded.least))),
    reversedAmount: amountText(own.reversed.least + total(captures.map((capture) => balanceOf(family, capture).reversed.least))),
    disputedAmount: amountText(total(parts.map(({ chargedBack }) => chargedBack.least))),
    remainingAmount: amountText(isFinished(payment, family, next) ? 0n : remainingFor(next, family, payment)),
  };
}

/** The merchant has sent the last one (`sequence=FINAL`), or as many captures as the authorisation allows. */
function isFinished({ id, numberOfCaptures }: Payment, family: readonly Payment[], type: 'CP' | 'RF'): boolean {
  const sent = family.filter((other) => other.referencedId === id && other.paymentType === type && isAlive(other));
  return sent.some(({ isLast }) => isLast) || (type === 'CP' && numberOfCaptures !== null && sent.length >= numberOfCaptures);
}

/** Transactions that bring money in. An authorisation does so by its captures. */
const received: readonly TransactionType[] = ['DB', 'CP', 'RB', 'RC'];

type CurrencySums = { payments: number; paid: Amount; refunded: Amount; disputed: Amount; credited: Amount };

/** Approved amounts of whole families, by currency: paid by a customer, and refunded. A refund that came back was not received. */
export function customerTotals(families: readonly (readonly Payment[])[]): readonly CustomerTotal[] {
  const sums = new Map<string, CurrencySums>();
  const sumFor = (currency: string): CurrencySums => {
    const known = sums.get(currency) ?? { payments: 0, paid: 0n, refunded: 0n, disputed: 0n, credited: 0n };
    sums.set(currency, known);
    return known;
  };
  for (const family of families) {
    for (const payment of family.filter(isApproved)) {
      if (payment.paymentType === 'RF') sumFor(payment.currency).refunded -= balanceOf(family, payment).chargedBack.least;
      const isCredit = payment.paymentType === 'CD';
      if (!isCredit && !received.includes(payment.paymentType)) continue;
      const sum = sumFor(payment.currency);
      const { reversed, refunded, chargedBack } = balanceOf(family, payment);
      const kept = payment.amount - reversed.least;
      sum.payments += 1;
      if (isCredit) sum.credited += kept;
      else sum.paid += kept;
      sum.refunded += refunded.least;
      sum.disputed += chargedBack.least;
    }
  }
  return [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, { payments, paid, refunded, disputed, credited }]) => ({
      currency,
      payments,
      paid: amountText(paid),
      refunded: amountText(refunded),
      disputed: amountText(disputed),
      credited: amountText(credited),
    }));
}
