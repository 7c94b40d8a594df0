import type { Clock } from '../../spec/time.ts';
import { windowQueries } from '../engine.ts';
import type { Velocity, Window, WindowEvent } from '../ports.ts';
import { tierOf } from './tiers.ts';

/**
 * Velocity counters for a process that records old attempts too. An old attempt takes no space in short windows, which could not count
 * it any more: otherwise last week's payments would evict the keys of the last minute.
 */
export function createAgedVelocity(velocity: Velocity, clock: Clock): Velocity {
  const known = new WeakMap<readonly Window[], Map<number, readonly Window[]>>();
  /** The windows that reach back far enough to count an attempt of this age. */
  const windowsReaching = (windows: readonly Window[], ageMs: number): readonly Window[] => {
    const tier = tierOf(ageMs);
    if (tier === 0) return windows;
    const byTier = known.get(windows) ?? new Map<number, readonly Window[]>();
    known.set(windows, byTier);
    // The same array for the same input: prepared layouts are found by the identity of the list of windows.
    const open = byTier.get(tier) ?? windows.filter(({ ms }) => tierOf(ms) >= tier);
    byTier.set(tier, open);
    return open;
  };
  const open = (event: Omit<WindowEvent, 'is'>): readonly Window[] => windowsReaching(event.windows, clock.now() - event.at);
  return {
    keysOf: velocity.keysOf,
    query: velocity.query,
    record: (event) => velocity.record({ ...event, windows: open(event) }),
    async attempt(event, evaluate) {
      const windows = open(event);
      if (windows === event.windows) return velocity.attempt(event, evaluate);
      // The attempt began long ago: all windows are read, and only the long ones record it.
      const [answers] = await Promise.all([
        velocity.query(windowQueries(event)),
        velocity.record({ ...event, windows, is: 'attempt' }),
      ]);
      const evaluated = evaluate(answers);
      if (evaluated.verdict.is === 'decline') await velocity.record({ ...event, windows, is: 'blocked' });
      return evaluated;
    },
  };
}
