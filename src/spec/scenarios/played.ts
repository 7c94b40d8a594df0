import { isRecord } from '../../runtime/json.ts';
import {
  type AcquirerAct,
  type Acts,
  type BankAct,
  durationText,
  endsOf,
  type LaterType,
  msOf,
  type Scenario,
  type ThreeDSAct,
} from './language.ts';
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

/** The scenario that a stored payment plays; null when it plays none. */
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

/** A number from 0 up to 1 that follows from a seed and a place in the scenario, whatever the order of the draws. */
export function chanceOf(seed: number, place: string): number {
  let state = 0x811c9dc5;
  for (const letter of `${seed}|${place}`) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  // Without this a seed and the next one would give numbers beside each other.
  for (const [shift, factor] of MIX) state = Math.imul(state ^ (state >>> shift), factor);
  return ((state ^ (state >>> 16)) >>> 0) / 2 ** 32;
}

const MIX = [
  [16, 0x85ebca6b],
  [13, 0xc2b2ae35],
  [15, 0x2c1b3c6d],
] as const;

/** The acts of a scenario with nothing left to chance: the same for the same seed, for ever. */
export function draw({ name: _name, says: _says, seed: _seed, oneOf, ...acts }: Scenario, seed: number): Acts {
  const { weight: _weight, ...chosen } = oneOf ? chosenOf(oneOf, chanceOf(seed, 'oneOf')) : {};
  return fixed({ ...acts, ...chosen }, seed, '') as Acts;
}

function chosenOf<Option extends { readonly weight?: number }>(options: readonly Option[], chance: number): Option {
  let left = chance * options.reduce((sum, { weight = 1 }) => sum + weight, 0);
  for (const option of options) {
    left -= option.weight ?? 1;
    if (left < 0) return option;
  }
  return options.at(-1) as Option;
}

/** Every range is one length of time. A text with two dots in it stands nowhere else. */
function fixed(value: unknown, seed: number, place: string): unknown {
  if (typeof value === 'string') return value.includes('..') ? within(value, chanceOf(seed, place)) : value;
  if (Array.isArray(value)) return value.map((item, index) => fixed(item, seed, `${place}[${index}]`));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fixed(member, seed, `${place}.${name}`)]));
}

function within(range: string, chance: number): string {
  const [from, to] = endsOf(range) ?? [0, 0];
  return durationText(from + Math.floor(chance * (to - from + 1)));
}

/** A scenario stands on the single parameters that the simulators know: this is what each act says in them. */
export type SimulatorDirectives = Readonly<Record<string, string>>;

const NO_CODE = '800.100.151';
const PENDING = '000.200.000';

const entries = (members: Readonly<Record<string, string | undefined>>): SimulatorDirectives =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, text]) => (text === undefined ? [] : [[`customParameters[${name}]`, text]])),
  );

function codeOf({ says, code = NO_CODE, unless }: AcquirerAct): string | undefined {
  return says === 'declined' && unless === undefined ? code : undefined;
}

/** An answer of the acquirer. */
export function answerDirectives(act: AcquirerAct): SimulatorDirectives {
  const { says, code, advice, unless, avs, cvv, takes, goes, for: time } = act;
  const isPending = says === 'pending';
  return entries({
    forceResultCode: isPending ? PENDING : says === 'approved' ? code : codeOf(act),
    SIMULATOR_then: isPending ? code : undefined,
    SIMULATOR_unauthenticated: unless === undefined ? undefined : (code ?? NO_CODE),
    SIMULATOR_advice: advice,
    SIMULATOR_avs: avs,
    SIMULATOR_cvv: cvv,
    SIMULATOR_latency: takes === undefined ? undefined : String(msOf(takes) ?? 0),
    SIMULATOR_answer: goes,
    SIMULATOR_for: time,
  });
}

const bankDirectives = ({ shopper, after, confirms, late }: BankAct): SimulatorDirectives =>
  entries({
    SIMULATOR_shopper: shopper,
    SIMULATOR_shopperAfter: after,
    SIMULATOR_confirm: confirms,
    SIMULATOR_confirmAfter: late,
  });

const threeDSDirectives = ({ enrolled, flow, status, reason, page, directory, results }: ThreeDSAct): SimulatorDirectives =>
  entries({
    '3DS2_enrolled': enrolled === undefined ? undefined : String(enrolled),
    '3DS2_flow': flow,
    SIMULATOR_3dsStatus: status,
    SIMULATOR_3dsReason: reason,
    SIMULATOR_3dsPage: page,
    SIMULATOR_3dsDirectory: directory,
    SIMULATOR_3dsResults: results,
  });

/** Everything that a payment says to the simulators when it plays a scenario. */
export function directivesFor(played: Played): SimulatorDirectives {
  const answer = answerTo(played);
  const { bank, threeDS } = played.acts;
  return {
    ...(answer && answerDirectives(answer)),
    ...(bank && bankDirectives(bank)),
    ...(threeDS && threeDSDirectives(threeDS)),
  };
}

/** The simulated answer of a webhook, which is not called; `status` null: no answer. */
export type ReceiverSays = { readonly status: number | null; readonly retryAfter: string | null; readonly isLate: boolean };

/** The simulated answer of a webhook to an event that happened so many milliseconds ago; null: the webhook is called. */
export function receiverSays({ receiver = [] }: Acts, sinceMs: number): ReceiverSays | null {
  let until = 0;
  for (const { answers, for: time, retryAfter } of receiver) {
    until += msOf(time) ?? 0;
    if (sinceMs >= until) continue;
    const status = /^[0-9]/.test(answers) ? Number.parseInt(answers, 10) : null;
    const seconds = retryAfter === undefined ? null : String(Math.ceil((msOf(retryAfter) ?? 0) / 1000));
    return { status, retryAfter: seconds, isLate: answers === 'late' };
  }
  return null;
}
