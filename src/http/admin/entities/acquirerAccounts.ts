import { accountNames, accountSecretName } from '../../../merchants/accounts.ts';
import type { VersionedEntity } from '../../../merchants/ports.ts';
import { isRecord } from '../../../runtime/json.ts';
import type { AcquirerAccountView, UsableAccountView } from '../../../spec/answers/account.ts';
import { endpoints } from '../../../spec/endpoints.ts';
import type { AccountService } from '../ports.ts';

type OwnAccount = { readonly connector: string; readonly state?: 'on' | 'off' };

/** An account in the entity's own settings; null: there is none of that name. */
export function ownAccount({ settings }: VersionedEntity, name: string): OwnAccount | null {
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
