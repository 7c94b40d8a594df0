import { amountOf } from '../money/amount.ts';
import { isRecord } from '../runtime/json.ts';
import { isScore, type Rule, ruleFaults, ruleLimits, type Thresholds } from './rules.ts';

/** `report`: rules are evaluated and reported, and nothing is blocked. */
export type Switch = 'on' | 'report' | 'off';

/** Amounts in wire format; a limit that is not set does not apply. */
type AmountLimits = { readonly amountMax?: string; readonly cardDayMax?: string };

/** The verdict when a screening provider does not answer or a cardholder cannot be challenged. */
export type Silence = 'accept' | 'review' | 'decline';

/** The risk checks of an entity. */
export type RiskSettings = {
  /** Applies to everything below: `report` suits channels on which test suites pay with one card. */
  readonly mode: Switch;
  readonly cardTesting: Switch;
  readonly velocity: Switch;
  readonly lists: Switch;
  readonly countryMismatch: Switch;
  readonly holderMismatch: Switch;
  /** The same card, amount, currency and merchantTransactionId within so many seconds is a duplicate; 0: never. */
  readonly duplicateSeconds: number;
  readonly uniqueTransactionIds: Switch;
  /** By currency. */
  readonly limits: Readonly<Record<string, AmountLimits>>;
  readonly thresholds: Thresholds;
  /** The merchant's own rules. One with the id of a built-in rule replaces it. */
  readonly rules: readonly Rule[];
  /** Further rules by `risk.channelId`, or by channel and service as `channel/service`; they take precedence over `rules`. */
  readonly ruleSets: Readonly<Record<string, readonly Rule[]>>;
  /** The consequence of a challenge that is impossible: no card, no 3D Secure, an issuer that does not participate. */
  readonly unchallenged: Silence;
  readonly screening: { readonly provider: string; readonly silence: Silence; readonly waitMs: number } | null;
};

/** The defaults. decisions/0014 gives the reasons for the figures. */
export const defaultRiskSettings: RiskSettings = {
  mode: 'on',
  cardTesting: 'on',
  velocity: 'on',
  lists: 'on',
  countryMismatch: 'on',
  holderMismatch: 'off',
  duplicateSeconds: 60,
  uniqueTransactionIds: 'off',
  limits: {},
  thresholds: { challenge: -250, review: null, decline: null },
  rules: [],
  ruleSets: {},
  // Many clients know only the plain success code: a merchant opts in to review or decline.
  unchallenged: 'accept',
  screening: null,
};

type SettingRule = { readonly says: string; readonly fits: (value: unknown) => boolean };

const DUPLICATE_SECONDS_MAX = 86_400;
const WAIT_MS_MAX = 30_000;
const SETS_MAX = 100;

const isWhole = (value: unknown, min: number, max: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
const isOneOf = (value: unknown, words: readonly string[]): boolean => words.some((word) => word === value);
const hasOnly = (value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name));

const onReportOff: SettingRule = { says: 'on, report or off', fits: (value) => isOneOf(value, ['on', 'report', 'off']) };

const isLimits = (value: unknown): boolean =>
  isRecord(value) &&
  hasOnly(value, ['amountMax', 'cardDayMax']) &&
  Object.values(value).every((text) => typeof text === 'string' && amountOf(text) !== undefined);

const kinds: Readonly<Record<Exclude<keyof RiskSettings, 'rules' | 'ruleSets'>, SettingRule>> = {
  mode: onReportOff,
  cardTesting: onReportOff,
  velocity: onReportOff,
  lists: onReportOff,
  countryMismatch: onReportOff,
  holderMismatch: onReportOff,
  duplicateSeconds: {
    says: `a whole number of 0 to ${DUPLICATE_SECONDS_MAX}`,
    fits: (value) => isWhole(value, 0, DUPLICATE_SECONDS_MAX),
  },
  uniqueTransactionIds: onReportOff,
  limits: {
    says: 'an object of {amountMax, cardDayMax} by ISO 4217 currency, each an amount such as "500.00"',
    fits: (value) =>
      isRecord(value) && Object.entries(value).every(([code, limits]) => /^[A-Z]{3}$/.test(code) && isLimits(limits)),
  },
  thresholds: {
    says: 'an object of challenge, review and decline, each null or a whole number of -99999 to 99999',
    fits: (value) =>
      isRecord(value) &&
      hasOnly(value, ['challenge', 'review', 'decline']) &&
      ['challenge', 'review', 'decline'].every((name) => value[name] === null || isScore(value[name])),
  },
  unchallenged: { says: 'accept, review or decline', fits: (value) => isOneOf(value, ['accept', 'review', 'decline']) },
  screening: {
    says: `null or an object of provider, silence (accept, review or decline) and waitMs of 1 to ${WAIT_MS_MAX}`,
    fits: (value) =>
      value === null ||
      (isRecord(value) &&
        hasOnly(value, ['provider', 'silence', 'waitMs']) &&
        typeof value.provider === 'string' &&
        /^[a-z][a-zA-Z0-9]{0,63}$/.test(value.provider) &&
        isOneOf(value.silence, ['accept', 'review', 'decline']) &&
        isWhole(value.waitMs, 1, WAIT_MS_MAX)),
  },
};

