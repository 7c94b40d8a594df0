import { OperatorError } from '../../app/operatorError.ts';
import type { ModuleSettings } from '../../merchants/moduleSettings.ts';
import type { EntityRow } from '../../merchants/ports.ts';
import { type Tree, treeWith } from '../../risk/backtest/ruleSelector.ts';
import { rulesOf } from '../../risk/ruleBook.ts';
import { type RiskSettings, resolveRiskSettings, riskSettingFaults } from '../../risk/settings.ts';
import { type Command, type Context, parseFlaggedOptions, requiredOption, UsageError } from '../command.ts';
import { findEntity, type NamedEntity } from '../context.ts';

/** The part of the context that a command about settings needs. */
export type RiskRulesNeeds = Pick<Context, 'readText' | 'print' | 'printError'> & {
  store(): Promise<Pick<Awaited<ReturnType<Context['store']>>, 'entities' | 'setSettings'>>;
};

/** Shows the rules that are in force, to be edited, tried and set. */
export const riskRulesCommand: Command = {
  name: 'risk-rules',
  summary: 'print the risk rules of an entity as JSON to edit and try with turnpike backtest, or set others',
  usage: [
    'risk-rules --entity id [--set file.json [--show-only]]',
    '  --entity id      the entity; those below it inherit',
    '  --set file.json  check this and store it as the setting risk of the entity; what stood there is printed first',
    '  --show-only      with --set: check it and say what would change, and store nothing',
  ].join('\n'),
  run: (words, context) => riskRules(words, context),
};

export async function riskRules(words: readonly string[], context: RiskRulesNeeds): Promise<number> {
  const { texts, flags } = parseFlaggedOptions(words, ['entity', 'set'], ['show-only']);
  if (flags['show-only'] && texts.set === undefined) throw new UsageError('--show-only: goes with --set');
  const entityId = requiredOption(texts.entity, 'entity');
  const store = await context.store();
  const named = await findEntity(store, entityId);
  if (texts.set === undefined) show(named, context);
  else await set(named, { path: texts.set, isTrial: flags['show-only'] === true }, { ...context, store: async () => store });
  return 0;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/**
 * Switches and limits are left out: the rules that they make are in the list, and a rule of the list replaces the one
 * that a switch would make.
 */
function show({ entity }: NamedEntity, { print, printError }: RiskRulesNeeds): void {
  const settings = resolveRiskSettings(entity.settings.risk);
  const { mode, thresholds, unchallenged, screening, ruleSets } = settings;
  print(json({ mode, thresholds, unchallenged, screening, rules: rulesOf(settings), ruleSets }));
  printError(`The rules of ${entity.name}, those that it inherits and those that are off included.`);
  printError('A rule that is left out of a file stays as it is built in; a member that is left out is inherited.');
  if (mode !== 'on') printError(`The mode is ${mode}: no payment is blocked.`);
}

const SOON = 'A running gateway knows it within ten seconds.';

type RiskRulesOptions = { readonly path: string; readonly isTrial: boolean };

async function set({ row, rows }: NamedEntity, { path, isTrial }: RiskRulesOptions, context: RiskRulesNeeds): Promise<void> {
  const { print, printError } = context;
  const risk = riskFile(context, 'set', path);
  withRisk(rows, row.id, risk);
  const own = (row.settings.risk ?? null) as ModuleSettings | null;
  printError(own === null ? `${row.name} has no setting risk of its own; it inherits.` : `The setting risk of ${row.name} was:`);
  if (own !== null) printError(json(own));
  for (const line of changesOf(own ?? {}, risk)) print(line);
  if (isTrial) return print(`${path} is in order. Nothing was stored.`);
  const store = await context.store();
  // All settings are written together, so the others are read again now, not when the command began.
  const present = (await store.entities()).find(({ id }) => id === row.id);
  if (!present || !(await store.setSettings(row.id, { ...present.settings, risk })))
    throw new OperatorError('--entity: there is no such entity any more');
  print(`${row.name} is judged by ${path} now. ${SOON}`);
  printError(`To undo it, put ${own === null ? '{}' : 'what stands above'} into a file and --set that.`);
}

/** Which members change, and which rules, by their names. */
function changesOf(before: ModuleSettings, after: ModuleSettings): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isSame(before[name], after[name]),
  );
  if (names.length === 0) return ['Nothing changes.'];
  const [then, now] = [rulesIn(before), rulesIn(after)];
  const rules = [...new Set([...then.keys(), ...now.keys()])].filter((id) => !isSame(then.get(id), now.get(id)));
  const word = (id: string) => (then.has(id) ? (now.has(id) ? 'changed' : 'taken away') : 'added');
  return [`changes: ${names.join(', ')}`, ...rules.map((id) => `  rule ${id}: ${word(id)}`)];
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function rulesIn({ rules }: ModuleSettings): ReadonlyMap<string, unknown> {
  return new Map(Array.isArray(rules) ? rules.map((rule: { readonly id: string }) => [rule.id, rule]) : []);
}

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
