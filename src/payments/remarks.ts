import { instantText } from '../spec/dates.ts';
import type { Order } from './order.ts';
import type { Payment } from './payment.ts';
import type { Capability } from './ports.ts';
import { capturesOf, type Refusal, reversibleUntil } from './refusal.ts';
import { REFUSED_BY_RULE } from './route.ts';
import { releasedBy, validUntil, wasReleased } from './validity.ts';

/** What a refusal was decided on. `capability` is null where no route was found or looked for. */
export type RefusalContext = {
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
export const remarkOn = (refusal: Refusal, order: Order, context: RefusalContext): string | null =>
  remarks[refusal]?.(order, context) ?? null;
