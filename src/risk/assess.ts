import type { CodeThat } from '../spec/resultCodes.ts';
import { type View, viewOf } from './conditions/compile.ts';
import type { Values } from './conditions/explain.ts';
import type { RiskFacts } from './facts.ts';
import type { Answered, WindowAnswer } from './ports.ts';
import { type ReadyRule, type RuleSet, type RuleVerdict, ruleLimits, type Thresholds } from './rules.ts';

/** What is to happen with the payment. `challenge`: ask for 3D Secure. `review`: go on, and a person looks at it. */
export type Verdict =
  | { readonly is: 'accept' | 'challenge' | 'review' }
  | { readonly is: 'decline'; readonly code: CodeThat<'declined'> };

/** One rule that fired, and with what values. */
export type Fired = {
  readonly rule: string;
  readonly says: string;
  readonly verdict: RuleVerdict;
  readonly code: CodeThat<'declined'> | null;
  readonly score: number;
  readonly values: Values;
};

/** The verdict and all that led to it: plain data, to be stored with the payment. */
export type Assessment = {
  readonly ruleSet: string;
  readonly verdict: Verdict;
  /** A review was asked for, also where a challenge comes first and is the verdict. */
  readonly asksReview: boolean;
  /** The lower, the more suspicious; decisions/0014. */
  readonly score: number;
  /** In the order of the rules. */
  readonly fired: readonly Fired[];
  /** What would have fired, of rules on trial. */
  readonly shadow: readonly Fired[];
};

/** The answers to what the rule set asks, in its order. */
export type Answers = { readonly windows: Answered<WindowAnswer>; readonly listed: Answered<boolean | null> };

/** A rule that declines and names no code. */
export const PLAIN_DECLINE = '100.400.319';
/** The score alone was too bad. */
export const BAD_SCORE = '100.400.100';

/** Judges one request. Pure: the same facts, rules and answers give the same assessment, on the day or in a back-test years later. */
export function assess(facts: RiskFacts, ruleSet: RuleSet, answers: Answers): Assessment {
  const view = viewOf(facts, ruleSet.facts, answers);
  const { fired, shadow, score, verdict, asksReview } = weigh(view, ruleSet);
  const told = (ready: ReadyRule) => firedOf(ready, view);
  return { ruleSet: ruleSet.id, verdict, asksReview, score, fired: fired.map(told), shadow: shadow.map(told) };
}

/** The verdict, and the rules that led to it, without a word of explanation. */
export type Weighed = Pick<Assessment, 'verdict' | 'asksReview' | 'score'> & {
  readonly fired: readonly ReadyRule[];
  readonly shadow: readonly ReadyRule[];
};

const nothing: readonly ReadyRule[] = [];

/** What assess() concludes, for whoever judges millions and reads no explanation. */
export function weigh(view: View, ruleSet: RuleSet): Weighed {
  let [fired, shadow]: [ReadyRule[] | null, ReadyRule[] | null] = [null, null];
  let sum = 0;
  for (const ready of ruleSet.rules) {
    // Unknown is not enough: a rule fires when its condition is true.
    if (ready.test(view) !== true) continue;
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
  return { ...concluded(fired ?? nothing, score, ruleSet.thresholds), score, fired: fired ?? nothing, shadow: shadow ?? nothing };
}

function firedOf({ rule, explain }: ReadyRule, view: View): Fired {
  const { verdict, score, code } = rule.gives;
  return {
    rule: rule.id,
    says: rule.says,
    verdict,
    code: verdict === 'decline' ? (code ?? PLAIN_DECLINE) : null,
    score: score ?? 0,
    values: explain(view),
  };
}

/** Decline beats challenge, challenge beats review. Of several declines the first in the order of the rules gives the code. */
function concluded(fired: readonly ReadyRule[], score: number, at: Thresholds): Pick<Assessment, 'verdict' | 'asksReview'> {
  const asksReview = isAsked(fired, 'review') || reaches(score, at.review);
  const declined = fired.find(({ rule }) => rule.gives.verdict === 'decline');
  if (declined) return { verdict: { is: 'decline', code: declined.rule.gives.code ?? PLAIN_DECLINE }, asksReview };
  if (reaches(score, at.decline)) return { verdict: { is: 'decline', code: BAD_SCORE }, asksReview };
  if (isAsked(fired, 'challenge') || reaches(score, at.challenge)) return { verdict: { is: 'challenge' }, asksReview };
  return { verdict: { is: asksReview ? 'review' : 'accept' }, asksReview };
}

const isAsked = (fired: readonly ReadyRule[], verdict: RuleVerdict): boolean =>
  fired.some(({ rule }) => rule.gives.verdict === verdict);

const reaches = (score: number, threshold: number | null): boolean => threshold !== null && score <= threshold;

/** A score within what `risk.score` can say. */
export const clamped = (score: number): number => Math.max(-ruleLimits.scoreMax, Math.min(ruleLimits.scoreMax, score));

/** `risk.score` on the wire: digits, and a sign when it is negative. */
export const scoreText = (score: number): string => String(score);
