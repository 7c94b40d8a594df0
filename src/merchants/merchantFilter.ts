import { DAY_MS, MINUTE_MS } from '../spec/time.ts';

/** One merchant, or all but some. `only` decides which. */
export type MerchantFilter =
  | { readonly only: string; readonly except?: undefined }
  | { readonly only?: undefined; readonly except: readonly string[] };

export const allMerchants: MerchantFilter = { except: [] };

/** A query for due work of some merchants. */
export type DueQuery = { readonly now: number; readonly limit: number; readonly merchants: MerchantFilter };

/** The same question about the instant up to which clocks may differ. */
export const allowSkew = (asked: DueQuery): DueQuery => ({ ...asked, now: asked.now + SKEW_MS_MAX });

/** Clocks of nodes differ by less. An instant further ahead was written by a clock that was set back since. */
export const SKEW_MS_MAX = 15 * MINUTE_MS;

/**
 * The longest that things of a kind ever wait, by their own rules. What is due later than this and the difference of clocks is due now: a
 * clock that was a day ahead must not leave anything undone for a day after it was put back.
 */
export const waitMsMax = {
  /** A checkout's life. */
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
  merchants.only === undefined ? !merchants.except.includes(merchantId) : merchants.only === merchantId;
