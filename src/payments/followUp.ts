import { check, type Faulty } from '../form/check.ts';
import type { Checked } from '../form/checked.ts';
import { decode } from '../form/decode.ts';
import type { Channel } from '../merchants/channel.ts';
import { type Amount, amountText } from '../money/amount.ts';
import { balanceOf } from './balance.ts';
import { isWithdrawal } from './callbacks.ts';
import { recordable } from './chargebacks/bankRecord.ts';
import { decide } from './decide.ts';
import { type Environment, orderOf, type Refusal } from './order.ts';
import type { Family, Payment } from './payment.ts';
import type { World } from './ports.ts';
import { referencedIn, refundedOf, reversible } from './refusal.ts';

/** Captures, refunds and reversals from the back office: the same requests that a merchant's server would send. */
export type FollowUpType = 'CP' | 'RF' | 'RV' | 'CB' | 'CR';

export type FollowUp = {
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
