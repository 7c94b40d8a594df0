import { OperatorError } from '../app/operatorError.ts';
import type { EntityRow } from '../merchants/ports.ts';
import { type Tree, treeWith } from '../risk/backtest/ruleSelector.ts';
import { type RiskSettings, riskSettingFaults } from '../risk/settings.ts';
import type { Context } from './command.ts';

const FAULTS_MAX = 50;

/** The checked setting `risk` of a file; `option` is the option with the file name. */
export function riskFile({ readText }: Pick<Context, 'readText'>, option: string, path: string): Partial<RiskSettings> {
  const given = jsonOf(option, path, textOf({ readText }, option, path));
  const faults = riskSettingFaults(given);
  if (faults.length > 0) throw new OperatorError(listed(`--${option}: ${path} is not in order`, faults));
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
    throw new OperatorError(`--${option}: ${path} cannot be read: ${(error as Error).message}`);
  }
}

function jsonOf(option: string, path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OperatorError(`--${option}: ${path} is no JSON: ${(error as Error).message}`);
  }
}

/** The hierarchy with another setting `risk` on one of its nodes. */
export function withRisk(rows: readonly EntityRow[], entityId: string, risk: Partial<RiskSettings>): Tree {
  const changed = treeWith(rows, entityId, risk);
  if (changed.is === 'invalid') throw new OperatorError(changed.fault);
  return changed.tree;
}
