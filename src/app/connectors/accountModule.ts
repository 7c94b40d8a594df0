import { connectorForms, secretFault } from '../../connectors/accounts.ts';
import type { ConnectorKind } from '../../connectors/kind.ts';
import { connectorKinds } from '../../connectors/registry.ts';
import type { AccountService } from '../../http/admin/ports.ts';
import { accountSecretName, type ModuleDefaults } from '../../merchants/accounts.ts';
import type { Channel } from '../../merchants/channel.ts';
import type { Directory } from '../../merchants/directory.ts';
import { defaultRiskSettings } from '../../risk/settings.ts';
import { isRecord } from '../../runtime/json.ts';
import { defaultRetryPolicy } from '../../schedules/retry.ts';
import { defaultSettlement } from '../../settlement/settings.ts';
import { defaultPolicy } from '../../threeds/outcome.ts';
import { createEntitySecrets } from '../../users/entitySecrets.ts';
import { userDocument } from '../../users/user.ts';
import type { SecretStore } from '../../vault/ports.ts';
import { type Foundation, moduleFaultsFor } from '../foundation.ts';
import type { AppOptions } from '../options.ts';
import type { Reachability } from './connectorModule.ts';

/** Connectors that a channel can name without an account. In live, the simulator is none. */
const plainConnectors = (kinds: ReadonlyMap<string, ConnectorKind>, environment: AppOptions['environment']): readonly string[] =>
  [...kinds.values()].flatMap(({ name, accounts, modes }) =>
    accounts || (environment === 'live' && !modes.includes('LIVE')) ? [] : [name],
  );

const moduleDefaults: ModuleDefaults = {
  risk: defaultRiskSettings,
  threeDS: { policy: defaultPolicy },
  schedules: defaultRetryPolicy,
  settlement: defaultSettlement,
};

/** Administration of the hierarchy, its settings, tokens and keys. */
export function createAccountModule(
  {
    store,
    clock,
    environment,
    connectorKinds: kinds = connectorKinds,
  }: Pick<AppOptions, 'store' | 'clock' | 'environment' | 'connectorKinds'>,
  { vault, directory, ids }: Pick<Foundation, 'vault' | 'directory' | 'ids'>,
  reachability: Pick<Reachability, 'stateOf'> | null = null,
): AccountService {
  const forms = connectorForms(kinds);
  return {
    store,
    change: { services: moduleFaultsFor(kinds), connectors: plainConnectors(kinds, environment), environment },
    defaults: moduleDefaults,
    secrets: createEntitySecrets({ store, vault, clock }),
    acquirers: {
      form: (connector) => forms.find(({ name }) => name === connector) ?? null,
      secretFault: (connector, secret) => secretFault(kinds, connector, secret),
      isReachable: (account) => (reachability?.stateOf(account) ?? 'closed') === 'closed',
    },
    ids,
    now: clock.now,
    // The change is stored. An invalid row of another entity, or an unreachable store, is reported by the reload job.
    reload: () => directory.reload().catch(() => {}),
    nameOf: async (userId) => (userId === 'operator' ? userId : ((await userDocument(store, userId))?.body.name ?? null)),
  };
}

/** Enough to see the problem; a provider may have a hundred thousand channels. */
const CHANNELS_MAX = 200;
const SENTENCES_MAX = 10;

const forms = connectorForms(connectorKinds);

/** One thing that is missing: its kind for everyone who may ask, and a sentence with the remedy for the operator. */
type Missing = { readonly kind: 'merchant' | 'channel' | 'account' | 'credential'; readonly says: string };

/** The settings that are missing before the live environment can take a payment. */
export async function missingForPayments(
  directory: Directory,
  secrets: Pick<SecretStore, 'secret'>,
): Promise<readonly Missing[]> {
  const merchants = directory.merchantIds(CHANNELS_MAX);
  if (merchants.length === 0) return [{ kind: 'merchant', says: 'There is no merchant: add one (docs/goingLive.md).' }];
  const channels = merchants.flatMap((id) => directory.entity(id)?.channels ?? []);
  if (channels.length === 0) return [{ kind: 'channel', says: 'No merchant has a channel: add one (docs/goingLive.md).' }];
  const found = new Map<string, Missing>();
  for (const channel of channels.slice(0, CHANNELS_MAX)) {
    for (const missing of await missingIn(channel, directory, secrets)) found.set(missing.says, missing);
    if (found.size >= SENTENCES_MAX) break;
  }
  return [...found.values()].slice(0, SENTENCES_MAX);
}

async function missingIn(
  { entityId, name, connectors }: Channel,
  directory: Directory,
  secrets: Pick<SecretStore, 'secret'>,
): Promise<readonly Missing[]> {
  const names = [...new Set(Object.values(connectors))];
  const account = (says: string): Missing => ({ kind: 'account', says });
  if (names.length === 0) return [account(`The channel ${name} names no account: npx turnpike account --use`)];
  const entity = directory.entity(entityId);
  const found: Missing[] = [];
  for (const named of names) {
    const kind = connectorKinds.get(named);
    if (kind && !kind.accounts) {
      if (!kind.modes.includes('LIVE'))
        found.push(account(`The channel ${name} names the ${named}, which takes no live payment.`));
      continue;
    }
    const setting = entity?.settings.accounts?.[named];
    const form = isRecord(setting) ? forms.find((one) => one.name === setting.connector) : undefined;
    if (!form || !entity) {
      found.push(account(`The channel ${name} names the account ${named}, which does not exist.`));
      continue;
    }
    const owner = entity.path.findLast((above) => directory.entity(above)?.settings.accounts?.[named] === setting) ?? entityId;
    for (const { name: secret, isOptional } of form.secrets) {
      if (isOptional || (await secrets.secret(owner, accountSecretName(named, secret))) !== null) continue;
      const command = `npx turnpike account --entity ${owner} --name ${named} --secret ${secret}=file`;
      found.push({ kind: 'credential', says: `The account ${named} has no ${secret}: ${command}` });
    }
  }
  return found;
}
