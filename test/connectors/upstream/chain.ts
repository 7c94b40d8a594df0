import { accountSecretName } from '../../../src/merchants/accounts.ts';
import { sandbox } from '../../../src/merchants/sandbox.ts';
import { createMemoryStore } from '../../../src/store/memory/memoryStore.ts';
import type { Store } from '../../../src/store/store.ts';
import { createClient, DEMO } from '../../http/client.ts';
import { startGateway, type TestGateway, type TestGatewayOptions } from '../../http/gateway.ts';

/** The channel of the near gateway whose payments go to the far one. */
export const NEAR = { entityId: '5eed00000000000000000000000000c1', token: DEMO.token, merchantId: DEMO.merchantId } as const;
export const ACCOUNT = 'far';
export const WEBHOOK_KEY = '000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f';
const PATIENCE_MS = 30_000;

type Settings = Readonly<Record<string, unknown>>;

/** Seals the secrets of an account as the gateway reads them. */
export async function sealSecrets(
  { world }: Pick<TestGateway, 'world'>,
  store: Store,
  account: { readonly ownerId: string; readonly name: string; readonly secrets: Readonly<Record<string, string>> },
): Promise<void> {
  const { ownerId, name } = account;
  await world.vault.ready(ownerId);
  for (const [secret, text] of Object.entries(account.secrets)) {
    const field = accountSecretName(name, secret);
    await store.storeSecret(
      ownerId,
      field,
      world.vault.seal({ merchantId: ownerId, entityId: ownerId, recordId: ownerId, field }, text),
    );
  }
}

/** The rows of a channel whose account `far` stands at the given address. */
export const nearRows = (
  url: string,
  settings: Settings = {},
  channel: Settings = {},
): NonNullable<TestGatewayOptions['rows']> => ({
  entities: [
    {
      id: NEAR.entityId,
      kind: 'channel',
      parentId: sandbox.demoShop.merchantId,
      name: 'Near_Shop',
      settings: {
        connectors: { default: ACCOUNT },
        accounts: { [ACCOUNT]: { connector: 'upstream', settings: { url, entityId: DEMO.entityId, ...settings } } },
        ...channel,
      },
    },
  ],
  tokens: [],
});

/** Two gateways over real sockets: the near one pays at the far one through the connector `upstream`. */
export async function startChain(
  options: {
    readonly settings?: Settings;
    readonly channel?: Settings;
    readonly far?: TestGatewayOptions;
    readonly near?: TestGatewayOptions;
    /** Between the two, by the address of the far one. */
    readonly between?: (farUrl: string) => Promise<string>;
  } = {},
) {
  const far = await startGateway({ patienceMs: PATIENCE_MS, ...options.far });
  const url = options.between ? await options.between(far.url) : far.url;
  const store = options.near?.store ?? createMemoryStore();
  const near = await startGateway({
    patienceMs: PATIENCE_MS,
    ...options.near,
    store,
    rows: nearRows(url, options.settings, options.channel),
  });
  await sealSecrets(near, store, {
    ownerId: NEAR.entityId,
    name: ACCOUNT,
    secrets: { accessToken: DEMO.token, webhookKey: WEBHOOK_KEY },
  });
  return {
    near,
    far,
    store,
    client: createClient(near.url, NEAR),
    farClient: createClient(far.url, DEMO),
    /** Where the far gateway posts its webhooks. */
    notificationsUrl: `${near.url}/v1/connectors/upstream/${NEAR.entityId}.${ACCOUNT}/notifications`,
    async close() {
      await near.close();
      await far.close();
    },
  };
}

export type Chain = Awaited<ReturnType<typeof startChain>>;
