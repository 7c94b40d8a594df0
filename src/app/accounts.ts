import { connectorForms, secretFault } from '../connectors/forms.ts';
import type { ConnectorKind } from '../connectors/kind.ts';
import { connectorKinds } from '../connectors/registry.ts';
import type { AccountService } from '../http/admin/ports.ts';
import type { ModuleDefaults } from '../merchants/accounts.ts';
import { defaultRiskSettings } from '../risk/settings.ts';
import { defaultRetryPolicy } from '../schedules/retry.ts';
import { defaultSettlement } from '../settlement/settings.ts';
import { defaultPolicy } from '../threeds/policy.ts';
import { createEntitySecrets } from '../users/entitySecrets.ts';
import { userDocument } from '../users/user.ts';
import { type Foundation, moduleFaultsFor } from './foundation.ts';
import type { AppOptions } from './options.ts';

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
