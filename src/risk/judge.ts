import { type Assessment, assess } from './assess.ts';
import type { RiskFacts } from './facts.ts';
import { keysOf } from './keys.ts';
import type { Keys, Lists, Velocity, WindowEvent, WindowQuestion } from './needs.ts';
import type { RuleSet } from './rules.ts';

/** What a rule set wants to know of the windows about one request, in its order. */
export const questionsOf = ({ now, currency }: RiskFacts, { windows }: RuleSet, keys: Keys): readonly WindowQuestion[] =>
  windows.map((window) => ({ window, key: keys[window.per], currency, now }));

/** An attempt or its outcome, as the windows are told. */
export const eventOf = ({ now, amount, currency }: RiskFacts, { windows }: RuleSet, keys: Keys): Omit<WindowEvent, 'is'> => ({
  at: now,
  keys,
  amount,
  currency,
  windows,
});

type Memory = { readonly velocity: Velocity; readonly lists: Lists };

/**
 * Asks, notes the attempt, and judges. The attempt is noted in the same breath in which the windows are read: of a thousand requests
 * at once each sees those before it. A decline is noted here; what becomes of the others is told with settle().
 */
export async function judge(facts: RiskFacts, ruleSet: RuleSet, { velocity, lists }: Memory): Promise<Assessment> {
  const keys = keysOf(facts);
  const event = eventOf(facts, ruleSet, keys);
  const [windows, , listed] = await Promise.all([
    velocity.read(questionsOf(facts, ruleSet, keys)),
    velocity.note({ ...event, is: 'attempt' }),
    lists.listed(ruleSet.listings, facts),
  ]);
  const assessment = assess(facts, ruleSet, { windows, listed });
  if (assessment.verdict.is === 'decline') await velocity.note({ ...event, is: 'blocked' });
  return assessment;
}

/** The same for somebody who only wants to know: nothing is remembered of it. */
export async function look(facts: RiskFacts, ruleSet: RuleSet, { velocity, lists }: Memory): Promise<Assessment> {
  const [windows, listed] = await Promise.all([
    velocity.read(questionsOf(facts, ruleSet, keysOf(facts))),
    lists.listed(ruleSet.listings, facts),
  ]);
  return assess(facts, ruleSet, { windows, listed });
}

type Settled = { readonly facts: RiskFacts; readonly ruleSet: RuleSet; readonly is: WindowEvent['is'] };

/** Tells the windows what became of a payment that was let through. Once for each payment, with the facts it was judged by. */
export async function settle(velocity: Velocity, { facts, ruleSet, is }: Settled): Promise<void> {
  await velocity.note({ ...eventOf(facts, ruleSet, keysOf(facts)), is });
}
