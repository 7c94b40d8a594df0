import { type Assessment, assess } from './assess.ts';
import type { RiskFacts } from './facts.ts';
import type { Keys, Lists, Velocity, WindowEvent, WindowQuery } from './ports.ts';
import type { RuleSet } from './rules.ts';

/** One query for each window of an event, in their order. */
export const windowQueries = ({ windows, keys, currency, at }: Omit<WindowEvent, 'is'>): readonly WindowQuery[] =>
  windows.map((window) => ({ window, key: keys[window.per], currency, now: at }));

/** One query for each window of a rule set, in its order. */
export const windowQueriesFor = (facts: RiskFacts, ruleSet: RuleSet, keys: Keys): readonly WindowQuery[] =>
  windowQueries(windowEvent(facts, ruleSet, keys));

/** The event that velocity counters record for an attempt or its outcome. */
export const windowEvent = ({ now, amount, currency }: RiskFacts, { windows }: RuleSet, keys: Keys): Omit<WindowEvent, 'is'> => ({
  at: now,
  keys,
  amount,
  currency,
  windows,
});

type EvaluationState = { readonly velocity: Velocity; readonly lists: Lists };

/** Evaluates the rules and records the attempt. A decline is recorded at once; other outcomes come later through recordOutcome(). */
export function evaluateAttempt(
  facts: RiskFacts,
  ruleSet: RuleSet,
  { velocity, lists }: EvaluationState,
): Assessment | Promise<Assessment> {
  const attempt = (listed: readonly (boolean | null)[]) =>
    velocity.attempt(windowEvent(facts, ruleSet, velocity.keysOf(facts)), (windows) =>
      assess(facts, ruleSet, { windows, listed }),
    );
  const listed = lists.listed(ruleSet.listings, facts);
  return listed instanceof Promise ? listed.then(attempt) : attempt(listed);
}

/** Evaluates the rules without recording an attempt. */
export async function evaluateOnly(
  facts: RiskFacts,
  ruleSet: RuleSet,
  { velocity, lists }: EvaluationState,
): Promise<Assessment> {
  const [windows, listed] = await Promise.all([
    velocity.query(windowQueriesFor(facts, ruleSet, velocity.keysOf(facts))),
    lists.listed(ruleSet.listings, facts),
  ]);
  return assess(facts, ruleSet, { windows, listed });
}

type AttemptOutcome = { readonly facts: RiskFacts; readonly ruleSet: RuleSet; readonly is: WindowEvent['is'] };

/** Records the outcome of an accepted payment: once per payment, with the facts of its evaluation. */
export const recordOutcome = (velocity: Velocity, { facts, ruleSet, is }: AttemptOutcome): void | Promise<void> =>
  velocity.record({ ...windowEvent(facts, ruleSet, velocity.keysOf(facts)), is });
