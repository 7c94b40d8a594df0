import type { Clocks } from '../merchants/clocks.ts';
import type { MerchantFilter } from '../merchants/merchantFilter.ts';

/** Whose things a job looks at, and in which time: that of one merchant, or that of everybody else (null). */
export type ClockScope = { readonly merchantId: string | null; readonly merchants: MerchantFilter };

/** One turn for everybody in real time, and one for each merchant who is not. Whoever is being moved is worked for by the mover alone. */
export function clockScopes(clocks: Pick<Clocks, 'withTestClock' | 'advancing'>): readonly ClockScope[] {
  const moved = clocks.withTestClock();
  const everybody: ClockScope = { merchantId: null, merchants: { except: moved } };
  if (moved.length === 0) return [everybody];
  const moving = new Set(clocks.advancing().map(({ merchantId }) => merchantId));
  return [everybody, ...moved.filter((merchantId) => !moving.has(merchantId)).map((one) => merchantScope(one))];
}

export const merchantScope = (merchantId: string): ClockScope => ({ merchantId, merchants: { only: merchantId } });
