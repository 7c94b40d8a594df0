import type { MerchantFilter } from '../merchants/merchantFilter.ts';
import type { Timers } from '../payments/ports.ts';
import type { ReceiverSays } from '../spec/scenarios/receiver.ts';
import type { Clock } from '../spec/time.ts';
import { type AttemptNeeds, type AttemptResult, attempt, bounds } from './attempt.ts';
import {
  type Claimed,
  createEndpointQueues,
  type EndpointQueue,
  type EndpointQueues,
  FETCH_MAX,
  REST_MS_MAX,
} from './endpointQueue.ts';
import type { WebhookStore } from './ports.ts';
import { isDelivered, isExpired, isGone, nextAttemptAt, retryAfterMs } from './retry.ts';
import { createSubscribers, type Subscribers, type SubscribersNeeds } from './subscribers.ts';
import type { Delivery, DeliveryAttempt, OutboxEvent, Webhook } from './webhook.ts';

const AT_ONCE = 500;

/** Writes down what became of deliveries: all that end while the store is busy go into its next commit. */
interface DeliveryWriter {
  add(delivery: Delivery): void;
  /** Resolves when everything is written that was added so far; rejects when the store is out of order, and keeps what it has. */
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
      // Whoever flushes is told of the error; claims end by themselves, at worst something is sent twice.
      start().catch(() => {});
    },
    async flush() {
      while (running || waiting.length > 0) await start();
    },
  };
}

export type DispatcherNeeds = AttemptNeeds &
  Pick<SubscribersNeeds, 'onDisabled'> & {
    readonly store: Pick<WebhookStore, 'webhooks' | 'saveWebhook' | 'claimDeliveries' | 'saveDeliveries'>;
    readonly timers: Timers;
    /** A number from 0 to 1, by chance. */
    readonly chance: () => number;
    /** Several merchants are told of by it: how it fares is then felt in real time, whatever clock one of them has. */
    readonly isShared?: (webhook: Webhook) => boolean;
    /** In the test environment: what a webhook is made to say to these news at this instant instead of being called; null: it is called. */
    readonly scenarioReply?: (news: OutboxEvent, now: number) => Promise<ReceiverSays | null>;
  };

/** Whose news are delivered, by which clock. */
export type DispatchScope = { readonly merchants: MerchantFilter; readonly clock: Clock };

export interface Dispatcher {
  /** Delivers what is due while there is more, and leaves calls that take long behind: they end by themselves. Answers how many. */
  run(turn: DispatchScope): Promise<number>;
  /** Resolves when nothing of a merchant is on its way from here, or when it has taken too long. */
  finish(merchantId: string): Promise<void>;
  /** Reads the webhooks again: somebody may have changed one just now. */
  refresh(): Promise<void>;
  /** Resolves when no call is open and everything is written down. */
  idle(): Promise<void>;
  /** Begins nothing more; waits for open calls as long as it is told. What stays open is sent again when its claim is over. */
  stop(graceMs: number): Promise<void>;
}

const CLAIM_MAX = 1_024;
/** Longer than a call, so that one that waited in its lane can still be made under the same claim. */
const CLAIM_MS = 60_000;
const ROUNDS_MAX = 1_000;
/** A call ends sooner. */
const FINISH_MS = 20_000;
/** How long the end of a call is waited for before somebody else may have become due. */
const PAUSE_MS = 100;

type DispatchState = {
  readonly needs: DispatcherNeeds;
  readonly lanes: EndpointQueues;
  readonly settler: DeliveryWriter;
  readonly known: Subscribers;
  /** The deliveries in the lanes, with the merchants they are of. */
  readonly held: Map<string, string>;
};

/** Delivers news to webhooks, many at once, each webhook in its own lane. */
export function createDispatcher(needs: DispatcherNeeds): Dispatcher {
  const { store, timers } = needs;
  const dispatcher: DispatchState = {
    needs,
    lanes: createEndpointQueues(),
    settler: createDeliveryWriter(store),
    known: createSubscribers(needs),
    held: new Map(),
  };
  const { lanes, settler, known, held } = dispatcher;
  const open = new Set<Promise<void>>();
  let [ended, isStopped] = [0, false];
  const signal = createSignal(timers);

  const pump = (): void => {
    for (let place = lanes.next(); place; place = lanes.next()) {
      const { lane, claimed } = place;
      const call: Promise<void> = tell(dispatcher, lane, claimed)
        // What could not be written of a webhook's health is felt again with the next delivery.
        .catch(() => {})
        .then(() => {
          lanes.done(lane);
          open.delete(call);
          held.delete(claimed.delivery.id);
          ended += 1;
          pump();
          signal.ring();
        });
      open.add(call);
    }
  };
  /** Whether a call ended soon. */
  const isMoving = async (): Promise<boolean> => lanes.healthyOpen() > 0 && signal.rings(PAUSE_MS);
  const idle = async (): Promise<void> => {
    while (open.size > 0) await Promise.all(open);
    await settler.flush();
  };
  return {
    async run(turn) {
      let sum = 0;
      await settler.flush();
      for (let round = 0; round < ROUNDS_MAX && !isStopped; round += 1) {
        const before = ended;
        const count = await claim(dispatcher, turn);
        sum += count;
        if (!isStopped) pump();
        if (count === 0 && ended === before && !(await isMoving())) break;
      }
      return sum;
    },
    finish: (merchantId) => timers.within(FINISH_MS, finished(dispatcher, open, merchantId)).catch(() => {}),
    refresh: () => known.refresh(),
    idle,
    async stop(graceMs) {
      isStopped = true;
      signal.ring();
      for (const claimed of lanes.drain()) giveBack(dispatcher, claimed);
      await timers.within(graceMs, idle()).catch(() => {});
    },
  };
}

