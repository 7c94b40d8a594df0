import type { Timers } from '../payments/ports.ts';
import type { ReceiverSays } from '../spec/scenarios/played.ts';
import {
  type Claimed,
  createEndpointQueues,
  type EndpointQueue,
  type EndpointQueues,
  FETCH_MAX,
  REST_MS_MAX,
} from './endpointQueue.ts';
import {
  handleFailedDispatch,
  handleSuccessfulDispatch,
  isDelivered,
  isExpired,
  isGone,
  retryAfterMs,
} from './handleDispatch.ts';
import { createLongSlots, longSlots } from './longSlots.ts';
import type { DispatchScope, WebhookStore } from './ports.ts';
import {
  type AttemptNeeds,
  type AttemptResult,
  attemptDelivery,
  bounds,
  createSingleFlight,
  isSharedPayload,
} from './prepareDispatch.ts';
import { createSubscribers, type Subscribers, type SubscribersNeeds } from './subscribers.ts';
import type { Delivery, OutboxEvent, Webhook } from './webhook.ts';

const AT_ONCE = 500;

/** Saves deliveries after their attempts. Attempts that end while the store is busy go into its next commit. */
interface DeliveryWriter {
  add(delivery: Delivery): void;
  /** Resolves when everything added so far is saved. Rejects when the store fails, and keeps the rest for the next flush. */
  flush(): Promise<void>;
}

export function createDeliveryWriter(store: Pick<WebhookStore, 'saveDeliveries'>): DeliveryWriter {
  let waiting: Delivery[] = [];
  let running: Promise<void> | null = null;
  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, AT_ONCE);
      try {
        await store.saveDeliveries(batch);
      } catch (error) {
        waiting = [...batch, ...waiting];
        throw error;
      }
    }
  };
  const start = (): Promise<void> => {
    running ??= write().finally(() => {
      running = null;
    });
    return running;
  };
  return {
    add(delivery) {
      waiting.push(delivery);
      // `flush` reports the error. Claims expire by themselves; at worst a delivery is sent twice.
      start().catch(() => {});
    },
    async flush() {
      while (running || waiting.length > 0) await start();
    },
  };
}

export type DispatcherNeeds = Omit<AttemptNeeds, 'payloads' | 'slots'> &
  Pick<SubscribersNeeds, 'onDisabled'> & {
    readonly store: Pick<WebhookStore, 'webhooks' | 'saveWebhook' | 'claimDeliveries' | 'saveDeliveries'>;
    readonly timers: Timers;
    /** A random number from 0 to 1, for the jitter of retries. */
    readonly chance: () => number;
    /** The webhook serves several merchants: its health is then recorded in real time, whatever test clocks they have. */
    readonly isShared?: (webhook: Webhook) => boolean;
    /** In the test environment: the reply that a scenario dictates in place of a call; null: the webhook is called. */
    readonly scenarioReply?: (event: OutboxEvent, now: number) => Promise<ReceiverSays | null>;
  };

export interface Dispatcher {
  /** Starts due deliveries until none is left; returns their number. Long calls end after it. */
  run(scope: DispatchScope): Promise<number>;
  /** Resolves when this process has no open delivery of the merchant, or after a time limit. */
  finish(merchantId: string): Promise<void>;
  /** Reads the webhooks again. */
  refresh(): Promise<void>;
  /** Resolves when no call is open and every result is saved. */
  idle(): Promise<void>;
  /** Starts no more calls, and waits up to `graceMs` for open ones. The rest is sent again when its claim expires. */
  stop(graceMs: number): Promise<void>;
}

const CLAIM_MAX = 1_024;
/** Longer than a call, so that a delivery that waited in its queue can still be sent under the same claim. */
const CLAIM_MS = 60_000;
const ROUNDS_MAX = 1_000;
/** Longer than any call. */
const FINISH_MS = 20_000;
/** The duration that a run waits for the end of a call before it polls for due deliveries again. */
const PAUSE_MS = 100;

type DispatchState = {
  readonly needs: DispatcherNeeds & AttemptNeeds;
  readonly queues: EndpointQueues;
  readonly writer: DeliveryWriter;
  readonly subscribers: Subscribers;
  /** The merchant of each delivery in the queues, by its id. */
  readonly claimedIds: Map<string, string>;
};

/** Delivers events to webhooks, many at the same time, with a queue for each webhook. */
export function createDispatcher(needs: DispatcherNeeds): Dispatcher {
  const { store, timers } = needs;
  const state: DispatchState = {
    needs: { ...needs, payloads: createSingleFlight(needs.clock, isSharedPayload), slots: createLongSlots(longSlots) },
    queues: createEndpointQueues(),
    writer: createDeliveryWriter(store),
    subscribers: createSubscribers(needs),
    claimedIds: new Map(),
  };
  const { queues, writer, subscribers, claimedIds } = state;
  const open = new Set<Promise<void>>();
  let [ended, isStopped] = [0, false];
  const signal = createSignal(timers);

  const startCalls = (): void => {
    for (let next = queues.next(); next; next = queues.next()) {
      const { queue, claimed } = next;
      const call: Promise<void> = deliver(state, queue, claimed)
        // Health that could not be saved is recorded again with the next delivery.
        .catch(() => {})
        .then(() => {
          queues.done(queue);
          open.delete(call);
          claimedIds.delete(claimed.delivery.id);
          ended += 1;
          startCalls();
          signal.notify();
        });
      open.add(call);
    }
  };
  const endsSoon = async (): Promise<boolean> => queues.healthyOpen() > 0 && signal.wait(PAUSE_MS);
  const idle = async (): Promise<void> => {
    while (open.size > 0) await Promise.all(open);
    await writer.flush();
  };
  return {
    async run(scope) {
      let sum = 0;
      await writer.flush();
      for (let round = 0; round < ROUNDS_MAX && !isStopped; round += 1) {
        const before = ended;
        const count = await claim(state, scope);
        sum += count;
        if (!isStopped) startCalls();
        if (count === 0 && ended === before && !(await endsSoon())) break;
      }
      return sum;
    },
    finish: (merchantId) => timers.within(FINISH_MS, finished(state, open, merchantId)).catch(() => {}),
    refresh: () => subscribers.refresh(),
    idle,
    async stop(graceMs) {
      isStopped = true;
      signal.notify();
      for (const claimed of queues.drain()) release(state, claimed);
      await timers.within(graceMs, idle()).catch(() => {});
    },
  };
}

