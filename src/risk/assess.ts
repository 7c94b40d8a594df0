import type { CodeThat } from '../spec/resultCodes.ts';
import { type ConditionContext, conditionContext, type Values } from './conditions/compile.ts';
import type { RiskFacts } from './facts.ts';
import type { AnswerSlots, WindowAnswer } from './ports.ts';
import { type CompiledRule, type RuleSet, type RuleVerdict, ruleLimits, type Thresholds } from './rules.ts';

/** The consequence for the payment. `challenge`: require 3D Secure. `review`: continue and queue the payment for manual review. */
export type Verdict =
  | { readonly is: 'accept' | 'challenge' | 'review' }
  | { readonly is: 'decline'; readonly code: CodeThat<'declined'> };

/** A rule that fired, with the values that made it fire. */
export type FiredRule = {
  readonly rule: string;
  readonly says: string;
  readonly verdict: RuleVerdict;
  readonly code: CodeThat<'declined'> | null;
  readonly score: number;
  readonly values: Values;
};

/** The verdict and everything that led to it: plain data that is stored with the payment. */
export type Assessment = {
  readonly ruleSet: string;
  readonly verdict: Verdict;
  /** True when a review was requested, also when the verdict is a challenge. */
  readonly asksReview: boolean;
  /** The lower, the more suspicious; decisions/0014. */
  readonly score: number;
  /** In the order of the rules. */
  readonly fired: readonly FiredRule[];
  /** Rules in shadow mode that would have fired. */
  readonly shadow: readonly FiredRule[];
};

/** The answers to the queries of a rule set, in its order. */
export type Answers = { readonly windows: AnswerSlots<WindowAnswer>; readonly listed: AnswerSlots<boolean | null> };

/** The code of a rule that declines and names none. */
export const PLAIN_DECLINE = '100.400.319';
/** The code of a decline by score alone. */
export const BAD_SCORE = '100.400.100';

/** Evaluates one request. Pure: the same facts, rules and answers give the same assessment, also in a back-test years later. */
export function assess(facts: RiskFacts, ruleSet: RuleSet, answers: Answers): Assessment {
  const context = conditionContext(facts, ruleSet.facts, answers);
  const { fired, shadow, score, verdict, asksReview } = evaluateRules(context, ruleSet);
  const explain = (rule: CompiledRule) => explainFired(rule, context);
  return { ruleSet: ruleSet.id, verdict, asksReview, score, fired: fired.map(explain), shadow: shadow.map(explain) };
}

/** The verdict and the rules that led to it, without explanations. */
export type RuleEvaluation = Pick<Assessment, 'verdict' | 'asksReview' | 'score'> & {
  readonly fired: readonly CompiledRule[];
  readonly shadow: readonly CompiledRule[];
};

const nothing: readonly CompiledRule[] = [];

/** The conclusions of assess() without explanations: the back-test evaluates millions of payments. */
export function evaluateRules(context: ConditionContext, ruleSet: RuleSet): RuleEvaluation {
  let [fired, shadow]: [CompiledRule[] | null, CompiledRule[] | null] = [null, null];
  let sum = 0;
  for (const ready of ruleSet.rules) {
    // A condition that is unknown does not fire its rule.
    if (ready.test(context) !== true) continue;
    if (ready.rule.mode === 'on') {
      fired ??= [];
      fired.push(ready);
      sum += ready.rule.gives.score ?? 0;
    } else {
      shadow ??= [];
      shadow.push(ready);
    }
  }
  const score = clamped(sum);
  return { ...conclude(fired ?? nothing, score, ruleSet.thresholds), score, fired: fired ?? nothing, shadow: shadow ?? nothing };
}

function explainFired({ rule, explain }: CompiledRule, context: ConditionContext): FiredRule {
  const { verdict, score, code } = rule.gives;
  return {
    rule: rule.id,
    says: rule.says,
    verdict,
    code: verdict === 'decline' ? (code ?? PLAIN_DECLINE) : null,
    score: score ?? 0,
    values: explain(context),
  };
}

/** Decline beats challenge, challenge beats review. Of several declines the first in the order of the rules gives the code. */
function conclude(fired: readonly CompiledRule[], score: number, at: Thresholds): Pick<Assessment, 'verdict' | 'asksReview'> {
  const asksReview = hasVerdict(fired, 'review') || reaches(score, at.review);
  const declined = fired.find(({ rule }) => rule.gives.verdict === 'decline');
  if (declined) return { verdict: { is: 'decline', code: declined.rule.gives.code ?? PLAIN_DECLINE }, asksReview };
  if (reaches(score, at.decline)) return { verdict: { is: 'decline', code: BAD_SCORE }, asksReview };
  if (hasVerdict(fired, 'challenge') || reaches(score, at.challenge)) return { verdict: { is: 'challenge' }, asksReview };
  return { verdict: { is: asksReview ? 'review' : 'accept' }, asksReview };
}

const hasVerdict = (fired: readonly CompiledRule[], verdict: RuleVerdict): boolean =>
  fired.some(({ rule }) => rule.gives.verdict === verdict);

const reaches = (score: number, threshold: number | null): boolean => threshold !== null && score <= threshold;

/** The score within the range of `risk.score`. */
export const clamped = (score: number): number => Math.max(-ruleLimits.scoreMax, Math.min(ruleLimits.scoreMax, score));

/** `risk.score` on the wire: digits, and a sign when it is negative. */
export const scoreText = (score: number): string => String(score);
