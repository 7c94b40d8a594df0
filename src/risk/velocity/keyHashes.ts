import type { RiskFacts } from '../facts.ts';
import { ipHolder } from '../normalise.ts';
import type { Dimension } from '../ports.ts';
import { hashOf, mixed } from './hashIndex.ts';
import { dimensions } from './keys.ts';

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
  const keyOf = (dimension: Dimension, tenant: number, value: number | null): number | null =>
    value === null ? null : mixed(mixed(tenant, salts[dimension]), value);
  const hashed = (text: string | null): number | null => (text === null ? null : hashOf(text, seed));
  return (facts) => {
    const { customer } = facts;
    const tenant = remembered(facts.merchantId);
    const [card, transaction] = [hashed(facts.fingerprint), hashed(facts.merchantTransactionId)];
    const ip = hashed(customer.ip === null ? null : ipHolder(customer.ip));
    const paid = mixed(Number(BigInt.asUintN(53, facts.amount)), remembered(facts.currency));
    return {
      card: keyOf('card', tenant, card),
      email: keyOf('email', tenant, hashed(customer.email)),
      ip: keyOf('ip', tenant, ip),
      bin: keyOf('bin', tenant, facts.bin === null ? null : remembered(facts.bin)),
      customer: keyOf('customer', tenant, hashed(customer.merchantCustomerId)),
      checkout: keyOf('checkout', tenant, hashed(facts.checkoutId)),
      entity: keyOf('entity', tenant, remembered(facts.entityId)),
      mobile: keyOf('mobile', tenant, hashed(customer.mobile)),
      'card+ip': keyOf('card+ip', tenant, card === null || ip === null ? null : mixed(card, ip)),
      order: keyOf('order', tenant, card === null ? null : mixed(mixed(card, paid), transaction ?? 0)),
      transaction: keyOf('transaction', tenant, transaction),
    };
  };
}
