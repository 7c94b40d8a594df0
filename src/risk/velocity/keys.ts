import type { RiskFacts } from '../facts.ts';
import { ipHolder } from '../normalise.ts';
import type { Dimension } from '../ports.ts';
import { hashOf, mixed } from './hashIndex.ts';

/** A description of each dimension, for messages and documentation. */
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

type TextKeys = Readonly<Record<Dimension, string | null>>;

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

/** The keys of keysOf() as hashes, computed from the hashes of their parts: no string is concatenated and no part is hashed twice. */
export type KeyHashes = Readonly<Record<Dimension, number | null>>;

const names = Object.keys(dimensions) as readonly Dimension[];

export function createKeyHasher(seed: number): (facts: RiskFacts) => KeyHashes {
  const salts = Object.fromEntries(names.map((name) => [name, hashOf(name, seed)])) as Record<Dimension, number>;
  const hashed = (text: string | null): number | null => (text === null ? null : hashOf(text, seed));
  return (facts) => {
    const { customer } = facts;
    const merchant = hashOf(facts.merchantId, seed);
    const key = (dimension: Dimension, value: number | null): number | null =>
      value === null ? null : mixed(mixed(merchant, salts[dimension]), value);
    const [card, transaction] = [hashed(facts.fingerprint), hashed(facts.merchantTransactionId)];
    const ip = hashed(customer.ip === null ? null : ipHolder(customer.ip));
    const paid = mixed(Number(BigInt.asUintN(53, facts.amount)), hashOf(facts.currency, seed));
    return {
      card: key('card', card),
      email: key('email', hashed(customer.email)),
      ip: key('ip', ip),
      bin: key('bin', hashed(facts.bin)),
      customer: key('customer', hashed(customer.merchantCustomerId)),
      checkout: key('checkout', hashed(facts.checkoutId)),
      entity: key('entity', hashed(facts.entityId)),
      mobile: key('mobile', hashed(customer.mobile)),
      'card+ip': key('card+ip', card === null || ip === null ? null : mixed(card, ip)),
      order: key('order', card === null ? null : mixed(mixed(card, paid), transaction ?? 0)),
      transaction: key('transaction', transaction),
    };
  };
}
