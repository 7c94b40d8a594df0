import type { ModuleSettings } from '../merchants/moduleSettings.ts';
import { type Assessment, PLAIN_DECLINE } from './assess.ts';
import { rulesOf } from './ruleBook.ts';
import { resolveRiskSettings } from './settings.ts';

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
