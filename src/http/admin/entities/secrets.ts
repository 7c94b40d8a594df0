import { accountNames, accountSecretName } from '../../../merchants/accounts.ts';
import type { Entity } from '../../../merchants/directory.ts';
import type { VersionedEntity } from '../../../merchants/ports.ts';
import { isRecord } from '../../../runtime/json.ts';
import type { AcquirerAccountView, UsableAccountView } from '../../../spec/answers/account.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import { endpoints } from '../../../spec/endpoints.ts';
import type { FolderSecret } from '../../../spec/remoteFolder.ts';
import { keyFingerprint, keyIdFor, walletKeyFault } from '../../../wallets/storedKeys.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { type AuthorizedAdmin, authorizeObject, noSuch } from '../authorize.ts';
import { type CommandResult, command } from '../command.ts';
import type { AccountService } from '../ports.ts';

/** Keys and passwords that are stored sealed for an entity. Replies identify them and show none. */

/** Authorises a request about the node that its path names. */
export const authorizeNode = authorizeObject({
  what: 'entity',
  find: async ({ directory }, id): Promise<Entity | null> => directory.entity(id),
  entityIdOf: ({ id }) => id,
});

const refused = ({ replies }: Pick<Services, 'replies'>, entityId: string, name: string, message: string): Reply =>
  replies.result('200.300.404', entityId, { faults: [{ name, value: null, message }] });

const rowOf = async ({ accounts }: Pick<Services, 'accounts'>, id: string): Promise<VersionedEntity | null> =>
  (await accounts.store.lineages([id])).find((row) => row.id === id) ?? null;

async function shownKeys(services: Pick<Services, 'accounts' | 'replies'>, id: string): Promise<Reply> {
  const row = await rowOf(services, id);
  if (!row) return noSuch(services, 'entity');
  return services.replies.json(
    200,
    { walletKeys: await services.accounts.secrets.walletKeys(row) } satisfies AdminAnswer<'keepWalletKey'>,
    { entityId: id },
  );
}

async function shownServers(services: Pick<Services, 'accounts' | 'replies'>, id: string): Promise<Reply> {
  const row = await rowOf(services, id);
  if (!row) return noSuch(services, 'entity');
  return services.replies.json(
    200,
    { serverSecrets: await services.accounts.secrets.serverSecrets(row) } satisfies AdminAnswer<'keepServerSecret'>,
    { entityId: id },
  );
}

type KeyCommand = AuthorizedAdmin<'keepWalletKey' | 'dropWalletKey', Entity>;

const keyLocationOf = ({ resource, values: { wallet, keyId, use = 'tokens' } }: KeyCommand) => ({
  entityId: resource.id,
  wallet,
  keyId: keyIdFor(use, keyId),
});

/** An existing key is not overwritten: the one that opens tokens today would be lost. A new key gets a new id. */
async function keepKey(
  services: Pick<Services, 'accounts' | 'replies'>,
  authorized: AuthorizedAdmin<'keepWalletKey', Entity>,
): Promise<Reply> {
  const { resource, values } = authorized;
  const fault = walletKeyFault(values.wallet, values.use ?? 'tokens', values.privateKey);
  if (fault !== null) return refused(services, resource.id, 'privateKey', fault);
  const row = await rowOf(services, resource.id);
  if (!row) return noSuch(services, 'entity');
  const location = keyLocationOf(authorized);
  const known = (await services.accounts.secrets.walletKeys(row)).find(
    ({ wallet, keyId }) => wallet === location.wallet && keyId === location.keyId,
  );
  if (known?.fingerprint)
    return refused(services, resource.id, 'keyId', 'is that of a key that is kept already; give this one another');
  await services.accounts.secrets.saveWalletKey(location, values.privateKey);
  await services.accounts.reload();
  return shownKeys(services, resource.id);
}

