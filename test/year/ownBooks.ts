/** A webhook as the merchant's server has it: decrypted, with the id that repeats with a repeated delivery. */
export type ReceivedWebhook = { readonly deliveryId: string; readonly text: string };

/** What a merchant knows of a payment. */
export type OwnPayment = {
  readonly id: string;
  readonly type: string;
  readonly cents: bigint;
  readonly isApproved: boolean;
  readonly code: string;
  readonly referencedId: string | null;
  /** In milliseconds. */
  readonly at: number;
};

type Payload = {
  readonly id: string;
  readonly paymentType: string;
  readonly amount?: string;
  readonly referencedId?: string;
  readonly timestamp: string;
  readonly result: { readonly code: string };
};

const SUCCESS = /^(?:000\.000\.|000\.100\.1|000\.[36])/;
const CHARGEBACK = /^000\.100\.2/;

const centsOf = (text: string): bigint => BigInt(text.replace('.', ''));

/**
 * A merchant's books, from webhooks alone: nothing is asked of the gateway, and nothing of its code decides what counts. Each delivery
 * counts once; the last word about a payment is the one with the latest time.
 */
export function ownBooks(webhooks: readonly ReceivedWebhook[]): ReadonlyMap<string, OwnPayment> {
  const seen = new Set<string>();
  const payments = new Map<string, OwnPayment>();
  for (const { deliveryId, text } of webhooks) {
    if (seen.has(deliveryId)) continue;
    seen.add(deliveryId);
    const { type, payload } = JSON.parse(text) as { readonly type: string; readonly payload: Payload };
    if (type !== 'PAYMENT') continue;
    const { id, paymentType, amount, referencedId = null, timestamp, result } = payload;
    const at = Date.parse(timestamp.replace(' ', 'T').replace(/\+0000$/, 'Z'));
    const isApproved = SUCCESS.test(result.code) || (paymentType === 'CB' && CHARGEBACK.test(result.code));
    const known = payments.get(id);
    if (known && known.at > at) continue;
    const cents = amount === undefined ? 0n : centsOf(amount);
    payments.set(id, { id, type: paymentType, cents, isApproved, code: result.code, referencedId, at });
  }
  return payments;
}

export type Statement = {
  /** Sales less refunds. */
  readonly sales: bigint;
  /** Chargebacks less what was won back. */
  readonly disputes: bigint;
};

export function statementOf(payments: Iterable<OwnPayment>): Statement {
  let [sales, disputes] = [0n, 0n];
  for (const { type, cents, isApproved } of payments) {
    if (!isApproved) continue;
    if (type === 'DB' || type === 'CP') sales += cents;
    if (type === 'RF') sales -= cents;
    if (type === 'CB') disputes += cents;
    if (type === 'CR') disputes -= cents;
  }
  return { sales, disputes };
}
