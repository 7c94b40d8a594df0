import { type Assessment, clamped, type Fired, type Verdict } from './assess.ts';
import type { RiskFacts } from './facts.ts';
import type { Screening, ScreeningVerdict } from './ports.ts';
import { isRiskCode, isScore } from './rules.ts';
import type { RiskSettings } from './settings.ts';

/** Fraud screening denied it. */
const DENIED = '100.400.142';
/** External risk system is not available. */
const UNAVAILABLE = '100.400.325';

type Policy = Pick<NonNullable<RiskSettings['screening']>, 'silence' | 'waitMs'>;
type Timers = { within<T>(ms: number, promise: Promise<T>): Promise<T> };

/** What a provider said, or what its silence means to the merchant. */
export type Screened = {
  readonly provider: string;
  readonly isSilent: boolean;
  readonly verdict: Verdict;
  readonly score: number;
};

/** Asks a provider outside. Whatever it does, throws or leaves undone, there is a verdict in time. */
export async function screen(
  screening: Screening,
  facts: RiskFacts,
  { silence, waitMs, timers }: Policy & { readonly timers: Timers },
): Promise<Screened> {
  const provider = screening.name;
  try {
    const said = heard(await timers.within(waitMs, screening.ask(facts)));
    if (said) return { provider, isSilent: false, ...said };
  } catch {
    // Late, broken or gone: all the same to the payment.
  }
  const verdict: Verdict = silence === 'decline' ? { is: 'decline', code: UNAVAILABLE } : { is: silence };
  return { provider, isSilent: true, verdict, score: 0 };
}

/** Only the words of ScreeningVerdict are an answer; anything else is silence. */
function heard(said: ScreeningVerdict): Pick<Screened, 'verdict' | 'score'> | null {
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

/** An assessment with the provider's word in it. The stronger verdict stands; of two declines, that of our own rules. */
export function joined(own: Assessment, { provider, isSilent, verdict, score }: Screened): Assessment {
  const isStronger = strength.indexOf(verdict.is) > strength.indexOf(own.verdict.is);
  const fired: Fired = {
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