/** The faults of the setting `risk` of one node, a sentence each with its location; empty when it is valid. */
export function riskSettingFaults(risk: unknown): readonly string[] {
  if (!isRecord(risk)) return ['the setting "risk" must be an object'];
  return Object.entries(risk).flatMap(([name, value]) => {
    if (name === 'rules') return rulesFaults(value, 'rules');
    if (name === 'ruleSets') return ruleSetsFaults(value);
    if (!Object.hasOwn(kinds, name)) return [`the setting "risk" has no "${name.slice(0, 64)}"`];
    const kind = kinds[name as keyof typeof kinds];
    return kind.fits(value) ? [] : [`in the setting "risk", "${name}" must be ${kind.says}`];
  });
}

function rulesFaults(rules: unknown, place: string): readonly string[] {
  const max = ruleLimits.ownRulesMax;
  if (!Array.isArray(rules) || rules.length > max)
    return [`in the setting "risk", "${place}" must be a list of at most ${max} rules`];
  const ids = rules.map((rule: unknown) => (isRecord(rule) ? rule.id : undefined));
  const twice = ids.filter((id, at) => typeof id === 'string' && ids.indexOf(id) !== at);
  return [...rules.flatMap(ruleFaults), ...twice.map((id) => `rule "${id}" stands there twice`)].map(
    (says) => `in the setting "risk", "${place}": ${says}`,
  );
}

function ruleSetsFaults(sets: unknown): readonly string[] {
  if (!isRecord(sets) || Object.keys(sets).length > SETS_MAX) {
    return [`in the setting "risk", "ruleSets" must be an object of at most ${SETS_MAX} lists of rules`];
  }
  return Object.entries(sets).flatMap(([name, rules]) => rulesFaults(rules, `ruleSets.${name.slice(0, 64)}`));
}

/** A node's settings override its parent's, each as a whole. */
export const inheritRiskSettings = (above: RiskSettings, own: Partial<RiskSettings>): RiskSettings => ({ ...above, ...own });

/** The settings of an entity with the defaults filled in. */
export const resolveRiskSettings = (risk: Readonly<Record<string, unknown>>): RiskSettings =>
  inheritRiskSettings(defaultRiskSettings, risk as Partial<RiskSettings>);

/** A fault of the setting `risk`. `place`: such as rules.3 or thresholds; `character`: position in its condition, from 1. */
export type PlacedFault = { readonly place: string; readonly character: number | null; readonly says: string };

/** The faults of riskSettingFaults() with their locations, for an editor. */
export function placedFaults(risk: unknown): readonly PlacedFault[] {
  if (!isRecord(risk)) return riskSettingFaults(risk).map((says) => placed('', says));
  return Object.entries(risk).flatMap(([name, value]) => {
    if (name === 'rules') return listFaults(value, name, name);
    if (name === 'ruleSets' && isRecord(value) && riskSettingFaults({ ruleSets: {} }).length === 0)
      return Object.entries(value).flatMap(([set, rules]) => listFaults(rules, `ruleSets.${set}`, set));
    return riskSettingFaults({ [name]: value }).map((says) => placed(name, says.replace(OF_SETTING, '')));
  });
}

const OF_SETTING = /^in the setting "risk", (?:"[^"]*" )?/;
const OF_LIST = /^in the setting "risk", "[^"]*"(?:: | )/;
const OF_RULE = /^rule "[^"]*": /;

/** Faults of each rule; faults of the list as a whole are located at the list. */
function listFaults(rules: unknown, place: string, name: string): readonly PlacedFault[] {
  const own = Array.isArray(rules)
    ? rules.flatMap((rule: unknown, at) => ruleFaults(rule).map((says) => placed(`${place}.${at}`, says)))
    : [];
  const inRules = new Set(own.length > 0 && Array.isArray(rules) ? rules.flatMap(ruleFaults) : []);
  const whole = riskSettingFaults(place === 'rules' ? { rules } : { ruleSets: { [name]: rules } })
    .map((says) => says.replace(OF_LIST, ''))
    .filter((says) => !inRules.has(says));
  return [...own, ...whole.map((says) => placed(place, says))];
}

function placed(place: string, says: string): PlacedFault {
  const [, character] = /"when", character ([0-9]+): /.exec(says) ?? [];
  return {
    place,
    character: character === undefined ? null : Number(character),
    says: says.replace(OF_RULE, '').replace(/^"when", character [0-9]+: /, ''),
  };
}
