import type { Payment } from '../../src/payments/payment.ts';
import { currentOperation, type Life } from './machine.ts';
import { breaks, type Sim } from './sim.ts';

/** Sees which node asks the acquirer about which payment. */
export type SweepWatch = { asked(life: Life, payment: Payment): void };

/** As long as a claim lasts. */
const CLAIM_MS = 60_000;

/**
 * Q1: where the clocks agree, no two sweepers ask about the same revision of a payment while a claim lasts. Misdated payments are not
 * claimed, and only clocks that were put back leave any.
 */
export function createSweepWatch(sim: Sim): SweepWatch {
  const last = new Map<string, { readonly node: string; readonly at: number }>();
  const { skewMsMax, jumps, awayMs } = sim.weather;
  const isSynchronous = skewMsMax === 0 && !jumps && awayMs === 0;
  return {
    asked({ machine, epoch }, { id, revision, phase }) {
      if (!isSynchronous || currentOperation() !== 'sweep' || phase.at === 'acquirer') return;
      const key = `${id} ${revision}`;
      const [before, node] = [last.get(key), `${machine.name}.${epoch}`];
      const now = sim.scheduler.now();
      if (before && before.node !== node && now - before.at < CLAIM_MS / 2)
        breaks(sim, 'Q1', `${node} and ${before.node} asked about ${id} r${revision} within ${now - before.at} ms`);
      last.set(key, { node, at: now });
    },
  };
}
