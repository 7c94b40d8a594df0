import type { ScenarioService } from '../http/admin/ports.ts';
import { createScenarioSettings, type ScenarioSettingsNeeds } from '../merchants/scenarioSettings.ts';
import type { Vault } from '../vault/ports.ts';

/** Scenarios of the test environment, in the settings of entities. */
export const createScenarioModule = ({
  store,
  directory,
  vault,
}: ScenarioSettingsNeeds & { readonly vault: Pick<Vault, 'ready' | 'fingerprint'> }): ScenarioService => ({
  ...createScenarioSettings({ store, directory }),
  fingerprint: async (merchantId, number) => {
    await vault.ready(merchantId);
    return vault.fingerprint(merchantId, number);
  },
});