/** Wakes every waiting run. */
function createSignal({ within }: Timers) {
  const waiting = new Set<(isNotified: boolean) => void>();
  return {
    notify(): void {
      for (const wake of waiting) wake(true);
      waiting.clear();
    },
    /** Whether a notification comes in time. */
    async wait(ms: number): Promise<boolean> {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      waiting.add(resolve);
      try {
        return await within(ms, promise);
      } catch {
        return false;
      } finally {
        waiting.delete(resolve);
      }
    },
  };
}

async function finished(
  { claimedIds, writer }: DispatchState,
  open: ReadonlySet<Promise<void>>,
  merchantId: string,
): Promise<void> {
  while (open.size > 0 && [...claimedIds.values()].includes(merchantId)) await Promise.race(open);
  await writer.flush();
}

/** Claims due deliveries into the queues; returns their number. */
async function claim(state: DispatchState, { merchants, clock: own }: DispatchScope): Promise<number> {
  const { needs, queues, subscribers, claimedIds } = state;
  await subscribers.refreshIfStale();
  const [now, limit] = [own.now(), Math.min(CLAIM_MAX, queues.capacity())];
  if (limit === 0) return 0;
  const skip = [...subscribers.inactive(), ...queues.blocked(now)];
  const until = needs.clock.now() + CLAIM_MS;
  const claimed = await needs.store.claimDeliveries({
    now,
    until: now + CLAIM_MS,
    limit,
    each: FETCH_MAX,
    skip,
    merchants,
  });
  if (claimed.some(({ webhookId }) => subscribers.get(webhookId) === null)) await subscribers.refresh();
  for (const delivery of claimed) {
    const { webhookId, id } = delivery;
    // An advanced test clock releases claims early; a delivery that this process holds is not sent twice.
    if (claimedIds.has(id)) continue;
    claimedIds.set(id, delivery.event.merchantId);
    const isFailing = (subscribers.get(webhookId)?.failingSince ?? null) !== null;
    queues.add(webhookId, { delivery, clock: own, until }, isFailing);
  }
  return claimed.length;
}

/** Saves the delivery unchanged, which ends its claim. */
function release({ writer, claimedIds }: DispatchState, { delivery }: Claimed): void {
  claimedIds.delete(delivery.id);
  writer.add(delivery);
}

/** Attempts one delivery, and records its result and the health of the webhook. */
async function deliver(state: DispatchState, queue: EndpointQueue, claimed: Claimed): Promise<void> {
  const { needs, queues, writer, subscribers } = state;
  const { delivery, clock: own, until } = claimed;
  const webhook = subscribers.get(queue.webhookId);
  const isTooLate = until - needs.clock.now() < bounds.withinMs;
  if (webhook?.state !== 'active' || isTooLate) return release(state, claimed);
  const startedAt = own.now();
  if (isExpired(delivery, startedAt)) return writer.add({ ...delivery, state: 'dead', dueAt: startedAt });
  const scenarioReply = (await needs.scenarioReply?.(delivery.event, startedAt)) ?? null;
  const result = scenarioReply ? resultOfScenario(scenarioReply) : await attemptDelivery(needs, webhook, delivery.event);
  const endedAt = own.now();
  const restMs = retryAfterMs(result, needs.clock.now());
  const times = { startedAt, endedAt, restMs, chance: needs.chance() };
  writer.add(
    isDelivered(result.status)
      ? handleSuccessfulDispatch(delivery, result, times)
      : handleFailedDispatch(delivery, result, times),
  );
  // A scenario's reply says nothing about the health of the webhook, except a permanent 410.
  if (result.isInternal || (scenarioReply && !isGone(result.status))) return;
  const now = needs.isShared?.(webhook) === true ? needs.clock.now() : endedAt;
  if (isDelivered(result.status)) queues.recordSuccess(queue, now);
  else queues.recordFailure(queue, now, Math.min(restMs, REST_MS_MAX));
  await subscribers.recordHealth(queue, result.status, now);
}

/** The result of an attempt that a scenario answered. */
function resultOfScenario({ status, retryAfter, isLate }: ReceiverSays): AttemptResult {
  const what = status === null ? (isLate ? 'no answer in time' : 'connection refused') : `answered ${status}`;
  return {
    status,
    retryAfter,
    ms: isLate ? bounds.withinMs : 0,
    why: `${what} (by a scenario)`,
    isInternal: false,
    isObsolete: false,
  };
}
