import { acquirerKey, type Payment } from '../../src/payments/payment.ts';
import type { Entry } from './acquirer.ts';
import { isAway } from './away.ts';
import { isSuccess } from './invariants.ts';
import { breaks, lateMs, type Sim, START } from './sim.ts';

/** What was seen of payments that are decided elsewhere, commit by commit. */
export type Lookout = {
  kept(payment: Payment): void;
  check(idle: ReadonlySet<string>): void;
};

type Seen = { until: number; successes: number; endedAt: number | null; payment: Payment };

/** From the end of the shopper's time, or of the trouble, until nobody may be in doubt any more. */
const RESOLUTION_MS = 45 * 60_000;

/**
 * Payments that are decided elsewhere. A1: they succeed once at most. A2: only after the bank has booked, and what is stored is of
 * use only then. A3: failed means that nobody can pay any more. A4: what the shopper never decided is no success. A5: none is open
 * long after his time.
 */
export function createLookout(sim: Sim, ledger: ReadonlyMap<string, Entry>): Lookout {
  const lives = new Map<string, Seen>();
  const stateOf = (payment: Payment) => ledger.get(acquirerKey(payment))?.state ?? 'unknown';
  return {
    kept(payment) {
      if (!isAway(payment)) return;
      const { id, phase } = payment;
      const seen = lives.get(id) ?? { until: 0, successes: 0, endedAt: null, payment };
      lives.set(id, seen);
      seen.payment = payment;
      if (phase.at === 'shopper') seen.until = phase.until;
      if (phase.at === 'final') seen.endedAt ??= sim.scheduler.now();
      if (!isSuccess(payment)) return;
      seen.successes += 1;
      if (seen.successes > 1) breaks(sim, 'A1', `${id} succeeded ${seen.successes} times`);
      if (stateOf(payment) !== 'booked') breaks(sim, 'A2', `${id} succeeds although it is ${stateOf(payment)} at the bank`);
    },
    check(idle) {
      const healedAt = START + sim.weather.chaosMs;
      for (const [id, { until, endedAt, payment }] of lives) {
        if (endedAt !== null && !isSuccess(payment) && stateOf(payment) === 'waiting')
          breaks(sim, 'A3', `${id} failed, and at the bank it can still be paid`);
        if (idle.has(id) && isSuccess(payment)) breaks(sim, 'A4', `${id} succeeded without its shopper`);
        const openMs = (endedAt ?? sim.scheduler.now()) - Math.max(until, healedAt);
        if (openMs > RESOLUTION_MS + lateMs(sim))
          breaks(sim, 'A5', `${id} was open ${Math.round(openMs / 60_000)} minutes too long`);
      }
    },
  };
}
