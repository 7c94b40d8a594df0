import { isRecord } from '../runtime/json.ts';
import { type CodeThat, isResultCode, resultCodes } from '../spec/resultCodes.ts';
import {
  type ConditionContext,
  compile,
  compileExplanation,
  type FactQuery,
  noRequiredFacts,
  type RequiredFacts,
  type Test,
  type Values,
} from './conditions/compile.ts';
import { parse } from './conditions/parse.ts';
import type { Listing, Window } from './ports.ts';

/** `shadow`: evaluated and reported, without effect on the verdict. */
export type RuleMode = 'on' | 'shadow' | 'off';

/** `accept` only adds its score: no rule overrides a decline. */
export type RuleVerdict = 'accept' | 'review' | 'challenge' | 'decline';

/** One rule, as data. */
export type Rule = {
  readonly id: string;
  /** The purpose, in a sentence that is shown with every verdict the rule contributes to. */
  readonly says: string;
  /** The condition under which it fires. */
  readonly when: string;
  readonly gives: { readonly verdict: RuleVerdict; readonly score?: number; readonly code?: CodeThat<'declined'> };
  readonly mode: RuleMode;
};

/** At or below which total score a verdict is reached; null: the score alone decides nothing. */
export type Thresholds = { readonly challenge: number | null; readonly review: number | null; readonly decline: number | null };

/** A rule set as data. */
export type RuleRows = { readonly id: string; readonly rules: readonly Rule[]; readonly thresholds: Thresholds };

export type CompiledRule = { readonly rule: Rule; readonly test: Test; readonly explain: (context: ConditionContext) => Values };

/** A compiled rule set with the queries that its conditions need. */
export type RuleSet = {
  readonly id: string;
  readonly rules: readonly CompiledRule[];
  readonly thresholds: Thresholds;
  /** The queries to answer before an evaluation; the answers have the same order. */
  readonly facts: readonly FactQuery[];
  readonly windows: readonly Window[];
  readonly listings: readonly Listing[];
};

export const ruleLimits = { scoreMax: 99_999, rulesMax: 400, ownRulesMax: 100, windowsMax: 200 } as const;

const verdicts: readonly RuleVerdict[] = ['accept', 'review', 'challenge', 'decline'];
const modes: readonly RuleMode[] = ['on', 'shadow', 'off'];
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const SAYS_CHARACTERS_MAX = 200;

/** Whether risk checks may decline with this code: a declining code of the groups for risk, velocity or lists. */
export const isRiskCode = (code: unknown): code is CodeThat<'declined'> =>
  typeof code === 'string' &&
  /^(?:100\.400\.|800\.1[1-5]0\.|800\.2|800\.3)/.test(code) &&
  isResultCode(code) &&
  resultCodes[code].means === 'declined';

export const isScore = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Math.abs(value as number) <= ruleLimits.scoreMax;

/** The faults of a rule, a sentence each; empty when it is valid. */
export function ruleFaults(row: unknown): readonly string[] {
  if (!isRecord(row)) return ['a rule must be an object of id, says, when, gives and mode'];
  if (typeof row.id !== 'string' || !ID.test(row.id))
    return ['"id" must be 1 to 64 letters, digits, dots, hyphens and underscores'];
  const name = `rule "${row.id}"`;
  const strange = Object.keys(row).filter((key) => !['id', 'says', 'when', 'gives', 'mode'].includes(key));
  const isSaid = typeof row.says === 'string' && row.says !== '' && row.says.length <= SAYS_CHARACTERS_MAX;
  return [
    ...strange.map((key) => `${name} has no "${key.slice(0, 64)}"`),
    ...(isSaid ? [] : [`${name}: "says" must be a text of 1 to ${SAYS_CHARACTERS_MAX} characters`]),
    ...(modes.some((mode) => mode === row.mode) ? [] : [`${name}: "mode" must be one of ${modes.join(', ')}`]),
    ...conditionFaults(row.when).map((says) => `${name}: ${says}`),
    ...consequenceFaults(row.gives).map((says) => `${name}: ${says}`),
  ];
}

function conditionFaults(when: unknown): readonly string[] {
  if (typeof when !== 'string') return ['"when" must be a condition'];
  const parsed = parse(when);
  return parsed.is === 'invalid' ? [`"when", character ${parsed.fault.at}: ${parsed.fault.says}`] : [];
}

function consequenceFaults(gives: unknown): readonly string[] {
  if (!isRecord(gives) || !verdicts.some((verdict) => verdict === gives.verdict)) {
    return [`"gives" must be an object whose verdict is one of ${verdicts.join(', ')}`];
  }
  const strange = Object.keys(gives).filter((key) => !['verdict', 'score', 'code'].includes(key));
  return [
    ...strange.map((key) => `"gives" has no "${key.slice(0, 64)}"`),
    ...(gives.score === undefined || isScore(gives.score) ? [] : ['"score" must be a whole number of -99999 to 99999']),
    ...(gives.code === undefined || isRiskCode(gives.code) ? [] : ['"code" must be a code of a risk check that declines']),
    ...(gives.code !== undefined && gives.verdict !== 'decline' ? ['"code" goes with the verdict decline'] : []),
  ];
}

export type CompiledRuleSet =
  | { readonly is: 'valid'; readonly set: RuleSet }
  | { readonly is: 'invalid'; readonly faults: readonly string[] };

/** Compiles a rule set, or returns the faults of its rules. Rules that are off are left out. */
export function compileRuleSet(rows: RuleRows): CompiledRuleSet {
  const ids = rows.rules.map(({ id }) => id);
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
  const faults = [...rows.rules.flatMap(ruleFaults), ...twice.map((id) => `rule "${id}" stands there twice`)];
  const required = noRequiredFacts();
  if (faults.length === 0) {
    const rules = rows.rules.filter(({ mode }) => mode !== 'off').map((rule) => compileRule(rule, required));
    if (rows.rules.length > ruleLimits.rulesMax) faults.push(`a rule set has at most ${ruleLimits.rulesMax} rules`);
    if (required.windows.length > ruleLimits.windowsMax)
      faults.push(`a rule set has at most ${ruleLimits.windowsMax} different windows`);
    if (faults.length === 0) return { is: 'valid', set: { id: rows.id, rules, thresholds: rows.thresholds, ...required } };
  }
  return { is: 'invalid', faults };
}

function compileRule(rule: Rule, required: RequiredFacts): CompiledRule {
  const parsed = parse(rule.when);
  if (parsed.is === 'invalid') throw new Error(`rule ${rule.id} was checked and cannot be read`);
  return { rule, test: compile(parsed.condition, required), explain: compileExplanation(parsed.condition, required) };
}
