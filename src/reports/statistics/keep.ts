import type { PaymentStore } from '../../payments/ports.ts';
import type { WebhookStore } from '../../webhooks/ports.ts';
import { deliveryLine, paymentLine } from './line.ts';

/** A store that queues what its commits change in the statistics, in the same commit. */
export const countingPayments = <Store extends Pick<PaymentStore, 'commit'>>(store: Store): Store => ({
  ...store,
  commit: (change) => store.commit({ ...change, counted: paymentLine(change.payment) }),
});

/** The same for what becomes of deliveries. */
export const countingDeliveries = <Store extends Pick<WebhookStore, 'settle'>>(store: Store): Store => ({
  ...store,
  settle: (deliveries) => store.settle(deliveries, deliveries.map(deliveryLine)),
});
