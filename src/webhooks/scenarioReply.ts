import type { PaymentStore } from '../payments/ports.ts';
import { playedIn } from '../spec/scenarios/played.ts';
import { receiverSays } from '../spec/scenarios/receiver.ts';
import type { DispatcherNeeds } from './dispatch.ts';

/** The reply that the scenario of a payment dictates to the webhooks of its events. Null: no scenario, the webhook is called. */
export const createScenarioReply =
  (store: Pick<PaymentStore, 'payment'>): NonNullable<DispatcherNeeds['scenarioReply']> =>
  async ({ merchantId, subjectId, createdAt }, now) => {
    const payment = await store.payment(merchantId, subjectId);
    const played = payment && playedIn(payment.fields);
    return played ? receiverSays(played.acts, now - createdAt) : null;
  };
