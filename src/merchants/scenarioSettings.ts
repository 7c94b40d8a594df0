import { type ScenarioSettings, scenarioSettings } from '../spec/scenarios/scenarioReference.ts';
import type { Directory } from './directory.ts';
import type { EntityRow, MerchantStore, VersionedEntity } from './ports.ts';

export type ScenarioSettingsNeeds = {
  readonly store: Pick<MerchantStore, 'lineages' | 'saveEntity'>;
  readonly directory: Pick<Directory, 'reload'>;
};

/** The scenarios among the settings of entities. */
export interface ScenarioSettingsStore {
  /** The scenarios set at the entity itself, without inherited ones. */
  current(entityId: string): Promise<ScenarioSettings>;
  /** Changes run one after the other, each on the result of the one before. This node uses the result immediately, others seconds later. */
  change(entityId: string, change: (current: ScenarioSettings) => ScenarioSettings): Promise<void>;
}

const ATTEMPTS_MAX = 8;

const isEmpty = ({ own, cards, channel }: ScenarioSettings): boolean =>
  channel === null && Object.keys(own).length === 0 && Object.keys(cards).length === 0;

const settingsIn = ({ settings }: EntityRow): ScenarioSettings =>
  scenarioSettings(settings.scenarios as Readonly<Record<string, unknown>> | undefined);

export function createScenarioSettings({ store, directory }: ScenarioSettingsNeeds): ScenarioSettingsStore {
  let last: Promise<unknown> = Promise.resolve();
  const load = async (entityId: string): Promise<VersionedEntity> => {
    const row = (await store.lineages([entityId])).find(({ id }) => id === entityId);
    if (!row) throw new Error(`there is no entity ${entityId}`);
    return row;
  };
  async function save(entityId: string, change: (current: ScenarioSettings) => ScenarioSettings): Promise<void> {
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
      const row = await load(entityId);
      const { scenarios: _, ...others } = row.settings;
      const changed = change(settingsIn(row));
      const settings = isEmpty(changed) ? others : { ...others, scenarios: changed };
      // Another request may change other settings of the same entity.
      if (await store.saveEntity({ ...row, settings, revision: row.revision + 1 })) return directory.reload();
    }
    throw new Error(`the settings of ${entityId} changed too often to be saved`);
  }
  return {
    current: async (entityId) => settingsIn(await load(entityId)),
    change: (entityId, change) => {
      const result = last.then(() => save(entityId, change));
      last = result.catch(() => {});
      return result;
    },
  };
}
