import { type Assessment, assess } from './assess.ts';
import type { RiskFacts } from './facts.ts';
import type { Keys, Lists, Velocity, WindowEvent, WindowQuery } from './ports.ts';
import type { RuleSet } from './rules.ts';

/** What the windows of an event are to be asked about its request, in their order. */
export const questionsAbout = ({ windows, keys, currency, at }: Omit<WindowEvent, 'is'>): readonly WindowQuery[] =>
  windows.map((window) => ({ window, key: keys[window.per], currency, now: at }));

/** What a rule set wants to know of the windows about one request, in its order. */
export const questionsOf = (facts: RiskFacts, ruleSet: RuleSet, keys: Keys): readonly WindowQuery[] =>
  questionsAbout(eventOf(facts, ruleSet, keys));

/** An attempt or its outcome, as the windows are told. */
export const eventOf = ({ now, amount, currency }: RiskFacts, { windows }: RuleSet, keys: Keys): Omit<WindowEvent, 'is'> => ({
  at: now,
  keys,
  amount,
  currency,
  windows,
});

type Memory = { readonly velocity: Velocity; readonly lists: Lists };

/** Asks, judges, and notes the attempt. A decline is noted with it; what becomes of the others is told with settle(). */
export async function judge(facts: RiskFacts, ruleSet: RuleSet, { velocity, lists }: Memory): Promise<Assessment> {
  const listed = await lists.listed(ruleSet.listings, facts);
  return await velocity.attempt(eventOf(facts, ruleSet, velocity.keysOf(facts)), (windows) =>
    assess(facts, ruleSet, { windows, listed }),
  );
}

/** The same for somebody who only wants to know: nothing is remembered of it. */
export async function look(facts: RiskFacts, ruleSet: RuleSet, { velocity, lists }: Memory): Promise<Assessment> {
  const [windows, listed] = await Promise.all([
    velocity.read(questionsOf(facts, ruleSet, velocity.keysOf(facts))),
    lists.listed(ruleSet.listings, facts),
  ]);
  return assess(facts, ruleSet, { windows, listed });
}

type Settled = { readonly facts: RiskFacts; readonly ruleSet: RuleSet; readonly is: WindowEvent['is'] };

/** Tells the windows what became of a payment that was let through. Once for each payment, with the facts it was judged by. */
export const settle = (velocity: Velocity, { facts, ruleSet, is }: Settled): Promise<void> =>
  velocity.note({ ...eventOf(facts, ruleSet, velocity.keysOf(facts)), is });
