import { connectorKinds } from '../connectors/registry.ts';
import type { AccountService } from '../http/admin/ports.ts';
import type { ModuleDefaults } from '../merchants/accounts.ts';
import type { ModuleFaults } from '../merchants/moduleSettings.ts';
import { defaultRiskSettings } from '../risk/settings.ts';
import { defaultRetryPolicy } from '../schedules/retry.ts';
import { defaultSettlement } from '../settlement/match/tolerance.ts';
import { defaultPolicy } from '../threeds/policy.ts';
import { userDocument } from '../users/user.ts';
import type { AppOptions } from './options.ts';
import type { Foundation } from './payments.ts';
import { createSecretModule } from './secrets.ts';

const moduleDefaults: ModuleDefaults = {
  risk: defaultRiskSettings,
  threeDS: { policy: defaultPolicy },
  schedules: defaultRetryPolicy,
  settlement: defaultSettlement,
};

/** Where the hierarchy, its settings, tokens and keys are administered. */
export function createAccountModule(
  { store, clock, environment }: Pick<AppOptions, 'store' | 'clock' | 'environment'>,
  { vault, directory, ids }: Pick<Foundation, 'vault' | 'directory' | 'ids'>,
  services: ModuleFaults,
): AccountService {
  return {
    store,
    change: { services, connectors: [...connectorKinds.keys()], environment },
    defaults: moduleDefaults,
    secrets: createSecretModule({ store, vault, clock }),
    ids,
    now: clock.now,
    // What was changed is kept: that somebody else's row makes no sense, or the store is away now, is told by the job that reads again.
    reload: () => directory.reload().catch(() => {}),
    nameOf: async (userId) => (userId === 'operator' ? userId : ((await userDocument(store, userId))?.body.name ?? null)),
  };
}
