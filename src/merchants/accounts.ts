import { isRecord } from '../runtime/json.ts';
import type { NodeView, SettingSource, SettingView } from '../spec/answers/account.ts';
import { type SettingName, settingNames, settingRow } from '../spec/settingRows.ts';
import type { ModuleName, ModuleSettings } from './moduleSettings.ts';
import type { EntityKind, EntityRow, VersionedEntity } from './ports.ts';
import { defaultSettings, inherit, type Settings } from './settings.ts';

/** The hierarchy for administrators, read from the store, so that a revision and its values belong together. */

type Own = EntityRow['settings'];

/** As deep as the hierarchy is. */
const LEVELS = 4;

/** A node and those above it, the top first; empty when it is not there. */
export function ancestorsOf(rows: readonly VersionedEntity[], id: string): readonly VersionedEntity[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const chain: VersionedEntity[] = [];
  for (let row = byId.get(id); row && chain.length < LEVELS; row = byId.get(row.parentId ?? '')) chain.unshift(row);
  return chain;
}

const resolved = (chain: readonly Pick<EntityRow, 'settings'>[]): Settings =>
  chain.reduce((above, { settings }) => inherit(above, settings as Partial<Settings>), defaultSettings);

/** Where a credential of an account is sealed: the name in the owner's secrets. */
export const accountSecretName = (account: string, secret: string): string => `accounts/${account}/${secret}`;

/** The accounts at acquirers that the last node of the chain may name. */
export const accountNames = (chain: readonly Pick<EntityRow, 'settings'>[]): readonly string[] =>
  Object.keys(resolved(chain).accounts ?? {});

/** The value of a setting, or of a member of a table (`table.member`); undefined when it is not set. */
export function valueAt(settings: Readonly<Record<string, unknown>>, name: string): unknown {
  const [first = '', member] = name.split('.');
  const value = Object.hasOwn(settings, first) ? settings[first] : undefined;
  if (member === undefined) return value;
  return isRecord(value) && Object.hasOwn(value, member) ? value[member] : undefined;
}

/** The settings with one value replaced; undefined removes it. An empty table is removed. */
export function withValue(settings: Own, name: string, value: unknown): Own {
  const [first = '', member] = name.split('.');
  const { [first]: before, ...others } = settings;
  if (member === undefined) return value === undefined ? others : { ...others, [first]: value };
  const { [member]: _, ...members } = isRecord(before) ? before : {};
  const table = value === undefined ? members : { ...members, [member]: value };
  return Object.keys(table).length === 0 ? others : { ...others, [first]: table };
}

function sourceOf(chain: readonly VersionedEntity[], name: SettingName): SettingSource {
  const own = chain.at(-1);
  if (own && valueAt(own.settings, name) !== undefined) return { from: 'own' };
  if (settingRow(name).isOwnOnly) return { from: 'default' };
  const above = chain.slice(0, -1).findLast(({ settings }) => valueAt(settings, name) !== undefined);
  return above ? { from: 'above', entityId: above.id, name: above.name } : { from: 'default' };
}

/** The defaults of other modules' settings. */
export type ModuleDefaults = Readonly<Partial<Record<ModuleName, ModuleSettings>>>;

/** Every setting of a node's kind: the effective value, the inherited value and the source. */
export function settingsView(chain: readonly VersionedEntity[], defaults: ModuleDefaults): readonly SettingView[] {
  const own = chain.at(-1);
  if (!own) return [];
  const [effective, withoutOwn] = [resolved(chain), resolved([...chain.slice(0, -1), { settings: {} }])];
  const seen = (name: SettingName): SettingView => {
    const [value, inherited] = [effective, withoutOwn].map((settings) => {
      const set = valueAt(settings, name);
      return set === undefined ? valueAt(defaults, name) : set;
    });
    return {
      name,
      ...(value !== undefined && { value }),
      ...(inherited !== undefined && { inherited }),
      source: sourceOf(chain, name),
    };
  };
  const isHere = (name: SettingName) => settingRow(name).at?.includes(own.kind) ?? true;
  return settingNames.filter(isHere).map(seen);
}

/** The last node of a chain as lists show it; `below`: how many stand right below it. */
export function nodeView(chain: readonly VersionedEntity[], below: number): NodeView {
  const { id, kind, name, parentId, revision } = chain[chain.length - 1] as VersionedEntity;
  return { id, kind, name, parentId, state: resolved(chain).state, below, revision };
}

/** The kind of the children of each kind. */
export const childKinds: Readonly<Partial<Record<EntityKind, EntityKind>>> = {
  psp: 'division',
  division: 'merchant',
  merchant: 'channel',
};
