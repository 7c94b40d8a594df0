import { createPrivateKey, X509Certificate } from 'node:crypto';
import { OperatorError } from '../../app/operatorError.ts';
import type { Config } from '../../config/config.ts';
import type { EntityRow, MerchantStore } from '../../merchants/ports.ts';
import { settingFaults } from '../../merchants/settings.ts';
import {
  type WalletIdentity,
  type WalletSettings,
  type WalletSetups,
  walletSetupFaults,
} from '../../merchants/walletSettings.ts';
import type { SecretStore, Vault } from '../../vault/ports.ts';
import { VaultRefused } from '../../vault/sealedText.ts';
import { walletNames } from '../../wallets/issuer/issueToken.ts';
import { setupFaults } from '../../wallets/storedKeys.ts';
import type { WalletKey, WalletName } from '../../wallets/wallet.ts';
import { walletSecretName, walletSecretRecord, walletSetup as wholeSetup } from '../../wallets/wallets.ts';
import { type Command, type Context, parseWords, UsageError } from '../command.ts';

/** The command's dependencies, with the store and the vault opened. */
type Needs = {
  readonly store: Pick<MerchantStore, 'entities' | 'setSettings'> & SecretStore;
  readonly vault: Pick<Vault, 'ready' | 'seal' | 'open'>;
  readonly environment: 'test' | 'live';
} & Pick<Context, 'readText' | 'print'>;

export type WalletSetupNeeds = {
  config(): Pick<Config, 'environment'>;
  store(): Promise<Needs['store']>;
  vault(): Promise<Needs['vault']>;
} & Pick<Context, 'readText' | 'print'>;

type WalletSetupOptions = {
  readonly row: EntityRow;
  readonly wallet: WalletName;
  readonly file: string | null;
  readonly keys: readonly { readonly id: string; readonly path: string }[];
  readonly dropped: readonly string[];
  /** The file of the private key that belongs to the identity. */
  readonly identity: string | null;
  readonly isRemoval: boolean;
};
type Setup = WalletSetups[WalletName];
type Own = Partial<WalletSettings>;

/** Sets up a wallet for an entity, exchanges its keys or removes it. */
export const walletSetupCommand: Command = {
  name: 'wallet-setup',
  summary: 'set up a device wallet for an entity and seal its private keys, exchange a key, or remove the wallet',
  usage: [
    'wallet-setup --entity id --wallet walletA [options]',
    '  --entity id           the entity; those below it inherit the wallet',
    '  --file setup.json     merchantIdentifier, roots and so on, without keys; null: the wallet is not taken',
    '  --key id=private.pem  another private key; give it again for more than one',
    '  --drop-key id         a key that opens no token any more',
    '  --identity key.pem    walletA: the private key that belongs to "identity" in the setup, by which web pages open the sheet',
    '  --remove              the wallet is not set on this entity any more',
  ].join('\n'),
  run: (words, context) => walletSetup(words, context),
};

/** Returns the exit code. Throws an `OperatorError` for what the operator can correct. */
export async function walletSetup(words: readonly string[], context: WalletSetupNeeds): Promise<number> {
  const given = parsed(words);
  const { readText, print } = context;
  const { environment } = context.config();
  const needs: Needs = { store: await context.store(), vault: await context.vault(), environment, readText, print };
  const request = await read(given, needs);
  await (request.isRemoval ? remove(request, needs) : save(request, needs));
  return 0;
}

const options = {
  entity: { type: 'string' },
  wallet: { type: 'string' },
  file: { type: 'string' },
  key: { type: 'string', multiple: true },
  'drop-key': { type: 'string', multiple: true },
  identity: { type: 'string' },
  remove: { type: 'boolean' },
} as const;

const parsed = (words: readonly string[]) => parseWords(words, options);

