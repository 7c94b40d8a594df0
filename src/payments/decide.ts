import type { Channel } from '../merchants/channel.ts';
import { type Charged, refusalOfInstrument } from '../registrations/instrument.ts';
import { instantText } from '../spec/formats/dates.ts';
import { AUTHENTICATION, RISK_CHECK } from '../spec/paymentTypes.ts';
import { decideRecord, isRecordedOrder, recordedCode } from './chargebacks/bankRecord.ts';
import { isOrderPaidElsewhere, REFUSED_BY_RULE, type Route, type RoutingSource, route } from './connector/routing.ts';
import { waitForAcquirer } from './draft.ts';
import { SUCCESS } from './lifecycle.ts';
import type { Order, Refusal } from './order.ts';
import type { Family, Payment, Phase } from './payment.ts';
import type { Capability, World } from './ports.ts';
import {
  capturesOf,
  type Reference,
  refusalOfReference,
  refusalOfWithdrawal,
  reversible,
  reversibleUntil,
  UNKNOWN_REFERENCE,
} from './refusal.ts';
import { releasedBy, validUntil, wasReleased, withKnownValidities } from './validity.ts';

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

/** The phase in which the payment begins: refused, final without a question to the acquirer, or waiting for its answer. */
export function firstPhase(order: Order, { route: found, refusal }: Decision, now: number): Phase {
  if (refusal === null && order.paymentType === AUTHENTICATION) return { at: 'authentication', dueAt: now };
  if (refusal === null && order.paymentType === RISK_CHECK) return { at: 'final', code: '000.300.100' };
  if (refusal === null && isRecordedOrder(order)) return { at: 'final', code: recordedCode(order) };
  if (refusal === null && found === null && order.paymentType === 'RV') return { at: 'final', code: SUCCESS[order.mode] };
  if (found === null) return { at: 'final', code: refusal ?? '600.100.100' };
  const isAsked = order.paymentType !== 'RG' || found.capability.types.includes('RG');
  return isAsked ? waitForAcquirer(now, found) : { at: 'final', code: SUCCESS[order.mode] };
}

/** The basis of a refusal. `capability` is null if no route was found or looked for. */
type RefusalContext = {
  readonly referenced: Payment | null;
  readonly family: readonly Payment[];
  readonly capability: Capability | null;
};

type Remark = (order: Order, context: RefusalContext) => string | null;

const unknownId: Remark = ({ referencedId }, { referenced }) =>
  referenced || referencedId === null ? null : `no payment of this merchant has the id ${referencedId}`;

/** The end of an authorisation; of an increment that of the one it raised. */
const endOf: Remark = (_, { referenced, family }) => {
  const until = referenced && validUntil(family, releasedBy(family, referenced));
  return until === null ? null : `the PA was valid until ${instantText(until)}`;
};

const followedBy = (text: string | null, more: string): string | null => text && text + more;

/** Why this one request is refused, and which parameter changes it. Codes whose text says all of it are not here. */
const remarks: Readonly<Partial<Record<Refusal, Remark>>> = {
  [REFUSED_BY_RULE]: () =>
    'no account of the routing rule that matches is on and takes this payment, and the rule allows no other account',
  '600.200.500': unknownId,
  '700.400.510': unknownId,
  '700.400.530': unknownId,
  '700.400.100': (_, { referenced, family }) =>
    referenced && wasReleased(family, referenced) ? 'the rest of the PA was released when its validity had ended' : null,
  '700.400.560': (_, { referenced }) => referenced && `a receipt refers to a PA, this is a ${referenced.paymentType}`,
  '700.400.520': (_, { referenced, family }) => {
    if (referenced?.paymentType !== 'PA') return null;
    const captures = capturesOf(family, referenced).length;
    return captures === 0
      ? 'the PA is not captured, send RV to reverse it'
      : `the PA has ${captures} captures, send the id of the one to refund`;
  },
  '700.100.600': (_, { referenced }) =>
    referenced?.mode === 'EXTERNAL'
      ? 'the referenced payment has testMode EXTERNAL, send testMode=EXTERNAL'
      : 'the referenced payment has testMode INTERNAL, leave testMode out',
  '700.300.400': (order, context) => followedBy(endOf(order, context), ', send a new PA'),
  '700.300.700': (order, context) => {
    const { referenced, capability } = context;
    if (!referenced || !capability?.reversal) return 'the acquirer takes no reversals of this payment method';
    if (referenced.paymentType === 'PA')
      return followedBy(endOf(order, context), ', what was not captured is released without a reversal');
    const until = reversibleUntil(referenced, capability.reversal);
    const then = ', send RF to refund it';
    return until === 0
      ? `the acquirer takes no reversals of ${referenced.paymentType}${then}`
      : `it was possible until ${instantText(until)}${then}`;
  },
  '700.400.570': ({ paymentType }, { capability }) =>
    paymentType === 'RV' && capability?.withdrawal
      ? 'it has left for the bank or is about to, or a part of it was asked for; send RF when it is approved'
      : null,
  '700.400.102': (_, { referenced }) => `the PA has numberOfCaptures ${referenced?.numberOfCaptures ?? 1}`,
  '700.400.700': (_, { referenced }) => (referenced ? 'send the entityId of the channel that took the payment' : null),
};

/** The remark on a refusal; null where the text of the code says it all. */
const remarkOn = (refusal: Refusal, order: Order, context: RefusalContext): string | null =>
  remarks[refusal]?.(order, context) ?? null;
