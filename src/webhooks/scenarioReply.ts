import type { PaymentStore } from '../payments/ports.ts';
import { receiverSays } from '../spec/scenarios/directives.ts';
import { type Played, playedIn } from '../spec/scenarios/played.ts';
import type { Clock } from '../spec/time.ts';
import type { DispatcherNeeds } from './dispatch.ts';
import { createSharedWork } from './sharedWork.ts';

/** The reply that the scenario of a payment dictates to the webhooks of its events. Null: no scenario, the webhook is called. */
export function createScenarioReply(
  store: Pick<PaymentStore, 'payment'>,
  clock: Clock,
): NonNullable<DispatcherNeeds['scenarioReply']> {
  const shared = createSharedWork<Played | null>(clock, () => true);
  return async ({ id, merchantId, subjectId, createdAt }, now) => {
    const played = await shared.get(`${merchantId} ${id}`, async () => {
      const payment = await store.payment(merchantId, subjectId);
      return payment && playedIn(payment.fields);
    });
    return played ? receiverSays(played.acts, now - createdAt) : null;
  };
}
