import type { WebhookStore } from '../../webhooks/ports.ts';
import { deliveryLine } from './line.ts';

/** A store that queues what its deliveries change in the statistics, in the same commit. */
export const countingDeliveries = <Store extends Pick<WebhookStore, 'settle'>>(store: Store): Store => ({
  ...store,
  settle: (deliveries) => store.settle(deliveries, deliveries.map(deliveryLine)),
});
