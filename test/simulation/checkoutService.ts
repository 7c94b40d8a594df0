import { createHeldCodes } from '../../src/checkouts/heldCodes.ts';
import type { CheckoutService, WidgetFiles } from '../../src/checkouts/ports.ts';
import type { Channel } from '../../src/merchants/channel.ts';
import type { Entity } from '../../src/merchants/directory.ts';
import type { World } from '../../src/payments/ports.ts';
import type { Store } from './chronicle.ts';
import { channels } from './shops.ts';

/** There is no browser here to load them with. */
const files: WidgetFiles = {
  build: 'simulation',
  file: async () => null,
  loader: async () => null,
  inventory: () => [],
};

function entityOf(channel: Channel): Entity {
  const { entityId: id, merchantId, name, ...settings } = channel;
  return {
    id,
    kind: 'channel',
    name,
    path: [id, merchantId],
    settings: { ...settings, dispatch: false },
    merchantId,
    channel,
    channels: [],
  };
}

const entities: ReadonlyMap<string, Entity> = new Map(channels.map((channel) => [channel.entityId, entityOf(channel)]));

/** The checkouts room of one life of a node. */
export const checkoutServiceOf = (world: World, store: Store, nodeName: string): CheckoutService => ({
  world,
  environment: 'test',
  store,
  files,
  integrityOf: () => '',
  entity: (id) => entities.get(id) ?? null,
  nodeName,
  secrets: { secret: async () => null },
  heldCodes: createHeldCodes(),
  postAs: () => () => Promise.reject(new Error('nobody has a wallet here')),
  rest: async () => {},
});
