import { OperatorError } from '../../app/operatorError.ts';
import { type AccountSetting, accountFaults, connectorForms, secretFault } from '../../connectors/accounts.ts';
import { connectorKinds } from '../../connectors/registry.ts';
import { accountSecretName } from '../../merchants/accounts.ts';
import type { EntityRow, MerchantStore } from '../../merchants/ports.ts';
import { isRecord } from '../../runtime/json.ts';
import type { SecretStore, Vault } from '../../vault/ports.ts';
import { type Command, type Context, parseWords, UsageError } from '../command.ts';
import { formatTable } from '../output.ts';

export type AccountNeeds = {
  store(): Promise<Pick<MerchantStore, 'entities' | 'setSettings'> & SecretStore>;
  vault(): Promise<Pick<Vault, 'ready' | 'seal'>>;
} & Pick<Context, 'readText' | 'print'>;

/** Sets up an account at an acquirer, exchanges its credentials, lists accounts or removes one. */
export const accountCommand: Command = {
  name: 'account',
  summary: 'set up an account at an acquirer for an entity, exchange its credentials, list accounts, or remove one',
  usage: [
    'account [--entity id] [--name stripeEU] [options]',
    '  without --name            lists the accounts, of all entities or of one, and the connectors',
    '  --entity id               the entity; those below it may use the account',
    '  --name name               the name that channels use in their setting connectors',
    '  --connector name          the connector, for a new account',
    '  --set name=value          a setting; give it again for more than one',
    '  --secret name=file        a credential, read from a file and sealed; give it again for more than one',
    '  --drop-secret name        a credential that is no longer used',
    '  --state on|off            off: the account takes no new payments',
    '  --use                     all methods of the entity use this account',
    '  --remove                  the account and its credentials are deleted',
  ].join('\n'),
  run: (words, context) => account(words, context),
};

const options = {
  entity: { type: 'string' },
  name: { type: 'string' },
  connector: { type: 'string' },
  set: { type: 'string', multiple: true },
  secret: { type: 'string', multiple: true },
  'drop-secret': { type: 'string', multiple: true },
  state: { type: 'string' },
  use: { type: 'boolean' },
  remove: { type: 'boolean' },
} as const;

const parsed = (words: readonly string[]) => parseWords(words, options);
type Given = ReturnType<typeof parsed>;

/** Returns the exit code. Throws an `OperatorError` for what the operator can correct. */
export async function account(words: readonly string[], needs: AccountNeeds): Promise<number> {
  const given = parsed(words);
  const store = await needs.store();
  const rows = await store.entities();
  const row = rows.find(({ id }) => id === given.entity);
  if (given.entity !== undefined && !row) throw new OperatorError('--entity: there is no such entity');
  if (given.name === undefined) return list(row ? [row] : rows, needs);
  if (!row) throw new UsageError('--entity: name the entity that has the account');
  await (given.remove ? remove(row, given.name, needs) : save(row, given.name, { given, needs }));
  return 0;
}

const accountsOf = ({ settings }: EntityRow): Readonly<Record<string, AccountSetting>> =>
  isRecord(settings.accounts) ? (settings.accounts as Readonly<Record<string, AccountSetting>>) : {};

async function list(rows: readonly EntityRow[], { store: open, print }: AccountNeeds): Promise<number> {
  const store = await open();
  const forms = connectorForms(connectorKinds);
  const lines: string[][] = [];
  for (const row of rows) {
    for (const [name, { connector, state = 'on' }] of Object.entries(accountsOf(row))) {
      const secrets = forms.find((form) => form.name === connector)?.secrets ?? [];
      const missing: string[] = [];
      for (const secret of secrets) {
        const isSet = (await store.secret(row.id, accountSecretName(name, secret.name))) !== null;
        if (!isSet && !secret.isOptional) missing.push(secret.name);
      }
      lines.push([row.id, row.name, name, connector, state, missing.length > 0 ? `missing: ${missing.join(', ')}` : 'complete']);
    }
  }
  const head = ['Entity', 'Name', 'Account', 'Connector', 'State', 'Credentials'];
  for (const line of lines.length === 0 ? ['There are no accounts.'] : formatTable([head, ...lines])) print(line);
  print(`Connectors: ${forms.map(({ name }) => name).join(', ')}`);
  return 0;
}

