import { DAY_MS, MINUTE_MS } from '../spec/time.ts';

/** One merchant, or all but some. */
export type MerchantFilter =
  | { readonly kind: 'only'; readonly merchantId: string }
  | { readonly kind: 'except'; readonly merchantIds: readonly string[] };

export const onlyMerchant = (merchantId: string): MerchantFilter => ({ kind: 'only', merchantId });
export const exceptMerchants = (merchantIds: readonly string[]): MerchantFilter => ({ kind: 'except', merchantIds });
export const allMerchants: MerchantFilter = exceptMerchants([]);

/** A query for due work of some merchants. */
export type DueQuery = { readonly now: number; readonly limit: number; readonly merchants: MerchantFilter };

/** Due work is claimed until an instant: other nodes do not get it before. */
export type ClaimQuery = DueQuery & { readonly until: number };

/** `until` as in the query: a claim that has ended may be another node's by now. */
export type ClaimRelease = {
  readonly payments: readonly { readonly merchantId: string; readonly id: string }[];
  readonly until: number;
};

/** The same query at the latest time that a node's clock may show. */
export const allowSkew = (query: DueQuery): DueQuery => ({ ...query, now: query.now + SKEW_MS_MAX });

/** The clocks of nodes differ by less. A later instant was written by a clock that was set back since. */
export const SKEW_MS_MAX = 15 * MINUTE_MS;

/**
 * The longest time that work of a kind ever waits, by its own rules. Work that is due even later, clock differences included, is due now:
 * a clock that was a day ahead must not delay work for a day after it was set back.
 */
export const waitMsMax = {
  /** The lifetime of a checkout. */
  call: 30 * MINUTE_MS,
  networkToken: DAY_MS,
  reconciliation: 60 * MINUTE_MS,
  reconciliationClaim: 30 * MINUTE_MS,
  /** A day, or the receiver's Retry-After, and up to 15 minutes of jitter. */
  delivery: DAY_MS + 15 * MINUTE_MS,
} as const;

/** The latest plausible due time. Work with a later one is due now. */
export const latestFor = (kind: keyof typeof waitMsMax, now: number): number => now + waitMsMax[kind] + SKEW_MS_MAX;

export const matchesMerchant = (merchants: MerchantFilter, merchantId: string): boolean =>
  merchants.kind === 'only' ? merchants.merchantId === merchantId : !merchants.merchantIds.includes(merchantId);
