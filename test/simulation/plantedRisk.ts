import type { RiskEngine } from '../../src/risk/engine.ts';
import { committing } from './plantedStores.ts';

/** Bugs around the risk checks, put in from outside like those of plantedStores.ts. */

export const overruling = (engine: RiskEngine): RiskEngine => ({
  ...engine,
  async evaluate(facts, settings, as) {
    const assessment = await engine.evaluate(facts, settings, as);
    return assessment?.verdict.is === 'decline' ? { ...assessment, verdict: { is: 'accept' } } : assessment;
  },
});

export const tellingTwice = (engine: RiskEngine): RiskEngine => ({
  ...engine,
  async record(facts, settings, is) {
    await engine.record(facts, settings, is);
    await engine.record(facts, settings, is);
  },
});

/** Only what is approved is worth a word. */
export const tellingHalf = (engine: RiskEngine): RiskEngine => ({
  ...engine,
  record: async (facts, settings, is) => (is === 'approved' ? engine.record(facts, settings, is) : undefined),
});

/** What the rules have declined waits for the acquirer like any other payment. */
export const goingOnAllTheSame = committing((change, keep) => {
  const { payment } = change;
  const isDeclined = payment.revision === 1 && payment.risk?.verdict.is === 'decline';
  return keep(isDeclined ? { ...change, payment: { ...payment, phase: { at: 'acquirer', dueAt: payment.createdAt } } } : change);
});

/** The verdict is written down with the answer, and not before the question. */
export const verdictLater = committing((change, keep) => {
  const { payment } = change;
  return keep(payment.revision === 1 ? { ...change, payment: { ...payment, risk: null } } : change);
});

/** The verdict is good for a moment only. */
export const verdictForgotten = committing((change, keep) => {
  const { payment } = change;
  return keep(payment.revision > 1 ? { ...change, payment: { ...payment, risk: null } } : change);
});
