import { onEveryStore, shared } from './everyStore.ts';
import { deliveryClaimContract, deliveryContract } from './storeDeliveries.ts';
import { deliveryNodesContract } from './storeDeliveryNodes.ts';
import { webhookRawContract } from './storeWebhookRaw.ts';
import { eventContract, webhookContract } from './storeWebhooks.ts';

/** What every store promises of webhooks, events and deliveries. */
onEveryStore(({ name, open, opened, isDatabase }) => {
  const calm = shared(open);
  webhookContract(name, opened);
  eventContract(name, open);
  deliveryClaimContract(name, calm);
  deliveryContract(name, opened);
  if (!isDatabase) return;
  webhookRawContract(name, opened);
  deliveryNodesContract(name, open);
});
