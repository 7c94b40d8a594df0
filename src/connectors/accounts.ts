import type { Connector } from '../payments/ports.ts';
import { isRecord } from '../runtime/json.ts';
import { type Account, type AccountKind, type ConnectorKind, completeSettings, rowFaults, type SettingRows } from './kind.ts';
import type { AccountNeeds, ConnectorNeeds, ExchangeRequest } from './ports.ts';

/** An account in the settings of an entity: `{ "accounts": { "stripeEU": { "connector": "stripe", "settings": {…} } } }`. */
export type AccountSetting = {
  readonly connector: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** `off`: it takes no new payments; earlier payments are still followed up. */
  readonly state?: 'on' | 'off';
};

const ACCOUNT_NAME = /^[a-z][a-zA-Z0-9]{0,63}$/;

type Kinds = ReadonlyMap<string, ConnectorKind>;
type Rows = SettingRows<Readonly<Record<string, unknown>>>;

const rowsOf = ({ accounts }: AccountKind<never>): Rows => accounts.settings as Rows;

const isAccountKind = (kind: ConnectorKind | undefined): kind is AccountKind<never> => kind?.accounts !== undefined;

/** The faults of the setting `accounts` of one entity, a sentence for each. */
export function accountFaults(value: unknown, kinds: Kinds): readonly string[] {
  if (!isRecord(value)) return ['the setting "accounts" must be an object of accounts by name'];
  return Object.entries(value).flatMap(([name, account]) =>
    faultsOf(name, account, kinds).map((says) => `in the setting "accounts", "${name.slice(0, 64)}": ${says}`),
  );
}

function faultsOf(name: string, account: unknown, kinds: Kinds): readonly string[] {
  if (!ACCOUNT_NAME.test(name)) return ['the name must be 1 to 64 letters and digits and begin with a small letter'];
  const plain = kinds.get(name);
  if (plain && !isAccountKind(plain)) return ['the name is that of a connector without accounts'];
  if (!isRecord(account)) return ['must be an object of connector and settings'];
  const kind = kinds.get(String(account.connector));
  const withAccounts = [...kinds.values()].filter(isAccountKind).map((one) => one.name);
  if (!isAccountKind(kind)) return [`"connector" must be one of ${withAccounts.join(', ')}`];
  const { connector: _, settings = {}, state = 'on', ...others } = account;
  const faults = rowFaults(rowsOf(kind), settings);
  return [
    ...Object.keys(others).map((member) => `"${member.slice(0, 64)}" does not exist`),
    ...(state === 'on' || state === 'off' ? [] : ['"state" must be one of on, off']),
    ...faults,
    ...(faults.length === 0 && isRecord(settings) ? contradictionsIn(kind, settings) : []),
  ];
}

const contradictionsIn = (kind: AccountKind<never>, settings: Readonly<Record<string, unknown>>): readonly string[] =>
  kind.accounts.faults?.(completeSettings(rowsOf(kind), settings) as never) ?? [];

/** The probe of an account's connector with the account's settings; null: the connector offers none. */
export function accountProbe(
  { connector, settings = {} }: AccountSetting,
  kinds: Kinds,
): {
  readonly secret: string;
  readonly refusedBy: readonly number[];
  request(secret: string): Omit<ExchangeRequest, 'withinMs' | 'books'>;
} | null {
  const kind = kinds.get(connector);
  if (!isAccountKind(kind) || !kind.probe) return null;
  const { secret, refusedBy, request } = kind.probe;
  return { secret, refusedBy, request: (text) => request(completeSettings(rowsOf(kind), settings) as never, text) };
}

/** The accounts that an entity may use, and the entity that each belongs to. */
type AccountLookup = (entityId: string, name: string) => { readonly ownerId: string; readonly setting: AccountSetting } | null;

type PoolNeeds = {
  readonly kinds: Kinds;
  readonly plain: ConnectorNeeds;
  readonly account: AccountLookup;
  /** The needs of an account's connector, and whether its acquirer is unreachable at the moment. */
  needsOf(account: Pick<Account, 'ownerId' | 'name'>): { readonly needs: AccountNeeds; isAway(): boolean };
  /** A secret of an account, opened; null when there is none or it does not open. */
  secret(account: Pick<Account, 'ownerId' | 'name'>, secret: string): Promise<string | null>;
};