/** Tells everybody who waits that something has happened; several runs may wait at once. */
function createSignal({ within }: Timers) {
  const waiting = new Set<(isRung: boolean) => void>();
  return {
    ring(): void {
      for (const wake of waiting) wake(true);
      waiting.clear();
    },
    /** Whether it rings in time. */
    async rings(ms: number): Promise<boolean> {
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

async function finished({ held, settler }: DispatchState, open: ReadonlySet<Promise<void>>, merchantId: string): Promise<void> {
  while (open.size > 0 && [...held.values()].includes(merchantId)) await Promise.race(open);
  await settler.flush();
}

/** Fetches what is due into the lanes; answers how many there were. */
async function claim({ needs, lanes, known, held }: DispatchState, { merchants, clock: own }: DispatchScope): Promise<number> {
  await known.refreshIfStale();
  const [now, limit] = [own.now(), Math.min(CLAIM_MAX, lanes.capacity())];
  if (limit === 0) return 0;
  const skip = [...known.inactive(), ...lanes.blocked(now)];
  const until = needs.clock.now() + CLAIM_MS;
  const asked = { now, until: now + CLAIM_MS, limit, each: FETCH_MAX, skip, merchants };
  const claimed = await needs.store.claimDeliveries(asked);
  if (claimed.some(({ webhookId }) => known.get(webhookId) === null)) await known.refresh();
  for (const delivery of claimed) {
    const { webhookId, id } = delivery;
    // A clock that was moved ends claims early; what is on its way from here does not go a second time.
    if (held.has(id)) continue;
    held.set(id, delivery.event.merchantId);
    lanes.add(webhookId, { delivery, clock: own, until }, (known.get(webhookId)?.failingSince ?? null) !== null);
  }
  return claimed.length;
}

/** As it was: somebody else may take it. */
function giveBack({ settler, held }: DispatchState, { delivery }: Claimed): void {
  held.delete(delivery.id);
  settler.add(delivery);
}

async function tell(dispatcher: DispatchState, lane: EndpointQueue, claimed: Claimed): Promise<void> {
  const { needs, lanes, settler, known } = dispatcher;
  const { delivery, clock: own, until } = claimed;
  const webhook = known.get(lane.webhookId);
  const isTooLate = until - needs.clock.now() < bounds.withinMs;
  if (webhook?.state !== 'active' || isTooLate) return giveBack(dispatcher, claimed);
  const began = own.now();
  if (isExpired(delivery, began)) return settler.add({ ...delivery, state: 'dead', dueAt: began });
  const played = (await needs.scenarioReply?.(delivery.event, began)) ?? null;
  const attempted = played ? spoken(played) : await attempt(needs, webhook, delivery.event);
  const ended = own.now();
  const restMs = retryAfterMs(attempted, needs.clock.now());
  settler.add(settledAs(delivery, attempted, { began, ended, restMs, chance: needs.chance() }));
  // What a webhook was made to say is nothing it did itself, unless it is to be gone for good.
  if (attempted.isInternal || (played && !isGone(attempted.status))) return;
  const feltAt = needs.isShared?.(webhook) === true ? needs.clock.now() : ended;
  if (isDelivered(attempted.status)) lanes.recordSuccess(lane, feltAt);
  else lanes.recordFailure(lane, feltAt, Math.min(restMs, REST_MS_MAX));
  await known.recordHealth(lane, attempted.status, feltAt);
}

/** What a webhook was made to say, as if it had been called. */
function spoken({ status, retryAfter, isLate }: ReceiverSays): AttemptResult {
  const what = status === null ? (isLate ? 'no answer in time' : 'nobody is there') : `answered ${status}`;
  return {
    status,
    retryAfter,
    ms: isLate ? bounds.withinMs : 0,
    why: `${what} (by a scenario)`,
    isInternal: false,
    isObsolete: false,
  };
}

type Ended = { readonly began: number; readonly ended: number; readonly restMs: number; readonly chance: number };

/** The delivery after a try: delivered, due again or given up. */
function settledAs(delivery: Delivery, attempted: AttemptResult, { began, ended, restMs, chance }: Ended): Delivery {
  const { status, ms, why, isObsolete: isVoid } = attempted;
  const tries: readonly DeliveryAttempt[] = [...delivery.tries, { at: began, status, ms, why }];
  if (isDelivered(status)) return { ...delivery, state: 'delivered', dueAt: ended, tries };
  const firstAt = tries[0]?.at ?? began;
  const dueAt = isVoid ? null : nextAttemptAt({ failures: tries.length, firstAt, now: ended, chance, restMs });
  return dueAt === null ? { ...delivery, state: 'dead', dueAt: ended, tries } : { ...delivery, state: 'due', dueAt, tries };
}
