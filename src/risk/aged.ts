import type { Velocity, Window } from './needs.ts';
import { tierOf } from './tiers.ts';

const known = new WeakMap<readonly Window[], Map<number, readonly Window[]>>();

/** The windows in which an attempt of this age can still count. */
function stillOpen(windows: readonly Window[], ageMs: number): readonly Window[] {
  const tier = tierOf(ageMs);
  if (tier === 0) return windows;
  const byTier = known.get(windows) ?? new Map<number, readonly Window[]>();
  known.set(windows, byTier);
  // The same list each time: what is worked out for a list of windows is found again by it.
  const open = byTier.get(tier) ?? windows.filter(({ ms }) => tierOf(ms) >= tier);
  byTier.set(tier, open);
  return open;
}

/**
 * The same memory, for a process that is told of old attempts. What is told late takes no room where nobody will look any more:
 * otherwise the payments of last week would push those of the last minute out of the windows of a minute.
 */
export const createAgedVelocity = (velocity: Velocity, clock: { now(): number }): Velocity => ({
  read: velocity.read,
  note: (event) => velocity.note({ ...event, windows: stillOpen(event.windows, clock.now() - event.at) }),
});
