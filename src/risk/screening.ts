import { type Assessment, clamped, type FiredRule, type Verdict } from './assess.ts';
import type { RiskFacts } from './facts.ts';
import type { ScreeningProvider, ScreeningVerdict } from './ports.ts';
import { isRiskCode, isScore } from './rules.ts';
import type { RiskSettings } from './settings.ts';

/** Fraud screening denied it. */
const DENIED = '100.400.142';
/** External risk system is not available. */
const UNAVAILABLE = '100.400.325';

type ScreeningPolicy = Pick<NonNullable<RiskSettings['screening']>, 'silence' | 'waitMs'>;
type Timers = { within<T>(ms: number, promise: Promise<T>): Promise<T> };

/** The verdict of a provider, or the verdict that the merchant has set for its silence. */
export type ScreeningResult = {
  readonly provider: string;
  readonly isSilent: boolean;
  readonly verdict: Verdict;
  readonly score: number;
};

/** Asks a screening provider. Returns a verdict within `waitMs` even when the provider throws or never answers. */
export async function screenWithin(
  screening: ScreeningProvider,
  facts: RiskFacts,
  { silence, waitMs, timers }: ScreeningPolicy & { readonly timers: Timers },
): Promise<ScreeningResult> {
  const provider = screening.name;
  try {
    const answer = readVerdict(await timers.within(waitMs, screening.screen(facts)));
    if (answer) return { provider, isSilent: false, ...answer };
  } catch {
    // A late answer and an error are both silence.
  }
  const verdict: Verdict = silence === 'decline' ? { is: 'decline', code: UNAVAILABLE } : { is: silence };
  return { provider, isSilent: true, verdict, score: 0 };
}

/** Returns null for anything that is not a ScreeningVerdict: that is silence too. */
function readVerdict(said: ScreeningVerdict): Pick<ScreeningResult, 'verdict' | 'score'> | null {
  const score = said?.score ?? 0;
  if (!isScore(score)) return null;
  switch (said?.is) {
    case 'accept':
    case 'challenge':
    case 'review':
      return { verdict: { is: said.is }, score };
    case 'decline':
      return { verdict: { is: 'decline', code: isRiskCode(said.code) ? said.code : DENIED }, score };
    default:
      return null;
  }
}

const strength: readonly Verdict['is'][] = ['accept', 'review', 'challenge', 'decline'];

/** Adds the provider's verdict to an assessment. The stronger verdict wins; of two declines, the one of our own rules. */
export function withScreening(own: Assessment, { provider, isSilent, verdict, score }: ScreeningResult): Assessment {
  const isStronger = strength.indexOf(verdict.is) > strength.indexOf(own.verdict.is);
  const fired: FiredRule = {
    rule: `screening.${provider}`,
    says: isSilent ? 'The screening provider did not answer.' : 'The screening provider was asked.',
    verdict: verdict.is,
    code: verdict.is === 'decline' ? verdict.code : null,
    score,
    values: {},
  };
  return {
    ...own,
    verdict: isStronger ? verdict : own.verdict,
    asksReview: own.asksReview || verdict.is === 'review',
    score: clamped(own.score + score),
    fired: [...own.fired, fired],
  };
}