async function dropKey(
  services: Pick<Services, 'accounts' | 'replies'>,
  authorized: AuthorizedAdmin<'dropWalletKey', Entity>,
): Promise<Reply> {
  const { resource } = authorized;
  const location = keyLocationOf(authorized);
  const row = await rowOf(services, resource.id);
  const known =
    row &&
    (await services.accounts.secrets.walletKeys(row)).find(
      ({ wallet, keyId }) => wallet === location.wallet && keyId === location.keyId,
    );
  if (!known) return noSuch(services, 'key');
  if (known.isNamed)
    return refused(services, resource.id, 'keyId', 'is named in the setup of its wallet; take it out there first');
  await services.accounts.secrets.saveWalletKey(location, null);
  return shownKeys(services, resource.id);
}

async function keepServer(
  services: Pick<Services, 'accounts' | 'replies'>,
  { resource, values }: AuthorizedAdmin<'keepServerSecret', Entity>,
): Promise<Reply> {
  const { server, password, privateKey } = values;
  if ((password === undefined) === (privateKey === undefined)) {
    return refused(services, resource.id, 'password', 'or privateKey must be given, and not both');
  }
  if (server === 'reconciliation' && resource.kind !== 'merchant') {
    return refused(services, resource.id, 'server', 'is one of merchants: files are delivered to them');
  }
  const isOpenSsh = privateKey?.includes('OPENSSH') ?? false;
  // OpenSSH has its own format, which the SFTP library reads.
  if (privateKey !== undefined && !isOpenSsh && keyFingerprint(privateKey) === null) {
    return refused(services, resource.id, 'privateKey', 'must be a private key in PEM, without a passphrase');
  }
  const secret: FolderSecret =
    privateKey === undefined ? { kind: 'password', password: password ?? '' } : { kind: 'privateKey', privateKey };
  await services.accounts.secrets.saveServerSecret(resource.id, server, secret);
  return shownServers(services, resource.id);
}

async function shownAccounts(services: Pick<Services, 'accounts' | 'replies'>, id: string): Promise<Reply> {
  const row = await rowOf(services, id);
  if (!row) return noSuch(services, 'entity');
  const body = { acquirerAccounts: await acquirerAccountsOf(services.accounts, row) } satisfies AdminAnswer<'keepAccountSecret'>;
  return services.replies.json(200, body, { entityId: id });
}

/** Stores a credential of an account that the entity itself has, or deletes it. */
async function changeAccountSecret(
  services: Pick<Services, 'accounts' | 'replies'>,
  { resource, values }: AuthorizedAdmin<'keepAccountSecret' | 'dropAccountSecret', Entity>,
  text: string | null,
): Promise<Reply> {
  const row = await rowOf(services, resource.id);
  if (!row) return noSuch(services, 'entity');
  const account = ownAccount(row, values.account);
  if (!account) return refused(services, resource.id, 'account', 'must be one that the setting accounts of this entity names');
  const fault = text === null ? null : services.accounts.acquirers.secretFault(account.connector, { name: values.secret, text });
  if (fault !== null) return refused(services, resource.id, fault.startsWith('must be one of') ? 'secret' : 'value', fault);
  await services.accounts.secrets.saveAccountSecret(resource.id, accountSecretName(values.account, values.secret), text);
  return shownAccounts(services, resource.id);
}

const acted = async (reply: Promise<Reply>, { resource }: { readonly resource: Entity }): Promise<CommandResult> => ({
  reply: await reply,
  objectId: resource.id,
});

