import { isRecord } from '../spec/json.ts';
import { ruleFaults } from './rules.ts';
import { riskSettingFaults } from './settings.ts';

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
