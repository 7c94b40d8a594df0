import { type Clock, HOUR_MS } from '../spec/time.ts';
import type { Delivery } from './webhook.ts';

/** Limits of open calls: in all, to failing webhooks, and to one healthy webhook. */
export const OPEN_MAX = 512;
export const FAILING_OPEN_MAX = 64;
export const QUEUE_OPEN_MAX = 16;
/** The size of a claim for a webhook, made as soon as half of the last one is sent: a claim is a commit, and so no call waits for it. */
export const FETCH_MAX = 32;
/** Claimed deliveries in all. A hanging webhook holds its deliveries until its first failure: such webhooks must not fill this limit. */
const CLAIMED_MAX = 16_384;
/** The longest pause of a webhook after `Retry-After`. Other deliveries than the one so answered are attempted after it. */
export const REST_MS_MAX = HOUR_MS;

/** A delivery that this node has claimed. */
export type Claimed = {
  readonly delivery: Delivery;
  /** The clock of the merchant it belongs to. */
  readonly clock: Clock;
  /** The end of the claim, by the clock of this node. */
  readonly until: number;
};

/** The claimed deliveries of one webhook, and its health as this process sees it. */
export type EndpointQueue = {
  readonly webhookId: string;
  readonly waiting: Claimed[];
  open: number;
  /** The number of calls that may be open. It doubles with every success; a failure resets it. */
  width: number;
  /** The end of a pause that the receiver asked for. */
  restUntil: number;
  lastGoodAt: number | null;
  /** The first failure since the last success; null when there was none. */
  failingSince: number | null;
};

/** One queue for each webhook. */
export interface EndpointQueues {
  /** Webhooks for which no more deliveries are to be claimed now. */
  blocked(now: number): readonly string[];
  add(webhookId: string, claimed: Claimed, isFailing: boolean): void;
  /** The next delivery that may be sent, counted as open; null when none may. */
  next(): { readonly queue: EndpointQueue; readonly claimed: Claimed } | null;
  /** Empties the queues and returns their deliveries. */
  drain(): readonly Claimed[];
  /** Ends an open call. */
  done(queue: EndpointQueue): void;
  recordSuccess(queue: EndpointQueue, now: number): void;
  recordFailure(queue: EndpointQueue, now: number, restMs: number): void;
  /** The number of deliveries that may still be claimed. */
  capacity(): number;
  /** The number of open calls to healthy webhooks. */
  healthyOpen(): number;
}

/**
 * Decides which webhook is called next, and with how many concurrent calls. A webhook starts with one open call and earns more by replying.
 * Failing webhooks share a few calls, and when calls get scarce every webhook has one. So a receiver that hangs keeps what it has and
 * gets no more.
 */
export function createEndpointQueues(): EndpointQueues {
  const queues = new Map<string, EndpointQueue>();
  const waiting = new Set<EndpointQueue>();
  const tally: Tally = { open: 0, failingOpen: 0, queued: 0 };
  return {
    blocked: (now) => [...queues.values()].filter((queue) => isFull(queue, tally, now)).map(({ webhookId }) => webhookId),
    add(webhookId, claimed, isFailing) {
      const queue = queues.get(webhookId) ?? newQueue(webhookId);
      queues.set(webhookId, queue);
      if (isFailing && queue.failingSince === null) setFailing(queue, tally, claimed.clock.now());
      queue.waiting.push(claimed);
      tally.queued += 1;
      waiting.add(queue);
    },
    next() {
      for (const queue of waiting) {
        if (!mayOpen(queue, tally)) continue;
        const claimed = queue.waiting.shift();
        // A queue that was served goes to the end.
        waiting.delete(queue);
        if (queue.waiting.length > 0) waiting.add(queue);
        if (!claimed) continue;
        tally.queued -= 1;
        count(queue, tally, 1);
        return { queue, claimed };
      }
      return null;
    },
    drain() {
      const drained = [...waiting].flatMap(({ waiting: queue }) => queue.splice(0));
      waiting.clear();
      tally.queued = 0;
      return drained;
    },
    done: (queue) => count(queue, tally, -1),
    recordSuccess(queue, now) {
      setFailing(queue, tally, null);
      queue.lastGoodAt = now;
      queue.width = Math.min(QUEUE_OPEN_MAX, queue.width * 2);
    },
    recordFailure(queue, now, restMs) {
      setFailing(queue, tally, queue.failingSince ?? now);
      queue.width = 1;
      // Without a requested pause the instant is 0: a clock that is set back later must not turn it into a pause.
      const restUntil = restMs > 0 ? now + restMs : 0;
      queue.restUntil = Math.max(queue.restUntil - now > REST_MS_MAX ? 0 : queue.restUntil, restUntil);
    },
    capacity: () => Math.max(0, CLAIMED_MAX - tally.open - tally.queued),
    healthyOpen: () => tally.open - tally.failingOpen,
  };
}

type Tally = { open: number; failingOpen: number; queued: number };

/** The number of calls that may be open to the webhook at the present load. */
function widthOf({ width, failingSince }: EndpointQueue, { open }: Tally): number {
  if (failingSince !== null) return 1;
  const free = OPEN_MAX - open;
  return free > OPEN_MAX / 2 ? width : free > OPEN_MAX / 4 ? Math.min(width, 4) : 1;
}

const mayOpen = (queue: EndpointQueue, tally: Tally): boolean =>
  queue.open < widthOf(queue, tally) &&
  tally.open < OPEN_MAX &&
  (queue.failingSince === null || tally.failingOpen < FAILING_OPEN_MAX);

function isFull(queue: EndpointQueue, tally: Tally, now: number): boolean {
  // A longer pause than the limit comes from a clock that was set back since.
  if (queue.restUntil > now && queue.restUntil - now <= REST_MS_MAX) return true;
  const held = queue.open + queue.waiting.length;
  if (queue.failingSince !== null) return held > 0 || tally.failingOpen >= FAILING_OPEN_MAX;
  return held >= Math.min(2 * widthOf(queue, tally), FETCH_MAX / 2);
}

function count(queue: EndpointQueue, tally: Tally, by: 1 | -1): void {
  tally.open += by;
  queue.open += by;
  if (queue.failingSince !== null) tally.failingOpen += by;
}

/** Moves the open calls of the webhook between the counts of healthy and failing webhooks. */
function setFailing(queue: EndpointQueue, tally: Tally, since: number | null): void {
  if (since !== null && queue.failingSince === null) tally.failingOpen += queue.open;
  if (since === null && queue.failingSince !== null) tally.failingOpen -= queue.open;
  queue.failingSince = since;
}

const newQueue = (webhookId: string): EndpointQueue => ({
  webhookId,
  waiting: [],
  open: 0,
  width: 1,
  restUntil: 0,
  lastGoodAt: null,
  failingSince: null,
});
