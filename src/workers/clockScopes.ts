import type { Clocks } from '../merchants/clocks.ts';
import { exceptMerchants, type MerchantFilter, onlyMerchant } from '../merchants/merchantFilter.ts';

/** The merchants that share one clock. `merchantId` is null for the scope of all merchants in real time. */
export type ClockScope = { readonly merchantId: string | null; readonly merchants: MerchantFilter };

/**
 * One scope for all merchants in real time, and one for each merchant with a test clock. A merchant whose clock is being advanced has none:
 * the clock advancer alone runs its work.
 */
export function clockScopes(clocks: Pick<Clocks, 'withTestClock' | 'advancing'>): readonly ClockScope[] {
  const withTestClock = clocks.withTestClock();
  const inRealTime: ClockScope = { merchantId: null, merchants: exceptMerchants(withTestClock) };
  if (withTestClock.length === 0) return [inRealTime];
  const advancing = new Set(clocks.advancing().map(({ merchantId }) => merchantId));
  return [inRealTime, ...withTestClock.filter((merchantId) => !advancing.has(merchantId)).map(merchantScope)];
}

export const merchantScope = (merchantId: string): ClockScope => ({ merchantId, merchants: onlyMerchant(merchantId) });