async function read(given: ReturnType<typeof parsed>, { store }: Needs): Promise<WalletSetupOptions> {
  const { entity, wallet: named, file = null, key = [], 'drop-key': dropped = [], remove: isRemoval = false } = given;
  const { identity = null } = given;
  const row = (await store.entities()).find(({ id }) => id === entity);
  if (!row) throw new OperatorError('--entity: there is no such entity');
  const wallet = walletNames.find((names) => names.wallet === named || names.alias === named)?.wallet;
  if (!wallet) throw new OperatorError(`--wallet: choose one of ${walletNames.map((names) => names.wallet).join(', ')}`);
  const keys = key.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError('--key: write an id and the file of its private key, such as 2026=wallet.pem');
    return { id: text.slice(0, at), path: text.slice(at + 1) };
  });
  return { row, wallet, file, keys, dropped, identity, isRemoval };
}

const ownWallets = ({ settings }: EntityRow): Own => (settings.wallets ?? {}) as Own;

/** The entity's own setup. */
function ownSetup({ row, wallet }: WalletSetupOptions): Setup | null {
  const own = ownWallets(row)[wallet];
  return typeof own === 'object' ? own : null;
}

async function remove(request: WalletSetupOptions, { store, print }: Needs): Promise<void> {
  const { row, wallet } = request;
  const { [wallet]: own, ...others } = ownWallets(row);
  if (own === undefined) throw new OperatorError(`${wallet} is not set on ${row.name} itself; it may be on an entity above`);
  await write(store, row, others);
  await drop(store, request, secretsOf(ownSetup(request)));
  print(`${wallet} is no longer set on ${row.name}, and its keys are gone. ${SOON}`);
}

const SOON = 'A running gateway knows it within ten seconds.';

/** Stores the keys before the setting names them, so that no token is refused in between. */
async function save(request: WalletSetupOptions, needs: Needs): Promise<void> {
  const { row, wallet } = request;
  const { store, vault, print } = needs;
  const before = ownSetup(request);
  const setup = newSetup(request, needs, before);
  const known = secretsOf(before);
  if (setup === null || setup === 'sandbox') {
    if (setup === 'sandbox' && needs.environment === 'live')
      throw new OperatorError('--file: the live environment knows no sandbox');
    await write(store, row, { ...ownWallets(row), [wallet]: setup });
    await drop(store, request, known);
    print(`${wallet} of ${row.name} is ${setup ?? 'not taken'}. ${SOON}`);
    return;
  }
  const given = request.keys.map(({ id, path }): WalletKey => ({ id, privateKey: fileText('--key', path, needs) }));
  const keys = await Promise.all(
    setup.keys.map(async (id) => given.find((key) => key.id === id) ?? storedKey(request, id, needs)),
  );
  const faults = setupFaults(wholeSetup(wallet, setup, keys)).map(({ name, says }) => `${byId(name, setup)} ${says}`);
  if (faults.length > 0) throw new OperatorError(faults.join('\n'));
  const proofs = await identityKeys(request, setup, needs);
  await vault.ready(row.id);
  for (const { id, privateKey } of [...given, ...proofs]) {
    const name = walletSecretName(wallet, id);
    await store.storeSecret(row.id, name, vault.seal(walletSecretRecord(row.id, name), privateKey));
  }
  await write(store, row, { ...ownWallets(row), [wallet]: setup });
  await drop(
    store,
    request,
    known.filter((id) => !secretsOf(setup).includes(id)),
  );
  print(`${wallet} of ${row.name} is set up; its keys are ${setup.keys.join(', ')}. ${SOON}`);
  if (given.length + proofs.length > 0) print('The private keys are sealed in the database: delete their files.');
}

const identityOf = (setup: Setup | null): WalletIdentity | null => setup?.identity ?? null;
const identitySecret = ({ id }: WalletIdentity): string => `identity/${id}`;

/** The ids of the stored keys of a setup. */
function secretsOf(setup: Setup | null): readonly string[] {
  const identity = identityOf(setup);
  return setup === null ? [] : [...setup.keys, ...(identity ? [identitySecret(identity)] : [])];
}

