import { builtInRules } from './defaultRules.ts';
import type { RiskFacts } from './facts.ts';
import { type Rule, type RuleSet, ruleSetOf } from './rules.ts';
import type { RiskSettings } from './settings.ts';

/** The rule sets of one entity, ready to judge. Made once for each change of its settings. */
export type RuleBook = {
  /** By `risk.channelId` and `risk.serviceId` of the request; what is not set up there is judged by the usual set. */
  select(risk: Pick<RiskFacts['risk'], 'channelId' | 'serviceId'>): RuleSet;
};

export const USUAL = 'usual';

/** Throws on settings that riskSettingFaults() would have refused. */
export function ruleBookOf(settings: RiskSettings): RuleBook {
  const base = rulesOf(settings);
  const usual = ready(USUAL, base, settings);
  const sets = new Map(Object.entries(settings.ruleSets).map(([id, rules]) => [id, ready(id, over(base, rules), settings)]));
  return {
    select({ channelId, serviceId }) {
      if (channelId === null) return usual;
      const both = serviceId === null ? undefined : sets.get(`${channelId}/${serviceId}`);
      return both ?? sets.get(channelId) ?? usual;
    },
  };
}

/** Every rule of the usual set, those that are off included. */
export const rulesOf = (settings: RiskSettings): readonly Rule[] => over(builtInRules(settings), settings.rules);

/** A rule stands in the place of the one with its id; others follow in their order. */
function over(below: readonly Rule[], own: readonly Rule[]): readonly Rule[] {
  const byId = new Map(below.map((rule) => [rule.id, rule]));
  for (const rule of own) byId.set(rule.id, rule);
  return [...byId.values()];
}

function ready(id: string, rules: readonly Rule[], { mode, thresholds }: RiskSettings): RuleSet {
  const turned = rules.map((rule): Rule => {
    if (mode === 'on') return rule;
    return { ...rule, mode: mode === 'off' || rule.mode === 'off' ? 'off' : 'shadow' };
  });
  const made = ruleSetOf({ id, rules: turned, thresholds });
  if ('faults' in made) throw new Error(`the rule set ${id} is not in order: ${made.faults.join('; ')}`);
  return made.set;
}
