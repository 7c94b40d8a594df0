import { questionsAbout } from '../judge.ts';
import type { Velocity, Window, WindowEvent } from '../ports.ts';
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
export function createAgedVelocity(velocity: Velocity, clock: { now(): number }): Velocity {
  const open = (event: Omit<WindowEvent, 'is'>): readonly Window[] => stillOpen(event.windows, clock.now() - event.at);
  return {
    keysOf: velocity.keysOf,
    read: velocity.read,
    note: (event) => velocity.note({ ...event, windows: open(event) }),
    async attempt(event, judge) {
      const windows = open(event);
      if (windows === event.windows) return velocity.attempt(event, judge);
      // Judged long after it began: it is asked about more than is noted of it.
      const [answers] = await Promise.all([
        velocity.read(questionsAbout(event)),
        velocity.note({ ...event, windows, is: 'attempt' }),
      ]);
      const judged = judge(answers);
      if (judged.verdict.is === 'decline') await velocity.note({ ...event, windows, is: 'blocked' });
      return judged;
    },
  };
}
