import { connectorKinds } from './connectors/registry.ts';
import type { HouseParts } from './houseParts.ts';
import { furnishSecrets } from './houseSecrets.ts';
import type { Ground } from './houseWorld.ts';
import type { AccountRoom } from './http/accountRoom.ts';
import type { RoomDefaults } from './merchants/accounts.ts';
import type { RoomFaults } from './merchants/roomSettings.ts';
import { userPaper } from './people/user.ts';
import { defaultSettlement } from './reports/tolerance.ts';
import { defaultRiskSettings } from './risk/settings.ts';
import { defaultRetryPolicy } from './schedules/retry.ts';
import { defaultPolicy } from './threeds/policy.ts';

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
