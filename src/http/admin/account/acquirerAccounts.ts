import { accountSecretName } from '../../../merchants/accounts.ts';
import type { VersionedEntity } from '../../../merchants/ports.ts';
import type { AcquirerAccountView } from '../../../spec/answers/account.ts';
import { endpoints } from '../../../spec/endpoints.ts';
import { isRecord } from '../../../spec/json.ts';
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
  { acquirers, secrets }: Pick<AccountService, 'acquirers' | 'secrets'>,
  row: VersionedEntity,
): Promise<readonly AcquirerAccountView[]> {
  const names = isRecord(row.settings.accounts) ? Object.keys(row.settings.accounts) : [];
  const views = names.map(async (name): Promise<readonly AcquirerAccountView[]> => {
    const account = ownAccount(row, name);
    const form = account && acquirers.form(account.connector);
    if (!account || !form) return [];
    const kept = await secrets.accountSecrets(
      row.id,
      form.secrets.map((secret) => accountSecretName(name, secret.name)),
    );
    return [
      {
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
      },
    ];
  });
  return (await Promise.all(views)).flat();
}
