import { connectorKinds } from '../connectors/registry.ts';
import type { AccountRoom } from '../http/admin/accountService.ts';
import type { RoomDefaults } from '../merchants/accounts.ts';
import type { RoomFaults } from '../merchants/moduleSettings.ts';
import { defaultRiskSettings } from '../risk/settings.ts';
import { defaultRetryPolicy } from '../schedules/retry.ts';
import { defaultSettlement } from '../settlement/match/tolerance.ts';
import { defaultPolicy } from '../threeds/policy.ts';
import { userPaper } from '../users/user.ts';
import type { HouseParts } from './options.ts';
import type { Ground } from './payments.ts';
import { furnishSecrets } from './secrets.ts';

const roomDefaults: RoomDefaults = {
  risk: defaultRiskSettings,
  threeDS: { policy: defaultPolicy },
  schedules: defaultRetryPolicy,
  settlement: defaultSettlement,
};

/** Where the hierarchy, its settings, tokens and keys are administered. */
export function furnishAccounts(
  { store, clock, environment }: Pick<HouseParts, 'store' | 'clock' | 'environment'>,
  { vault, directory, ids }: Pick<Ground, 'vault' | 'directory' | 'ids'>,
  rooms: RoomFaults,
): AccountRoom {
  return {
    store,
    change: { rooms, connectors: [...connectorKinds.keys()], environment },
    defaults: roomDefaults,
    secrets: furnishSecrets({ store, vault, clock }),
    ids,
    now: clock.now,
    // What was changed is kept: that somebody else's row makes no sense, or the store is away now, is told by the job that reads again.
    reload: () => directory.reload().catch(() => {}),
    nameOf: async (userId) => (userId === 'operator' ? userId : ((await userPaper(store, userId))?.body.name ?? null)),
  };
}
