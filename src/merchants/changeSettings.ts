import type { Fault } from '../form/checked.ts';
import { brands } from '../spec/brands.ts';
import { isCurrency } from '../spec/currencies.ts';
import { isSettingName, type SettingName, settingRow } from '../spec/settingRows.ts';
import { withValue } from './accounts.ts';
import type { ModuleFaults } from './moduleSettings.ts';
import type { EntityRow } from './ports.ts';
import { settingFaults } from './settings.ts';

type Own = EntityRow['settings'];

/** What somebody wants of a node: own values by name, and names of what it shall inherit again. */
export type SettingsChange = {
  readonly set?: Readonly<Record<string, unknown>> | undefined;
  readonly inherit?: readonly string[] | undefined;
};

/** What is asked about a node before its settings are changed. */
export type ChangeNeeds = {
  readonly services: ModuleFaults;
  /** The connectors of this gateway. */
  readonly connectors: readonly string[];
  readonly environment: 'test' | 'live';
};

/** Every setting that a wish touches. */
export const changedNames = ({ set = {}, inherit = [] }: SettingsChange): readonly string[] => [...Object.keys(set), ...inherit];

/** The settings of a node after a wish, or every fault by the name of the setting that has it. A value is never repeated. */
export function applySettingsChange(
  { kind, settings }: Pick<EntityRow, 'kind' | 'settings'>,
  wish: SettingsChange,
  needs: ChangeNeeds,
): { readonly settings: Own } | { readonly faults: readonly Fault[] } {
  const { set = {}, inherit = [] } = wish;
  const faults = [
    ...Object.entries(set).flatMap(([name, value]) => faultsOf(kind, name, value, needs)),
    ...inherit.flatMap((name) => (Object.hasOwn(set, name) ? [fault(name, 'cannot be set and inherited at once')] : [])),
    ...inherit.flatMap((name) => (isSettingName(name) ? [] : [fault(name, 'does not exist')])),
  ];
  if (faults.length > 0) return { faults };
  const changes = [...Object.entries(set), ...inherit.map((name): [string, undefined] => [name, undefined])];
  const after = changes.reduce((own, [name, value]) => withValue(own, name, value), settings);
  // What is right alone must be right together too.
  const together = settingFaults(after, needs.services);
  return together.length > 0 ? { faults: together.map((says) => fault('set', says)) } : { settings: after };
}

const fault = (name: string, message: string): Fault => ({ name, value: null, message });

function faultsOf(kind: EntityRow['kind'], name: string, value: unknown, needs: ChangeNeeds): readonly Fault[] {
  if (!isSettingName(name)) return [fault(name, 'does not exist')];
  const { at } = settingRow(name);
  if (at && !at.includes(kind)) return [fault(name, `can only be set at a ${at.join(' or a ')}`)];
  const said = settingFaults(withValue({}, name, value), needs.services);
  if (said.length > 0) return said.map((says) => fault(placeIn(name, says), sentence(says)));
  return beyond(name, value, needs).map((says) => fault(name, says));
}

/** A sentence may say which part of a setting it is about; those of a wallet leave out the table. */
function placeIn(name: SettingName, says: string): string {
  const quoted = /"([A-Za-z]+(?:\.[A-Za-z0-9]+)+)"/.exec(says)?.[1];
  const places = quoted === undefined ? [] : [quoted, `${name.split('.')[0]}.${quoted}`];
  return places.find((place) => place.startsWith(`${name}.`)) ?? name;
}

const NAMED = /^(?:in )?the setting "[^"]*"(?:, "[^"]*")?(?:: | (?=must|does not|has no|is missing))/;

/** It stands behind the name of the setting, which it need not repeat. */
const sentence = (says: string): string => says.replace(NAMED, '');

/** What the settings themselves cannot know. */
function beyond(name: SettingName, value: unknown, { connectors, environment }: ChangeNeeds): readonly string[] {
  if (name === 'connectors') {
    const strange = Object.values(value as Readonly<Record<string, string>>).filter((one) => !connectors.includes(one));
    return strange.length > 0 ? [`must name connectors that there are: ${connectors.join(', ')}`] : [];
  }
  if (name === 'brands') return among(value, 'brands', (one) => Object.hasOwn(brands, one));
  if (name === 'currencies') return among(value, 'currencies', isCurrency);
  if (name === 'approvals') return among(Object.keys(value as object), 'currencies', isCurrency);
  if (environment === 'live' && value === 'sandbox') return ['must not be the sandbox: the live environment has none'];
  return [];
}

/** Names that nobody knows, in a list that may be null for everything. */
function among(value: unknown, what: string, isKnown: (one: string) => boolean): readonly string[] {
  const strange = ((value ?? []) as readonly string[]).filter((one) => !isKnown(one));
  return strange.length > 0 ? [`must name ${what} that there are; ${strange.slice(0, 5).join(', ')} is none`] : [];
}
