import type { ScenarioService } from '../http/admin/ports.ts';
import type { Directory } from '../merchants/directory.ts';
import type { EntityRow, KeptEntity, MerchantStore } from '../merchants/ports.ts';
import type { PaymentStore } from '../payments/ports.ts';
import { type ScenarioSettings, scenarioSettings } from '../spec/scenarios/attached.ts';
import { playedIn } from '../spec/scenarios/played.ts';
import { receiverSays } from '../spec/scenarios/receiver.ts';
import type { Vault } from '../vault/ports.ts';
import type { DispatcherNeeds } from '../webhooks/dispatch.ts';

/** What a webhook is made to say by the scenario of the payment that its news are about. */
export const playedReceiver =
  (store: Pick<PaymentStore, 'payment'>): NonNullable<DispatcherNeeds['scenarioReply']> =>
  async ({ merchantId, subjectId, createdAt }, now) => {
    const payment = await store.payment(merchantId, subjectId);
    const played = payment && playedIn(payment.fields);
    return played ? receiverSays(played.acts, now - createdAt) : null;
  };

type ScenarioParts = {
  readonly store: Pick<MerchantStore, 'entities' | 'saveEntity'>;
  readonly directory: Pick<Directory, 'reload'>;
  readonly vault: Pick<Vault, 'ready' | 'fingerprint'>;
};

const TRIES_MAX = 8;

const isEmpty = ({ own, cards, channel }: ScenarioSettings): boolean =>
  channel === null && Object.keys(own).length === 0 && Object.keys(cards).length === 0;

/** Keeps scenarios among the settings of entities. */
export function createScenarioModule({ store, directory, vault }: ScenarioParts): ScenarioService {
  let last: Promise<unknown> = Promise.resolve();
  const rowOf = async (entityId: string): Promise<KeptEntity> => {
    const row = (await store.entities()).find(({ id }) => id === entityId);
    if (!row) throw new Error(`there is no entity ${entityId}`);
    return row;
  };
  const keptIn = ({ settings }: EntityRow) =>
    scenarioSettings(settings.scenarios as Readonly<Record<string, unknown>> | undefined);

  async function put(entityId: string, change: (kept: ScenarioSettings) => ScenarioSettings): Promise<void> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const row = await rowOf(entityId);
      const { scenarios: _, ...others } = row.settings;
      const after = change(keptIn(row));
      const settings = isEmpty(after) ? others : { ...others, scenarios: after };
      // Somebody else may be changing other settings of the same entity.
      if (await store.saveEntity({ ...row, settings, revision: row.revision + 1 })) return directory.reload();
    }
    throw new Error(`too many change the settings of ${entityId} at once`);
  }

  return {
    kept: async (entityId) => keptIn(await rowOf(entityId)),
    change: (entityId, change) => {
      const turn = last.then(() => put(entityId, change));
      last = turn.catch(() => {});
      return turn;
    },
    fingerprint: async (merchantId, number) => {
      await vault.ready(merchantId);
      return vault.fingerprint(merchantId, number);
    },
  };
}
