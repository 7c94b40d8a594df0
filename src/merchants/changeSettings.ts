import type { Fault } from '../form/checked.ts';
import { brands } from '../spec/cards/brands.ts';
import { isCurrency } from '../spec/currencies.ts';
import type { RoutingRule } from '../spec/routing.ts';
import { isSettingName, type SettingName, settingRow } from '../spec/settingRows.ts';
import { withValue } from './accounts.ts';
import type { ModuleFaults } from './moduleSettings.ts';
import type { EntityRow } from './ports.ts';
import { settingFaults } from './settings.ts';

type Own = EntityRow['settings'];

/** A change of a node's settings: own values by name, and the names to inherit again. */
export type SettingsChange = {
  readonly set?: Readonly<Record<string, unknown>> | undefined;
  readonly inherit?: readonly string[] | undefined;
};

/** The checks of a settings change. */
export type ChangeNeeds = {
  readonly services: ModuleFaults;
  /** The connectors of this gateway that need no account. */
  readonly connectors: readonly string[];
  /** The accounts of the entities above. */
  readonly accounts?: readonly string[];
  readonly environment: 'test' | 'live';
};

/** The name of every setting in a change. */
export const changedNames = ({ set = {}, inherit = [] }: SettingsChange): readonly string[] => [...Object.keys(set), ...inherit];

type ChangedSettings =
  | { readonly is: 'changed'; readonly settings: Own }
  | { readonly is: 'faulty'; readonly faults: readonly Fault[] };

/** The settings of a node after a change, or every fault by the name of its setting. A fault never repeats a value. */
export function applySettingsChange(
  { kind, settings }: Pick<EntityRow, 'kind' | 'settings'>,
  change: SettingsChange,
  needs: ChangeNeeds,
): ChangedSettings {
  const { set = {}, inherit = [] } = change;
  const accounts = [...(needs.accounts ?? []), ...[settings, set].flatMap((own) => Object.keys(own.accounts ?? {}))];
  const faults = [
    ...Object.entries(set).flatMap(([name, value]) => faultsOf(kind, name, value, { ...needs, accounts })),
    ...inherit.flatMap((name) => (Object.hasOwn(set, name) ? [fault(name, 'cannot be set and inherited at once')] : [])),
    ...inherit.flatMap((name) => (isSettingName(name) ? [] : [fault(name, 'does not exist')])),
  ];
  if (faults.length > 0) return { is: 'faulty', faults };
  const changes = [...Object.entries(set), ...inherit.map((name): [string, undefined] => [name, undefined])];
  const after = changes.reduce((own, [name, value]) => withValue(own, name, value), settings);
  // Values that are valid alone must be valid together too.
  const together = settingFaults(after, needs.services);
  return together.length > 0
    ? { is: 'faulty', faults: together.map((says) => fault('set', says)) }
    : { is: 'changed', settings: after };
}

const fault = (name: string, message: string): Fault => ({ name, value: null, message });

function faultsOf(kind: EntityRow['kind'], name: string, value: unknown, needs: ChangeNeeds): readonly Fault[] {
  if (!isSettingName(name)) return [fault(name, 'does not exist')];
  const { at } = settingRow(name);
  if (at && !at.includes(kind)) return [fault(name, `can only be set at a ${at.join(' or a ')}`)];
  const found = settingFaults(withValue({}, name, value), needs.services);
  if (found.length > 0) return found.map((says) => fault(faultName(name, says), sentence(says)));
  if (name === 'routing.rules') return unknownAccounts(value as readonly RoutingRule[], needs);
  return installationFaults(name, value, needs).map((says) => fault(name, says));
}

/** A sentence may name the part of a setting that it is about; sentences about a wallet leave out the table. */
function faultName(name: SettingName, says: string): string {
  const quoted = /"([A-Za-z]+(?:\.[A-Za-z0-9]+)+)"/.exec(says)?.[1];
  const places = quoted === undefined ? [] : [quoted, `${name.split('.')[0]}.${quoted}`];
  return places.find((place) => place.startsWith(`${name}.`)) ?? name;
}

const NAMED = /^(?:in )?the setting "[^"]*"(?:, "[^"]*")?(?:: | (?=must|does not|has no|is missing))/;

/** The sentence follows the name of the setting, so it need not repeat it. */
const sentence = (says: string): string => says.replace(NAMED, '');

/** Faults that depend on the installation: its connectors, catalogues and environment. */
function installationFaults(name: SettingName, value: unknown, needs: ChangeNeeds): readonly string[] {
  const { connectors, accounts = [], environment } = needs;
  if (name === 'connectors') {
    const known = [...connectors, ...accounts];
    const unknown = Object.values(value as Readonly<Record<string, string>>).filter((one) => !known.includes(one));
    return unknown.length > 0 ? [`must name connectors or accounts that there are: ${known.join(', ')}`] : [];
  }
  if (name === 'brands') return among(value, 'brands', (one) => Object.hasOwn(brands, one));
  if (name === 'currencies') return among(value, 'currencies', isCurrency);
  if (name === 'approvals') return among(Object.keys(value as object), 'currencies', isCurrency);
  if (environment === 'live' && value === 'sandbox') return ['must not be the sandbox: the live environment has none'];
  return [];
}

/** Rules that name an account that the entity cannot use; each fault has the name of its rule. */
export function unknownAccounts(
  rules: readonly RoutingRule[],
  { connectors, accounts = [] }: Pick<ChangeNeeds, 'connectors' | 'accounts'>,
): readonly Fault[] {
  const known = new Set([...connectors, ...accounts]);
  return rules.flatMap(({ to }, at) =>
    among(to, 'accounts or connectors', (one) => known.has(one)).map((says) =>
      fault(`routing.rules.${at}`, `rule ${at + 1}: "to" ${says}`),
    ),
  );
}

/** The fault of a list with unknown names. Null means everything. */
function among(value: unknown, what: string, isKnown: (one: string) => boolean): readonly string[] {
  const unknown = ((value ?? []) as readonly string[]).filter((one) => !isKnown(one));
  return unknown.length > 0 ? [`must name ${what} that there are; ${unknown.slice(0, 5).join(', ')} is none`] : [];
}