export interface ConnectorPool {
  /** The connector of an account that the entity may use, or one without accounts; null: there is none. */
  connector(name: string, entityId: string): Connector | null;
  /** The account's own connector, by the entity that it belongs to. For notifications, which name it. */
  ofOwner(kind: string, ownerId: string, name: string): Connector | null;
}

type Pooled = { readonly setting: AccountSetting; readonly text: string; readonly connector: Connector };

/** Makes the connector of each account once, and again when its settings change. */
export function createConnectorPool({ kinds, plain, account: find, needsOf, secret }: PoolNeeds): ConnectorPool {
  const made = new Map<string, Pooled>();
  const withoutAccounts = new Map(
    [...kinds.values()].flatMap((kind) => (isAccountKind(kind) ? [] : [[kind.name, kind.create(plain)] as const])),
  );

  function make(ownerId: string, name: string, setting: AccountSetting): Connector | null {
    const key = `${ownerId}/${name}`;
    const before = made.get(key);
    if (before?.setting === setting) return before.connector;
    // The directory was read again: most likely nothing changed.
    const text = JSON.stringify(setting);
    if (before?.text === text) {
      made.set(key, { ...before, setting });
      return before.connector;
    }
    const kind = kinds.get(setting.connector);
    if (!isAccountKind(kind)) return null;
    const about = { ownerId, name };
    const account: Account<never> = {
      ...about,
      settings: completeSettings(rowsOf(kind), setting.settings ?? {}) as never,
      secret: (secretName) => secret(about, secretName),
    };
    const accountId = `${ownerId}.${name}`;
    const { needs, isAway } = needsOf(about);
    const connector = { ...kind.create(needs, account), accountId, isAway, isOff: setting.state === 'off' };
    made.set(key, { setting, text, connector });
    return connector;
  }

  return {
    connector(name, entityId) {
      const found = withoutAccounts.get(name);
      if (found) return found;
      const account = find(entityId, name);
      return account && make(account.ownerId, name, account.setting);
    },
    ofOwner(kind, ownerId, name) {
      const account = find(ownerId, name);
      if (account?.ownerId !== ownerId || account.setting.connector !== kind) return null;
      return make(ownerId, name, account.setting);
    },
  };
}

/** A connector with accounts as forms, messages and documentation show it. */
type ConnectorForm = {
  readonly name: string;
  readonly title: string;
  readonly settings: readonly {
    readonly name: string;
    readonly help: string;
    readonly says: string;
    readonly control: 'text' | 'flag' | 'number' | 'choice' | 'list';
    readonly words: readonly string[];
    /** Null: it must be set. */
    readonly fallback: string | number | boolean | readonly string[] | null;
  }[];
  readonly secrets: readonly { readonly name: string; readonly help: string; readonly isOptional: boolean }[];
};

export const connectorForms = (kinds: ReadonlyMap<string, ConnectorKind>): readonly ConnectorForm[] =>
  [...kinds.values()].flatMap((kind) => {
    if (!kind.accounts) return [];
    const { settings, secrets } = kind.accounts;
    const form: ConnectorForm = {
      name: kind.name,
      title: kind.title,
      settings: Object.entries<(typeof settings)[never]>(settings).map(([name, row]) => {
        const { help, says, control, words = [], fallback = null } = row;
        return { name, help, says, control, words, fallback };
      }),
      secrets: Object.entries(secrets).map(([name, { help, isOptional = false }]) => ({ name, help, isOptional })),
    };
    return [form];
  });

/** The fault of a secret, as the end of a sentence that begins with its name; null: none. */
export function secretFault(
  kinds: ReadonlyMap<string, ConnectorKind>,
  connector: string,
  { name, text }: { readonly name: string; readonly text: string },
): string | null {
  const rows = kinds.get(connector)?.accounts?.secrets ?? {};
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (!row) return `must be one of ${Object.keys(rows).join(', ')}`;
  return row.fits(text) ? null : `must be ${row.says}`;
}
