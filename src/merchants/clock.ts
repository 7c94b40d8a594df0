import type { MerchantClock } from './ports.ts';

/** The time of the merchant. */
export const nowOf = ({ frozenAt, offsetMs }: MerchantClock, realNow: number): number => frozenAt ?? realNow + offsetMs;

export const isReal = ({ offsetMs, frozenAt, target }: MerchantClock): boolean =>
  offsetMs === 0 && frozenAt === null && target === null;

/** The clock of a merchant without a row. */
export const realClock = (merchantId: string): MerchantClock => ({
  merchantId,
  offsetMs: 0,
  frozenAt: null,
  target: null,
  steppedAt: 0,
  revision: 0,
});

/** The work done while a clock was advanced. */
export type AdvanceSummary = { readonly payments: number; readonly runs: number; readonly deliveries: number };

const revise = (clock: MerchantClock, change: Partial<MerchantClock>): MerchantClock => ({
  ...clock,
  ...change,
  revision: clock.revision + 1,
});

/** Stops the clock at its present time, and ends an advance. */
export const freeze = (clock: MerchantClock, realNow: number): MerchantClock =>
  revise(clock, { frozenAt: nowOf(clock, realNow), target: null });

/** Returns the clock to real time. */
export const resetToReal = (clock: MerchantClock): MerchantClock => revise(clock, { offsetMs: 0, frozenAt: null, target: null });

export const startAdvance = (clock: MerchantClock, target: number, realNow: number): MerchantClock =>
  revise(clock, { target, steppedAt: realNow });

/** Gives up an advance before its target: any node may continue it immediately. */
export const releaseAdvance = (clock: MerchantClock): MerchantClock => revise(clock, { steppedAt: 0 });

/** Moves the clock to the instant, never backwards. At its target the advance is over; a frozen clock stays frozen there. */
export function step(clock: MerchantClock, instant: number, realNow: number): MerchantClock {
  const time = Math.max(instant, nowOf(clock, realNow));
  const isAtTarget = clock.target !== null && time >= clock.target;
  return revise(clock, {
    ...(clock.frozenAt === null ? { offsetMs: time - realNow } : { frozenAt: time }),
    target: isAtTarget ? null : clock.target,
    steppedAt: realNow,
  });
}
