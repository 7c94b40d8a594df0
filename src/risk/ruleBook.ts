import type { ModuleSettings } from '../merchants/moduleSettings.ts';
import { type Assessment, PLAIN_DECLINE } from './assess.ts';
import { builtInRules } from './defaultRules.ts';
import type { RiskFacts } from './facts.ts';
import { compileRuleSet, type Rule, type RuleSet } from './rules.ts';
import { type RiskSettings, resolveRiskSettings } from './settings.ts';

/** The compiled rule sets of one entity, built once per change of its settings. */
export type RuleBook = {
  /** By `risk.channelId` and `risk.serviceId` of the request; the default set when there is none for them. */
  select(risk: Pick<RiskFacts['risk'], 'channelId' | 'serviceId'>): RuleSet;
};

export const USUAL = 'usual';

/** Throws on settings that riskSettingFaults() would have refused. */
export function ruleBookOf(settings: RiskSettings): RuleBook {
  const base = rulesOf(settings);
  const usual = compileSet(USUAL, base, settings);
  const sets = new Map(
    Object.entries(settings.ruleSets).map(([id, rules]) => [id, compileSet(id, overridden(base, rules), settings)]),
  );
  return {
    select({ channelId, serviceId }) {
      if (channelId === null) return usual;
      const both = serviceId === null ? undefined : sets.get(`${channelId}/${serviceId}`);
      return both ?? sets.get(channelId) ?? usual;
    },
  };
}

/** Every rule of the default set, also one that is off. */
export const rulesOf = (settings: RiskSettings): readonly Rule[] => overridden(builtInRules(settings), settings.rules);

/** A rule replaces the one with the same id; others follow in their order. */
function overridden(below: readonly Rule[], own: readonly Rule[]): readonly Rule[] {
  const byId = new Map(below.map((rule) => [rule.id, rule]));
  for (const rule of own) byId.set(rule.id, rule);
  return [...byId.values()];
}

function compileSet(id: string, rules: readonly Rule[], { mode, thresholds }: RiskSettings): RuleSet {
  const turned = rules.map((rule): Rule => {
    if (mode === 'on') return rule;
    return { ...rule, mode: mode === 'off' || rule.mode === 'off' ? 'off' : 'shadow' };
  });
  const made = compileRuleSet({ id, rules: turned, thresholds });
  if (made.is === 'invalid') throw new Error(`the rule set ${id} is not in order: ${made.faults.join('; ')}`);
  return made.set;
}

/**
 * The code with which the risk checks would have ended a payment of a channel that only reports; null: they would have let it pass. Rules
 * that are on trial would not have counted in live either.
 */
export function reportedCode(assessment: Assessment | null, given: ModuleSettings): string | null {
  if (assessment === null || assessment.shadow.length === 0) return null;
  const settings = resolveRiskSettings(given);
  if (settings.mode !== 'report') return null;
  const rules = [...rulesOf(settings), ...Object.values(settings.ruleSets).flat()];
  const onTrial = new Set(rules.flatMap(({ id, mode }) => (mode === 'on' ? [] : [id])));
  const fired = assessment.shadow.find(({ rule, verdict }) => verdict === 'decline' && !onTrial.has(rule));
  return fired ? (fired.code ?? PLAIN_DECLINE) : null;
}
