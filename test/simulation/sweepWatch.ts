import type { Payment } from '../../src/payments/payment.ts';
import type { AcquirerAnswer } from '../../src/payments/ports.ts';
import { currentOperation, isOver, type Life } from './machine.ts';
import { breaks, type Sim } from './sim.ts';

/** Sees which node asks the acquirer about which payment. */
export type SweepWatch = {
  asked(life: Life, payment: Payment, question: Promise<AcquirerAnswer>): Promise<AcquirerAnswer>;
};

type Question = { readonly life: Life; readonly at: number; isOpen: boolean };

/** Then a question without an answer is given up. */
const PATIENCE_MS = 30_000;

/**
 * Q1: no two sweepers ask about a payment at the same time. A clock that is off, a store that is slow or a machine that stands still may
 * outlast a claim: such runs are not judged.
 */
export function createSweepWatch(sim: Sim): SweepWatch {
  const open = new Map<string, Question>();
  const { skewMsMax, jumps, awayMs, storeSlow, pauses } = sim.weather;
  const isJudged = skewMsMax === 0 && !jumps && awayMs === 0 && storeSlow === 0 && pauses === 0;
  return {
    asked(life, { id, revision }, question) {
      if (!isJudged || currentOperation() !== 'sweep') return question;
      const [before, now] = [open.get(id), sim.scheduler.now()];
      const isAsking = before?.isOpen && before.life !== life && !isOver(before.life) && now - before.at < PATIENCE_MS;
      if (isAsking) breaks(sim, 'Q1', `${life.machine.name} and ${before.life.machine.name} ask about ${id} r${revision}`);
      const own: Question = { life, at: now, isOpen: true };
      open.set(id, own);
      const end = () => {
        own.isOpen = false;
      };
      question.then(end, end);
      return question;
    },
  };
}
