import { isRecord } from '../json.ts';
import { draw } from './draw.ts';
import type { AcquirerAct, Acts, LaterType, Scenario } from './language.ts';
import { actsIn, SCENARIO_NAME } from './shape.ts';

/** The parameter that stores it with a payment. Requests may not send it. */
export const PLAYED = 'customParameters[SCENARIO_played]';

/** A scenario as one payment plays it: chance is drawn, so that a change of the scenario does not change what has begun. */
export type Played = {
  readonly scenario: string;
  readonly seed: number;
  /** Which attempt this is, from 1. */
  readonly attempt: number;
  readonly acts: Acts;
};

export function play(scenario: Scenario, { seed, attempt }: { readonly seed: number | null; readonly attempt: number }): Played {
  const chosen = seed ?? scenario.seed ?? 0;
  return { scenario: scenario.name, seed: chosen, attempt, acts: draw(scenario, chosen) };
}

export const playedText = ({ scenario, seed, attempt, acts }: Played): string =>
  JSON.stringify({ scenario, seed, attempt, acts });

/** What a payment plays, by what is kept with it; null when it plays nothing. */
export function playedIn(fields: Readonly<Record<string, string>>): Played | null {
  const text = fields[PLAYED];
  return text === undefined ? null : readPlayed(text);
}

function readPlayed(text: string): Played | null {
  try {
    const { scenario, seed, attempt, acts: drawn } = JSON.parse(text) as Record<string, unknown>;
    const acts = isRecord(drawn) ? actsIn(drawn) : null;
    const isSound = typeof scenario === 'string' && SCENARIO_NAME.test(scenario) && isCount(seed) && isCount(attempt);
    return isSound && acts ? { scenario, seed: seed as number, attempt: attempt as number, acts } : null;
  } catch {
    return null;
  }
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

/** The acquirer's answer to this attempt; undefined: as without a scenario. */
export const answerTo = ({ acts, attempt }: Pick<Played, 'acts' | 'attempt'>): AcquirerAct | undefined =>
  acts.acquirer?.[attempt - 1] ?? acts.acquirer?.at(-1);

/** Its answer to what follows the payment. */
export const answerToLater = ({ acts }: Pick<Played, 'acts'>, type: string): AcquirerAct | undefined =>
  acts.later?.[type as LaterType];