async function remove(row: EntityRow, name: string, { store: open, print }: AccountNeeds): Promise<void> {
  const store = await open();
  const { [name]: own, ...others } = accountsOf(row);
  if (!own) throw new OperatorError(`--name: ${row.name} has no account "${name}" itself; it may be on an entity above`);
  const { accounts: _, ...settings } = row.settings;
  await store.setSettings(row.id, Object.keys(others).length === 0 ? settings : { ...settings, accounts: others });
  const secrets = connectorForms(connectorKinds).find((form) => form.name === own.connector)?.secrets ?? [];
  for (const secret of secrets) await store.storeSecret(row.id, accountSecretName(name, secret.name), null);
  print(`The account ${name} of ${row.name} and its credentials are deleted. ${SOON}`);
}

const SOON = 'A running gateway knows it within ten seconds.';

type Saving = { readonly given: Given; readonly needs: AccountNeeds };

async function save(row: EntityRow, name: string, { given, needs }: Saving): Promise<void> {
  const { print } = needs;
  const before = accountsOf(row)[name];
  const connector = given.connector ?? before?.connector;
  if (connector === undefined) throw new UsageError('--connector: name the connector of the new account');
  const form = connectorForms(connectorKinds).find((one) => one.name === connector);
  if (!form) {
    const known = connectorForms(connectorKinds).map((one) => one.name);
    throw new OperatorError(`--connector: choose one of ${known.join(', ')}`);
  }
  const changes = (given.set ?? []).map((text) => valueIn(text, form));
  const setting = {
    connector,
    settings: { ...before?.settings, ...Object.fromEntries(changes) },
    ...((given.state ?? before?.state) !== undefined && { state: given.state ?? before?.state }),
  };
  const faults = accountFaults({ [name]: setting }, connectorKinds);
  if (faults.length > 0) throw new OperatorError(faults.join('\n'));
  const secrets = (given.secret ?? []).map((text) => secretIn(text, connector, needs));
  const store = await needs.store();
  const uses = given.use ? { connectors: { default: name } } : {};
  await store.setSettings(row.id, { ...row.settings, ...uses, accounts: { ...accountsOf(row), [name]: setting } });
  await saveSecrets(row.id, name, { secrets, dropped: given['drop-secret'] ?? [], needs });
  print(`The account ${name} of ${row.name} is ${before ? 'changed' : 'set up'}. ${SOON}`);
  for (const { name: secret, isOptional } of form.secrets) {
    const isSet = (await store.secret(row.id, accountSecretName(name, secret))) !== null;
    if (!isSet && !isOptional) print(`Still missing: --secret ${secret}=file`);
  }
  print(`Notifications of the acquirer go to: /v1/connectors/${connector}/${row.id}.${name}/notifications`);
}

type Form = ReturnType<typeof connectorForms>[number];

/** A setting as it is typed: numbers, flags and lists (separated by commas) become what the row wants. */
function valueIn(text: string, { settings }: Form): readonly [string, unknown] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError('--set: write a name and a value, such as url=https://api.example.com');
  const [name, value] = [text.slice(0, at), text.slice(at + 1)];
  const control = settings.find((row) => row.name === name)?.control;
  if (control === 'flag' && (value === 'true' || value === 'false')) return [name, value === 'true'];
  if (control === 'number' && /^-?[0-9]{1,15}$/.test(value)) return [name, Number(value)];
  if (control === 'list') return [name, value === '' ? [] : value.split(',')];
  return [name, value];
}

type NewSecret = { readonly name: string; readonly text: string };

/** The credential in a file, without the line break behind it. A fault never repeats it. */
function secretIn(given: string, connector: string, { readText }: AccountNeeds): NewSecret {
  const at = given.indexOf('=');
  if (at < 1) throw new UsageError('--secret: write a name and a file, such as apiKey=key.txt');
  const [name, path] = [given.slice(0, at), given.slice(at + 1)];
  const text = readText(path).replace(/\r?\n$/, '');
  const fault = secretFault(connectorKinds, connector, { name, text });
  if (fault !== null) throw new OperatorError(`--secret ${name}: ${fault}`);
  return { name, text };
}

type Secrets = { readonly secrets: readonly NewSecret[]; readonly dropped: readonly string[]; readonly needs: AccountNeeds };

async function saveSecrets(entityId: string, account: string, { secrets, dropped, needs }: Secrets): Promise<void> {
  const store = await needs.store();
  if (secrets.length > 0) {
    const vault = await needs.vault();
    await vault.ready(entityId);
    for (const { name, text } of secrets) {
      const field = accountSecretName(account, name);
      await store.storeSecret(entityId, field, vault.seal({ merchantId: entityId, entityId, recordId: entityId, field }, text));
    }
  }
  for (const name of dropped) await store.storeSecret(entityId, accountSecretName(account, name), null);
}
