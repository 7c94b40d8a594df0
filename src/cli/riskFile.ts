import type { EntityRow } from '../merchants/needs.ts';
import { ruleBookOf } from '../risk/ruleBook.ts';
import { defaultRiskSettings, inheritRisk, type RiskSettings, riskSettingFaults } from '../risk/settings.ts';
import { type Context, Mendable } from './command.ts';
import { treeOf } from './entities.ts';

const FAULTS_MAX = 50;

/** The setting `risk` in a file, looked at; `option` names the option that named the file. */
export function riskFile({ readText }: Pick<Context, 'readText'>, option: string, path: string): Partial<RiskSettings> {
  const given = jsonOf(option, path, textOf({ readText }, option, path));
  const faults = riskSettingFaults(given);
  if (faults.length > 0) throw new Mendable(listed(`--${option}: ${path} is not in order`, faults));
  return given as Partial<RiskSettings>;
}

function listed(title: string, faults: readonly string[]): string {
  const more = faults.length > FAULTS_MAX ? [`  and ${faults.length - FAULTS_MAX} more`] : [];
  return [`${title}:`, ...faults.slice(0, FAULTS_MAX).map((says) => `  ${says}`), ...more].join('\n');
}

function textOf({ readText }: Pick<Context, 'readText'>, option: string, path: string): string {
  try {
    return readText(path);
  } catch (error) {
    throw new Mendable(`--${option}: ${path} cannot be read: ${(error as Error).message}`);
  }
}

function jsonOf(option: string, path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Mendable(`--${option}: ${path} is no JSON: ${(error as Error).message}`);
  }
}

/** The settings of an entity as its checks see them. */
export const resolvedRisk = (risk: Readonly<Record<string, unknown>>): RiskSettings =>
  inheritRisk(defaultRiskSettings, risk as Partial<RiskSettings>);

/** The rows with another setting `risk` on one of them. What cannot be made ready is refused: each rule may be right and all too many. */
export function withRisk(rows: readonly EntityRow[], entityId: string, risk: Partial<RiskSettings>): readonly EntityRow[] {
  const changed = rows.map((row) => (row.id === entityId ? { ...row, settings: { ...row.settings, risk } } : row));
  for (const { path, settings } of treeOf(changed).values()) {
    if (!path.includes(entityId)) continue;
    try {
      ruleBookOf(resolvedRisk(settings.risk));
    } catch (error) {
      throw new Mendable((error as Error).message);
    }
  }
  return changed;
}
