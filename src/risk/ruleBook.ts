import { builtInRules } from './defaultRules.ts';
import type { RiskFacts } from './facts.ts';
import { compileRuleSet, type Rule, type RuleSet } from './rules.ts';
import type { RiskSettings } from './settings.ts';

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

/** Every rule of the default set, those that are off included. */
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