/** The private key of the identity to store, if a file names it. It must exist and belong to the certificate. */
async function identityKeys(request: WalletSetupOptions, setup: Setup, needs: Needs): Promise<readonly WalletKey[]> {
  const identity = identityOf(setup);
  const { identity: path } = request;
  if (identity === null) {
    if (path !== null) throw new OperatorError('--identity: the setup has no "identity" that the key belongs to');
    return [];
  }
  const id = identitySecret(identity);
  const privateKey = path === null ? (await storedKey(request, id, needs)).privateKey : fileText('--identity', path, needs);
  if (!belongTogether(identity.certificate, privateKey))
    throw new OperatorError(
      '--identity: this is not the private key of "walletA.identity.certificate", or one of them is damaged',
    );
  return path === null ? [] : [{ id, privateKey }];
}

function belongTogether(certificate: string, privateKey: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey));
  } catch {
    return false;
  }
}

/** The new setting: from the file or as before, with keys added and dropped. */
function newSetup(request: WalletSetupOptions, needs: Needs, before: Setup | null): Setup | 'sandbox' | null {
  const { wallet, row, file, keys, dropped } = request;
  const base: unknown = file === null ? before : jsonOf(fileText('--file', file, needs));
  if (file !== null && (base === null || base === 'sandbox')) return base;
  if (base === null) throw new OperatorError(`--file: is missing; ${row.name} has no setup of ${wallet} yet`);
  const again = keys.find(({ id }) => before?.keys.includes(id));
  if (again)
    throw new OperatorError(`--key: ${again.id} is there already; give a new key an id of its own, so that both open tokens`);
  const unknown = dropped.find((id) => !before?.keys.includes(id));
  if (unknown !== undefined) throw new OperatorError(`--drop-key: there is no key ${unknown}`);
  const named = (base as Partial<Setup>).keys ?? before?.keys ?? [];
  const ids = Array.isArray(named)
    ? [...new Set([...named, ...keys.map(({ id }) => id)])].filter((id) => !dropped.includes(id))
    : named;
  const setup = typeof base === 'object' && !Array.isArray(base) ? { ...base, keys: ids } : base;
  const faults = walletSetupFaults(wallet, setup);
  if (faults.length > 0) throw new OperatorError(faults.join('\n'));
  return setup as Setup;
}

/** A private key that is stored already. */
async function storedKey({ row, wallet }: WalletSetupOptions, id: string, { store, vault }: Needs): Promise<WalletKey> {
  const name = walletSecretName(wallet, id);
  const sealed = await store.secret(row.id, name);
  const [option, file] = id.includes('/') ? ['--identity', '<file>'] : ['--key', `${id}=<file>`];
  if (sealed === null) throw new OperatorError(`${option}: the private key ${id} is missing; give it as ${file}`);
  try {
    return { id, privateKey: await vault.open(walletSecretRecord(row.id, name), sealed) };
  } catch (error) {
    if (!(error instanceof VaultRefused)) throw error;
    const remedy = id.includes('/') ? 'give it again with --identity' : `remove it with --drop-key ${id}`;
    throw new OperatorError(`the private key ${id} does not open (${error.message}); ${remedy}`);
  }
}

async function write(store: Needs['store'], row: EntityRow, wallets: Own): Promise<void> {
  const { wallets: _, ...others } = row.settings;
  const settings = Object.keys(wallets).length > 0 ? { ...others, wallets } : others;
  const faults = settingFaults(settings);
  if (faults.length > 0) throw new OperatorError(faults.join('\n'));
  if (!(await store.setSettings(row.id, settings))) throw new OperatorError('--entity: there is no such entity any more');
}

async function drop(store: SecretStore, { row, wallet }: WalletSetupOptions, ids: readonly string[]): Promise<void> {
  for (const id of ids) await store.storeSecret(row.id, walletSecretName(wallet, id), null);
}

function fileText(option: string, path: string, { readText }: Needs): string {
  try {
    return readText(path);
  } catch (error) {
    throw new OperatorError(`${option}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OperatorError('--file: this is not JSON');
  }
}

/** `walletA.keys[0]` → `walletA, key 2026`: operators know their keys by id. */
const byId = (name: string, { keys }: Setup): string =>
  name.replace(/\.keys\[([0-9]+)\]$/, (_, at: string) => `, key ${keys[Number.parseInt(at, 10)]}:`);
