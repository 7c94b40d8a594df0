import type { MerchantClock } from './ports.ts';

/** What time it is for the merchant. */
export const nowOf = ({ frozenAt, offsetMs }: MerchantClock, realNow: number): number => frozenAt ?? realNow + offsetMs;

export const isReal = ({ offsetMs, frozenAt, target }: MerchantClock): boolean =>
  offsetMs === 0 && frozenAt === null && target === null;

/** The clock of a merchant that never had one. */
export const realClock = (merchantId: string): MerchantClock => ({
  merchantId,
  offsetMs: 0,
  frozenAt: null,
  target: null,
  steppedAt: 0,
  revision: 0,
});

/** How much was done while a clock was moved. */
export type AdvanceSummary = { readonly payments: number; readonly runs: number; readonly deliveries: number };

const onward = (clock: MerchantClock, change: Partial<MerchantClock>): MerchantClock => ({
  ...clock,
  ...change,
  revision: clock.revision + 1,
});

/** It stands still from now on, and goes no further where it was being moved. */
export const freeze = (clock: MerchantClock, realNow: number): MerchantClock =>
  onward(clock, { frozenAt: nowOf(clock, realNow), target: null });

/** Real time again. */
export const resetToReal = (clock: MerchantClock): MerchantClock => onward(clock, { offsetMs: 0, frozenAt: null, target: null });

/** It is on its way. */
export const startAdvance = (clock: MerchantClock, target: number, realNow: number): MerchantClock =>
  onward(clock, { target, steppedAt: realNow });

/** Whoever moved it has to go: anybody may go on with it at once. */
export const releaseAdvance = (clock: MerchantClock): MerchantClock => onward(clock, { steppedAt: 0 });

/** It shows this instant, or a later one that it showed already: it stands there, or runs on from there. */
export function step(clock: MerchantClock, instant: number, realNow: number): MerchantClock {
  const at = Math.max(instant, nowOf(clock, realNow));
  const isThere = clock.target !== null && at >= clock.target;
  return onward(clock, {
    ...(clock.frozenAt === null ? { offsetMs: at - realNow } : { frozenAt: at }),
    target: isThere ? null : clock.target,
    steppedAt: realNow,
  });
}
