import type { RiskFacts } from '../facts.ts';
import { ipHolder } from '../normalise.ts';
import type { Dimension } from '../ports.ts';

/** What each dimension is, for messages and documentation. */
export const dimensions: Readonly<Record<Dimension, string>> = {
  card: 'the same card',
  email: 'the same e-mail address',
  ip: 'the same v4 address or v6 network of /64',
  bin: 'the same BIN',
  customer: 'the same customer.merchantCustomerId',
  checkout: 'the same checkout',
  entity: 'the same channel',
  mobile: 'the same mobile number',
  'card+ip': 'the same card from the same address',
  order: 'the same card, amount, currency and merchantTransactionId',
  transaction: 'the same merchantTransactionId',
};

export type TextKeys = Readonly<Record<Dimension, string | null>>;

/**
 * The keys a request is counted by. Each starts with the merchant, so that attempts at one merchant never count at another. Spaces
 * separate the parts: only the last part of a key may contain one.
 */
export function keysOf(facts: RiskFacts): TextKeys {
  const { merchantId, fingerprint, customer } = facts;
  const ip = customer.ip === null ? null : ipHolder(customer.ip);
  const key = (dimension: Dimension, value: string | null) => (value === null ? null : `${merchantId} ${dimension} ${value}`);
  const card = fingerprint;
  const order = card === null ? null : `${card} ${facts.amount} ${facts.currency} ${facts.merchantTransactionId ?? ''}`;
  return {
    card: key('card', card),
    email: key('email', customer.email),
    ip: key('ip', ip),
    bin: key('bin', facts.bin),
    customer: key('customer', customer.merchantCustomerId),
    checkout: key('checkout', facts.checkoutId),
    entity: key('entity', facts.entityId),
    mobile: key('mobile', customer.mobile),
    'card+ip': key('card+ip', card === null || ip === null ? null : `${card} ${ip}`),
    order: key('order', order),
    transaction: key('transaction', facts.merchantTransactionId),
  };
}
