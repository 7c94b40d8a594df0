import { accountFaults } from '../connectors/accounts.ts';
import type { ConnectorKind } from '../connectors/kind.ts';
import { connectorKinds } from '../connectors/registry.ts';
import { type Clocks, createClocks, realClocks } from '../merchants/clocks.ts';
import { createDirectory, type Directory } from '../merchants/directory.ts';
import type { ModuleFaults } from '../merchants/moduleSettings.ts';
import { routingFaults } from '../payments/connector/routing.ts';
import type { World } from '../payments/ports.ts';
import { reconciliationSettingFaults } from '../reports/reconciliation/settings.ts';
import { riskSettingFaults } from '../risk/settings.ts';
import { scheduleSettingFaults } from '../schedules/retry.ts';
import { settlementSettingFaults } from '../settlement/settings.ts';
import { scenarioSettingFaults } from '../spec/scenarios/scenarioReference.ts';
import type { Clock } from '../spec/time.ts';
import type { Store } from '../store/store.ts';
import { threeDSSettingFaults } from '../threeds/settings.ts';
import { type OpenedVault, openVault } from '../vault/vault.ts';
import type { AppOptions } from './options.ts';
import { createAlarm } from './process/alarm.ts';
import { createIds } from './system.ts';

/** The parts that every other module is built on. */
export type Foundation = Pick<World, 'ids' | 'alarm'> & {
  readonly clocks: Clocks;
  readonly vault: OpenedVault;
  readonly directory: Directory;
};

/** The checks of entity settings, by the module that owns them. */
export const moduleFaultsFor = (kinds: ReadonlyMap<string, ConnectorKind>): ModuleFaults => ({
  risk: riskSettingFaults,
  threeDS: threeDSSettingFaults,
  schedules: scheduleSettingFaults,
  scenarios: scenarioSettingFaults,
  settlement: settlementSettingFaults,
  reconciliation: reconciliationSettingFaults,
  accounts: (value) => accountFaults(value, kinds),
  routing: routingFaults,
});

/** Other threads follow what this one has learnt. */
const followedByThreads = (directory: Directory, onReloaded: () => Promise<void>): Directory => ({
  ...directory,
  async follow() {
    const isChanged = await directory.follow();
    if (isChanged) await onReloaded();
    return isChanged;
  },
  reload: () => directory.reload().then(onReloaded),
});

/** The clocks of all merchants. Live has no test clocks. */
const openClocks = (
  { environment, onTestClocks }: Pick<AppOptions, 'environment' | 'onTestClocks'>,
  store: Store,
  clock: Clock,
): Promise<Clocks> => (environment === 'test' ? createClocks(store, clock, onTestClocks) : Promise.resolve(realClocks(clock)));

export async function createFoundation({
  environment,
  store,
  masters,
  clock,
  log,
  connectorKinds: kinds = connectorKinds,
  onReloaded,
  onTestClocks,
  createIds: idsAt = createIds,
}: AppOptions): Promise<Foundation> {
  const directory = await createDirectory(store, clock, moduleFaultsFor(kinds));
  return {
    ids: idsAt(clock.now),
    clocks: await openClocks({ environment, onTestClocks }, store, clock),
    vault: await openVault({ masters, store, now: clock.now }),
    directory: onReloaded ? followedByThreads(directory, onReloaded) : directory,
    alarm: createAlarm(log.error, clock),
  };
}
