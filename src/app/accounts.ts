import { connectorForms, secretFault } from '../connectors/forms.ts';
import { connectorKinds } from '../connectors/registry.ts';
import type { AccountService } from '../http/admin/ports.ts';
import type { ModuleDefaults } from '../merchants/accounts.ts';
import { defaultRiskSettings } from '../risk/settings.ts';
import { defaultRetryPolicy } from '../schedules/retry.ts';
import { defaultSettlement } from '../settlement/match/tolerance.ts';
import { defaultPolicy } from '../threeds/policy.ts';
import { createEntitySecrets } from '../users/entitySecrets.ts';
import { userDocument } from '../users/user.ts';
import { type Foundation, moduleFaults } from './foundation.ts';
import type { AppOptions } from './options.ts';

/** Connectors that a channel can name without an account. */
const plainConnectors = [...connectorKinds.values()].flatMap(({ name, accounts }) => (accounts ? [] : [name]));

const liveConnectors = plainConnectors.filter((name) => connectorKinds.get(name)?.modes.includes('LIVE'));

const forms = connectorForms(connectorKinds);

const moduleDefaults: ModuleDefaults = {
  risk: defaultRiskSettings,
  threeDS: { policy: defaultPolicy },
  schedules: defaultRetryPolicy,
  settlement: defaultSettlement,
};

/** Administration of the hierarchy, its settings, tokens and keys. */
export function createAccountModule(
  { store, clock, environment }: Pick<AppOptions, 'store' | 'clock' | 'environment'>,
  { vault, directory, ids }: Pick<Foundation, 'vault' | 'directory' | 'ids'>,
): AccountService {
  return {
    store,
    change: { services: moduleFaults, connectors: environment === 'live' ? liveConnectors : plainConnectors, environment },
    defaults: moduleDefaults,
    secrets: createEntitySecrets({ store, vault, clock }),
    acquirers: {
      form: (connector) => forms.find(({ name }) => name === connector) ?? null,
      secretFault: (connector, secret) => secretFault(connectorKinds, connector, secret),
    },
    ids,
    now: clock.now,
    // The change is stored. An invalid row of another entity, or an unreachable store, is reported by the reload job.
    reload: () => directory.reload().catch(() => {}),
    nameOf: async (userId) => (userId === 'operator' ? userId : ((await userDocument(store, userId))?.body.name ?? null)),
  };
}