export const secretHandlers = {
  keepAccountSecret: command(
    'keepAccountSecret',
    authorizeNode<'keepAccountSecret'>,
    (services: Pick<Services, 'accounts' | 'replies'>, authorized) =>
      acted(changeAccountSecret(services, authorized, authorized.values.value), authorized),
  ),
  dropAccountSecret: command(
    'dropAccountSecret',
    authorizeNode<'dropAccountSecret'>,
    (services: Pick<Services, 'accounts' | 'replies'>, authorized) =>
      acted(changeAccountSecret(services, authorized, null), authorized),
  ),
  keepWalletKey: command(
    'keepWalletKey',
    authorizeNode<'keepWalletKey'>,
    (services: Pick<Services, 'accounts' | 'replies'>, authorized) => acted(keepKey(services, authorized), authorized),
  ),
  dropWalletKey: command(
    'dropWalletKey',
    authorizeNode<'dropWalletKey'>,
    (services: Pick<Services, 'accounts' | 'replies'>, authorized) => acted(dropKey(services, authorized), authorized),
  ),
  keepServerSecret: command(
    'keepServerSecret',
    authorizeNode<'keepServerSecret'>,
    (services: Pick<Services, 'accounts' | 'replies'>, authorized) => acted(keepServer(services, authorized), authorized),
  ),
  dropServerSecret: command(
    'dropServerSecret',
    authorizeNode<'dropServerSecret'>,
    async (services: Pick<Services, 'accounts' | 'replies'>, authorized) => {
      await services.accounts.secrets.saveServerSecret(authorized.resource.id, authorized.values.server, null);
      return acted(shownServers(services, authorized.resource.id), authorized);
    },
  ),
} as const;

type OwnAccount = { readonly connector: string; readonly state?: 'on' | 'off' };

/** An account in the entity's own settings; null: there is none of that name. */
function ownAccount({ settings }: VersionedEntity, name: string): OwnAccount | null {
  const { accounts } = settings;
  const account = isRecord(accounts) && Object.hasOwn(accounts, name) ? accounts[name] : null;
  return isRecord(account) ? (account as OwnAccount) : null;
}

/** The entity's own accounts, with which of their credentials are stored. */
export async function acquirerAccountsOf(
  accounts: Pick<AccountService, 'acquirers' | 'secrets'>,
  row: VersionedEntity,
): Promise<readonly AcquirerAccountView[]> {
  const names = isRecord(row.settings.accounts) ? Object.keys(row.settings.accounts) : [];
  return (await Promise.all(names.map((name) => viewOf(accounts, row, name)))).filter((view) => view !== null);
}

/** The accounts that the last entity of the chain may name, with their state. */
export async function usableAccountsOf(
  accounts: Pick<AccountService, 'acquirers' | 'secrets'>,
  chain: readonly VersionedEntity[],
): Promise<readonly UsableAccountView[]> {
  const views = accountNames(chain).map(async (name): Promise<readonly UsableAccountView[]> => {
    const owner = chain.findLast((row) => ownAccount(row, name) !== null);
    const view = owner && (await viewOf(accounts, owner, name));
    if (!owner || !view) return [];
    const { connector, title, state, isReachable, secrets } = view;
    const lacksSecrets = secrets.some(({ isSet, isOptional }) => !isSet && !isOptional);
    return [{ name, connector, title, state, isReachable, ownerId: owner.id, lacksSecrets }];
  });
  return (await Promise.all(views)).flat();
}

async function viewOf(
  { acquirers, secrets }: Pick<AccountService, 'acquirers' | 'secrets'>,
  row: VersionedEntity,
  name: string,
): Promise<AcquirerAccountView | null> {
  const account = ownAccount(row, name);
  const form = account && acquirers.form(account.connector);
  if (!account || !form) return null;
  const kept = await secrets.accountSecrets(
    row.id,
    form.secrets.map((secret) => accountSecretName(name, secret.name)),
  );
  return {
    name,
    connector: account.connector,
    title: form.title,
    state: account.state ?? 'on',
    isReachable: acquirers.isReachable({ ownerId: row.id, name }),
    secrets: form.secrets.map((secret, at) => ({
      ...secret,
      isSet: kept[at]?.isSet ?? false,
      keptAt: kept[at]?.keptAt ?? null,
    })),
    notificationPath: endpoints.receiveNotification.path
      .replace('{name}', account.connector)
      .replace('{id}', `${row.id}.${name}`),
  };
}
