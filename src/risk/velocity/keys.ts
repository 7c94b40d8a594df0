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

/** The keys of keysOf() as hashes, computed from the hashes of their parts: no text is concatenated and no part is hashed twice. */
export type KeyHashes = Readonly<Record<Dimension, number | null>>;

const names = Object.keys(dimensions) as readonly Dimension[];

/** Hashes of texts that repeat from payment to payment. */
const REMEMBERED_MAX = 1_000;

export function createKeyHasher(seed: number): (facts: RiskFacts) => KeyHashes {
  const salts = Object.fromEntries(names.map((name) => [name, hashOf(name, seed)])) as Record<Dimension, number>;
  const known = new Map<string, number>();
  const remembered = (text: string): number => {
    let hash = known.get(text);
    if (hash === undefined) {
      if (known.size >= REMEMBERED_MAX) known.clear();
      hash = hashOf(text, seed);
      known.set(text, hash);
    }
    return hash;
  };
  // The salts of the dimensions, mixed with the merchant.
  const tenants = new Map<string, Readonly<Record<Dimension, number>>>();
  const tenantOf = (merchantId: string): Readonly<Record<Dimension, number>> => {
    let tenant = tenants.get(merchantId);
    if (!tenant) {
      if (tenants.size >= REMEMBERED_MAX) tenants.clear();
      const own = hashOf(merchantId, seed);
      tenant = Object.fromEntries(names.map((name) => [name, mixed(own, salts[name])])) as Record<Dimension, number>;
      tenants.set(merchantId, tenant);
    }
    return tenant;
  };
  const keyOf = (tenant: number, value: number | null): number | null => (value === null ? null : mixed(tenant, value));
  const hashed = (text: string | null): number | null => (text === null ? null : hashOf(text, seed));
  return (facts) => {
    const { customer } = facts;
    const tenant = tenantOf(facts.merchantId);
    const [card, transaction] = [hashed(facts.fingerprint), hashed(facts.merchantTransactionId)];
    const ip = hashed(customer.ip === null ? null : ipHolder(customer.ip));
    const paid = mixed(Number(BigInt.asUintN(53, facts.amount)), remembered(facts.currency));
    return {
      card: keyOf(tenant.card, card),
      email: keyOf(tenant.email, hashed(customer.email)),
      ip: keyOf(tenant.ip, ip),
      bin: keyOf(tenant.bin, facts.bin === null ? null : remembered(facts.bin)),
      customer: keyOf(tenant.customer, hashed(customer.merchantCustomerId)),
      checkout: keyOf(tenant.checkout, hashed(facts.checkoutId)),
      entity: keyOf(tenant.entity, remembered(facts.entityId)),
      mobile: keyOf(tenant.mobile, hashed(customer.mobile)),
      'card+ip': keyOf(tenant['card+ip'], card === null || ip === null ? null : mixed(card, ip)),
      order: keyOf(tenant.order, card === null ? null : mixed(mixed(card, paid), transaction ?? 0)),
      transaction: keyOf(tenant.transaction, transaction),
    };
  };
}
