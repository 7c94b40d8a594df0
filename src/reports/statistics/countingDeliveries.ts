import type { WebhookStore } from '../../webhooks/ports.ts';
import { deliveryLine } from './line.ts';

/** A store that queues what its deliveries change in the statistics, in the same commit. */
export const countingDeliveries = <Store extends Pick<WebhookStore, 'saveDeliveries'>>(store: Store): Store => ({
  ...store,
  saveDeliveries: (deliveries) => store.saveDeliveries(deliveries, deliveries.map(deliveryLine)),
});
