import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../spec/time.ts';
import type { Outcome, WindowEvent } from '../ports.ts';

/**
 * Attempts are counted in time buckets. A window is answered from the finest tier that reaches back far enough. The bucket in which the
 * window begins is counted whole: no attempt in the window is missed, and attempts up to one bucket earlier may be counted too.
 */
export type Tier = { readonly widthMs: number; readonly reachMs: number };

export const tiers: readonly Tier[] = [
  { widthMs: SECOND_MS, reachMs: MINUTE_MS },
  { widthMs: 10 * SECOND_MS, reachMs: 10 * MINUTE_MS },
  { widthMs: MINUTE_MS, reachMs: HOUR_MS },
  { widthMs: 15 * MINUTE_MS, reachMs: 24 * HOUR_MS },
  { widthMs: 6 * HOUR_MS, reachMs: 31 * 24 * HOUR_MS },
];

/** How many buckets before the newest one are kept in each tier. */
export const bucketsKept: readonly number[] = tiers.map(({ widthMs, reachMs }) => reachMs / widthMs + 1);

/** The index of the tier that answers windows of this length. */
export function tierOf(ms: number): number {
  let at = 0;
  while (at < tiers.length - 1 && ms > (tiers[at] as Tier).reachMs) at += 1;
  return at;
}

/** 2020-01-01: seconds since then fit into 31 bits until the year 2088. */
const EPOCH = 1_577_836_800_000;

/** The number of the bucket that an instant falls into. */
export const bucketAt = (at: number, widthMs: number): number => Math.floor((at - EPOCH) / widthMs);

/** Which counter of a bucket an event increments, for variant 0; the outcomes of variant 1 follow `OUTCOMES` further on. */
export const columns: Readonly<Record<WindowEvent['is'], number>> = {
  attempt: 0,
  approved: 1,
  declined: 2,
  blocked: 3,
  unbooked: 4,
};

/** How many outcomes a variant has. */
export const OUTCOMES = 4;

/** How the counters add up to an outcome. */
export const weights: Readonly<
  Record<Outcome, readonly [attempts: number, approved: number, declined: number, blocked: number, unbooked: number]>
> = {
  any: [1, 0, 0, 0, 0],
  approved: [0, 1, 0, 0, 0],
  declined: [0, 0, 1, 0, 0],
  blocked: [0, 0, 0, 1, 0],
  failed: [0, 0, 1, 1, 0],
  open: [1, -1, -1, -1, -1],
  unapproved: [1, -1, 0, 0, 0],
  standing: [1, 0, -1, -1, -1],
};
