import type { Clocks } from '../merchants/clocks.ts';
import type { MerchantFilter } from '../merchants/merchantFilter.ts';

/** Whose things a job looks at, and in which time: that of one merchant, or that of everybody else (null). */
export type WorkTurn = { readonly merchantId: string | null; readonly merchants: MerchantFilter };

/** One turn for everybody in real time, and one for each merchant who is not. Whoever is being moved is worked for by the mover alone. */
export function turnsOf(clocks: Pick<Clocks, 'moved' | 'moving'>): readonly WorkTurn[] {
  const moved = clocks.moved();
  const everybody: WorkTurn = { merchantId: null, merchants: { except: moved } };
  if (moved.length === 0) return [everybody];
  const moving = new Set(clocks.moving().map(({ merchantId }) => merchantId));
  return [everybody, ...moved.filter((merchantId) => !moving.has(merchantId)).map((one) => ofOne(one))];
}

export const ofOne = (merchantId: string): WorkTurn => ({ merchantId, merchants: { only: merchantId } });
