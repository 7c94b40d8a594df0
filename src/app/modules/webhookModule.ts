import type { InboxService } from '../../developer/inbox.ts';
import type { WebhookService } from '../../http/admin/ports.ts';
import { onlyMerchant } from '../../merchants/merchantFilter.ts';
import { createOutbound } from '../../outbound/client.ts';
import type { PaymentStore, World } from '../../payments/ports.ts';
import { payloadFor } from '../../payments/webhook/payload.ts';
import { countingDeliveries } from '../../reports/statistics/line.ts';
import { ticks } from '../../runtime/ticks.ts';
import { type Played, playedIn, receiverSays } from '../../spec/scenarios/played.ts';
import type { Clock } from '../../spec/time.ts';
import type { Log } from '../../telemetry/log.ts';
import { createPieces, systemRandom } from '../../vault/randomBytes.ts';
import { createDispatcher, type DispatcherNeeds } from '../../webhooks/dispatch.ts';
import { fanOut } from '../../webhooks/fanOut.ts';
import { expireDeliveries } from '../../webhooks/handleDispatch.ts';
import { createWebhookKeys, type WebhookKeys } from '../../webhooks/keys.ts';
import type { DispatchScope } from '../../webhooks/ports.ts';
import { createSingleFlight } from '../../webhooks/prepareDispatch.ts';
import { addressFault, type Webhook } from '../../webhooks/webhook.ts';
import { activate, createReminder } from '../../webhooks/webhookState.ts';
import { clockScopes } from '../../workers/dueWork.ts';
import { webhookJobs } from '../../workers/jobs.ts';
import type { Job } from '../../workers/loop.ts';
import type { Foundation } from '../foundation.ts';
import { type AppOptions, outboundReach } from '../options.ts';
import { watchDeliveries } from '../process/telemetry.ts';
import { randomFraction } from '../system.ts';

type WebhookParts = {
  readonly world: World;
  readonly worldOf: (merchantId: string | null) => World;
  /** Receivers inside the test environment, called without a socket; null in live. */
  readonly inboxes: Pick<InboxService, 'receive'> | null;
};

export type WebhookModule = {
  readonly service: WebhookService;
  readonly jobs: readonly Job[];
  /** Fans out and delivers the events of one merchant, and waits for the replies; returns the number of attempts. */
  readonly dispatchFor: (merchantId: string) => Promise<number>;
  /** Reads the webhooks again. */
  readonly refresh: () => Promise<void>;
  stop(): Promise<void>;
};

/** How long a shutdown waits for open calls. A call without a reply by then is repeated after the next start. */
const GRACE_MS = 4_000;
const IV_BYTES = 12;

/** Webhooks: administration, fan-out and delivery. */
export function createWebhookModule(options: AppOptions, foundation: Foundation, parts: WebhookParts): WebhookModule {
  const { log } = options;
  const { directory, clocks, vault } = foundation;
  const { ids, clock } = parts.world;
  const store = countingDeliveries(options.store);
  const keys = createWebhookKeys({ store, vault, ids, random: systemRandom });
  const needs = dispatcherNeeds({ ...options, store }, foundation, { ...parts, keys });
  const dispatcher = createDispatcher(needs);
  const clockOf = ({ entityId }: Webhook) => clocks.of(directory.entity(entityId)?.merchantId ?? null);
  const scopes = (): readonly DispatchScope[] =>
    clockScopes(clocks).map(({ merchantId, merchants }) => ({ merchants, clock: clocks.of(merchantId) }));
  const fanOutFor = (scope: DispatchScope) => fanOut({ store, ids, entity: directory.entity }, scope);
  const service: WebhookService = {
    store,
    keys,
    activate: (webhook) => activate({ ...needs, store, ids, ownClock: clockOf(webhook) }, webhook),
    payloadFor: needs.payloadFor,
    // With public receivers only, TLS is required as in live.
    addressFault: (url) => addressFault(url, outboundReach(options) === 'public' ? 'live' : 'test'),
  };
  const jobs = webhookJobs({
    clock: { now: clocks.earliest },
    store,
    ...(options.retention && { retention: options.retention }),
    fanOut: async () => {
      for (const scope of scopes()) await fanOutFor(scope);
    },
    dispatch: async () => {
      for (const scope of scopes()) await dispatcher.run(scope);
    },
    correctMisdated: async () => {
      for (const scope of scopes()) await store.correctMisdatedDeliveries({ now: scope.clock.now(), merchants: scope.merchants });
    },
    expireDeliveries: async () => {
      for (const scope of scopes()) await expireDeliveries(store, scope);
    },
    reportFailing: createReminder({ store, clock, clockOf, warn: (webhook, message) => warn(log, webhook, message) }),
  });
  const dispatchFor = async (merchantId: string): Promise<number> => {
    const scope = { merchants: onlyMerchant(merchantId), clock: clocks.of(merchantId) };
    await fanOutFor(scope);
    const count = await dispatcher.run(scope);
    await dispatcher.finish(merchantId);
    return count;
  };
  return { service, jobs, dispatchFor, refresh: dispatcher.refresh, stop: () => dispatcher.stop(GRACE_MS) };
}

function dispatcherNeeds(
  options: AppOptions,
  { directory }: Foundation,
  { world, worldOf, inboxes, keys }: WebhookParts & { readonly keys: WebhookKeys },
): DispatcherNeeds {
  const { environment, store, timers, log } = options;
  const { buildNumber } = options.replies.base('');
  const deliveries = watchDeliveries(options.metrics, options.tracer ?? null);
  const { post: direct } = createOutbound({ timers, reach: outboundReach(options) });
  const post: typeof direct = inboxes ? async (...sent) => (await inboxes.receive(...sent)) ?? direct(...sent) : direct;
  return {
    store,
    clock: world.clock,
    timers,
    keys,
    post: deliveries.post(post),
    watch: deliveries.watch,
    payloadFor(event) {
      const { store: payments, channel, vault, alarm } = worldOf(event.merchantId);
      const payment = async (merchantId: string, id: string) =>
        deliveries.loadPayment(event.id, await payments.payment(merchantId, id));
      const surroundings = { channel, vault, alarm, rest: ticks.next, store: { payment, registration: payments.registration } };
      return payloadFor(surroundings, event, { buildNumber });
    },
    rest: ticks.next,
    iv: createPieces(IV_BYTES, systemRandom),
    chance: randomFraction,
    onDisabled: (webhook, message) => warn(log, webhook, message),
    ...(environment === 'test' && { scenarioReply: createScenarioReply(store, world.clock) }),
    isShared: ({ entityId }) => (directory.entity(entityId)?.merchantId ?? null) === null,
  };
}

const warn = (log: Log, { id, entityId, name, state }: Webhook, message: string): void =>
  log.warn({ webhookId: id, entityId, name, state }, `a webhook does not work: ${message}`);

/** The reply that the scenario of a payment dictates to the webhooks of its events. Null: no scenario, the webhook is called. */
function createScenarioReply(store: Pick<PaymentStore, 'payment'>, clock: Clock): NonNullable<DispatcherNeeds['scenarioReply']> {
  const shared = createSingleFlight<Played | null>(clock, () => true);
  return async ({ id, merchantId, subjectId, createdAt }, now) => {
    const played = await shared.get(`${merchantId} ${id}`, async () => {
      const payment = await store.payment(merchantId, subjectId);
      return payment && playedIn(payment.fields);
    });
    return played ? receiverSays(played.acts, now - createdAt) : null;
  };
}
