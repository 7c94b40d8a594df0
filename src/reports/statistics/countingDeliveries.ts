import type { WebhookStore } from '../../webhooks/ports.ts';
import { deliveryLine } from './line.ts';

/** A store that queues the statistics lines of deliveries in the same commit. */
export const countingDeliveries = <Store extends Pick<WebhookStore, 'saveDeliveries'>>(store: Store): Store => ({
  ...store,
  saveDeliveries: (deliveries) => store.saveDeliveries(deliveries, deliveries.map(deliveryLine)),
});
