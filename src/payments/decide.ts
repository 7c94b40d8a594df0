import type { Channel } from '../merchants/channel.ts';
import { type Charged, refusalOfInstrument } from '../registrations/instrument.ts';
import { AUTHENTICATION, RISK_CHECK } from '../spec/paymentTypes.ts';
import { decideRecord, isRecordedOrder, recordedCode } from './chargebacks/bankRecord.ts';
import { waitForAcquirer } from './draft.ts';
import { SUCCESS } from './lifecycle.ts';
import type { Order } from './order.ts';
import type { Family, Payment, Phase } from './payment.ts';
import type { Capability, World } from './ports.ts';
import {
  type Reference,
  type Refusal,
  refusalOfReference,
  refusalOfWithdrawal,
  reversible,
  UNKNOWN_REFERENCE,
} from './refusal.ts';
import { remarkOn } from './remarks.ts';
import { isOrderPaidElsewhere, type Route, type RoutingSource, route } from './route.ts';
import { withKnownValidities } from './validity.ts';

/** All that a decision depends on beside the order. `family` and `referenced` are null for an order without a known reference. */
export type DecisionContext = {
  readonly channel: Channel;
  readonly family: Family | null;
  readonly referenced: Payment | null;
  readonly connector: World['connector'];
  readonly now: number;
  /** For rules of routing; null: nothing is known, and nothing is drawn. */
  readonly routing?: RoutingSource | null;
};

/** `route` is null where no acquirer takes part: a refusal, an authentication or risk check alone, and what a bank did. */
export type Decision = {
  readonly route: Route | null;
  readonly amount: bigint;
  readonly refusal: Refusal | null;
  /** The reason of the refusal, where the text of its code leaves it open. */
  readonly remark?: string;
};

/** Pure: the first refusal in the fixed order of refusals, or the route and the amount. */
export function decide(order: Order, context: DecisionContext): Decision {
  const { channel, now } = context;
  const family = context.family && known(context.family, context);
  const referenced = family?.payments.find(({ id }) => id === context.referenced?.id) ?? context.referenced;
  const refuse = (refusal: Refusal, capability: Capability | null = null): Decision => {
    const remark = remarkOn(refusal, order, { referenced, family: family?.payments ?? [], capability });
    return { route: null, amount: order.amount ?? 0n, refusal, ...(remark !== null && { remark }) };
  };
  if (order.isTestInLive) return refuse('600.200.701');
  if (order.refusal !== null) return refuse(order.refusal);
  if (order.paymentType === AUTHENTICATION || order.paymentType === RISK_CHECK) return decideWithoutPayment(order, now);
  if (isRecordedOrder(order)) {
    const recorded = decideRecord(order, channel, { family: family?.payments, referenced });
    return recorded.refusal === null ? { route: null, ...recorded } : refuse(recorded.refusal);
  }
  if (order.referencedId !== null && !referenced) return refuse(UNKNOWN_REFERENCE[order.paymentType] ?? '700.100.100');
  const isFollowUp = referenced !== null && order.practice === null;
  const method = referenced && !order.instrument ? referenced.method : order.method;
  const taker = isFollowUp && referenced.connector !== '' ? { connector: referenced.connector } : {};
  const found = route({ ...order, method, ...taker }, channel, context.connector, context.routing ?? null);
  if (typeof found === 'string') return refuse(found);
  if (referenced && family && isFollowUp && isWithdrawnBy(order, referenced))
    return { route: null, amount: 0n, refusal: refusalOfWithdrawal(order, family.payments, referenced) };
  if (referenced && family) {
    const reference: Reference = { family: family.payments, payment: referenced, capability: found.capability, now };
    const refusal = refusalOfReference(order, reference);
    if (refusal !== null) return refuse(refusal, found.capability);
    if (isFollowUp) return { route: found, amount: order.amount ?? reversible(reference), refusal: null };
  }
  if (!referenced && !order.instrument && !isOrderPaidElsewhere(order)) return refuse('100.150.100');
  const refusal = refusalOfAmount(order) ?? refusalOfInstrument(asCharged(order), now);
  return refusal === null ? { route: found, amount: order.amount ?? 0n, refusal } : refuse(refusal);
}

/** The family as it is judged: each authorisation with its validity. */
const known = ({ payments, ...family }: Family, { connector, channel }: DecisionContext): Family => ({
  ...family,
  payments: withKnownValidities(payments, { connector, channel: () => channel }),
});

/** The reversal of a payment that was taken back before it left. Nothing was booked, so that nothing is reversed. */
const isWithdrawnBy = ({ paymentType }: Order, { details }: Payment): boolean =>
  paymentType === 'RV' && details.isWithdrawn === true;

/** An authentication or a risk check without a payment goes to no acquirer; risk can be checked without an instrument. */
function decideWithoutPayment(order: Order, now: number): Decision {
  const withoutInstrument = order.paymentType === RISK_CHECK ? null : '100.150.100';
  const refusal = order.instrument ? refusalOfInstrument(order, now) : withoutInstrument;
  return { route: null, amount: order.amount ?? 0n, refusal };
}

/** A network token outlives the card that it replaces: its own expiry counts. */
function asCharged(order: Order): Charged {
  const { instrument, secrets } = order;
  if (instrument?.kind !== 'card' || secrets.networkToken === undefined) return order;
  const { expiryMonth, expiryYear } = secrets.networkToken;
  return { ...order, instrument: { ...instrument, expiryMonth, expiryYear } };
}

/** A charge of 0.00 is refused, but a card may be verified by a preauthorization of 0.00. */
export function refusalOfAmount({ amount, paymentType, method }: Order): Refusal | null {
  if (amount === null || amount > 0n || paymentType === 'RG') return null;
  return paymentType === 'PA' && (method === 'CC' || method === 'DC') ? null : '100.550.300';
}

/** Where the payment begins: refused at once, final without a question to the acquirer, or waiting for its answer. */
export function firstPhase(order: Order, { route: found, refusal }: Decision, now: number): Phase {
  if (refusal === null && order.paymentType === AUTHENTICATION) return { at: 'authentication', dueAt: now };
  if (refusal === null && order.paymentType === RISK_CHECK) return { at: 'final', code: '000.300.100' };
  if (refusal === null && isRecordedOrder(order)) return { at: 'final', code: recordedCode(order) };
  if (refusal === null && found === null && order.paymentType === 'RV') return { at: 'final', code: SUCCESS[order.mode] };
  if (found === null) return { at: 'final', code: refusal ?? '600.100.100' };
  const isAsked = order.paymentType !== 'RG' || found.capability.types.includes('RG');
  return isAsked ? waitForAcquirer(now, found) : { at: 'final', code: SUCCESS[order.mode] };
}
