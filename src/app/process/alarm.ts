import type { World } from '../../payments/ports.ts';
import { type Clock, MINUTE_MS } from '../../spec/time.ts';

/** One alarm is one line in this time, however often it is raised. */
export const QUIET_MS = 10 * MINUTE_MS;
/** More alarms that differ are not remembered. */
const ALARMS_MAX = 1_000;

type Raised = { readonly at: number; repeated: number };

/**
 * Writes alarms. A stranger may cause one, by a forged notification for example, so the same alarm about the same things is one line in ten
 * minutes. The next line says how often it was raised in between.
 */
export function createAlarm(write: (about: object, message: string) => void, clock: Clock): World['alarm'] {
  /** By message and what it is about, in the order in which they were written. */
  const raised = new Map<string, Raised>();
  return (message, about) => {
    const key = JSON.stringify([message, about]);
    const now = clock.now();
    const last = raised.get(key);
    if (last !== undefined && Math.abs(now - last.at) < QUIET_MS) {
      last.repeated += 1;
      return;
    }
    raised.delete(key);
    const [oldest] = raised.size >= ALARMS_MAX ? raised.keys() : [];
    if (oldest !== undefined) raised.delete(oldest);
    raised.set(key, { at: now, repeated: 0 });
    const repeated = last?.repeated ?? 0;
    write({ alarm: true, ...about, ...(repeated > 0 && { repeated }) }, message);
  };
}
