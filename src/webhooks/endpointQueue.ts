import { type Clock, HOUR_MS } from '../spec/time.ts';
import type { Delivery } from './webhook.ts';

/** Open calls in all, of those that fail, and to one webhook that is well. */
export const OPEN_MAX = 512;
export const FAILING_OPEN_MAX = 64;
export const QUEUE_OPEN_MAX = 16;
/** So many are fetched at once for a webhook, as soon as half of it is sent: fetching is a commit, and nobody waits for it so. */
export const FETCH_MAX = 32;
/** Fetched in all. Webhooks that hang hold what was fetched for them until their first failure: they must not fill it. */
const HELD_MAX = 16_384;
/** However long a receiver asks us to wait: other news than that to which it said so are tried after this. */
export const REST_MS_MAX = HOUR_MS;

/** A delivery that this node has claimed. */
export type Claimed = {
  readonly delivery: Delivery;
  /** The clock of the merchant it belongs to. */
  readonly clock: Clock;
  /** When its claim ends, by this node's own clock. */
  readonly until: number;
};

/** What this process knows of one webhook. */
export type EndpointQueue = {
  readonly webhookId: string;
  readonly waiting: Claimed[];
  open: number;
  /** How many calls may be open. It grows with every success, and a failure begins it anew. */
  width: number;
  /** The receiver asked us to wait until then. */
  restUntil: number;
  lastGoodAt: number | null;
  /** The first failure since the last success; null when there was none. */
  failingSince: number | null;
};

/** Every webhook has a lane of its own. */
export interface EndpointQueues {
  /** Webhooks for which nothing more is to be fetched now. */
  blocked(now: number): readonly string[];
  add(webhookId: string, claimed: Claimed, isFailing: boolean): void;
  /** The next one that may be sent, counted as open; null when none may. */
  next(): { readonly lane: EndpointQueue; readonly claimed: Claimed } | null;
  /** Everything that waits; the lanes are empty then. */
  drain(): readonly Claimed[];
  /** A call has ended. */
  done(lane: EndpointQueue): void;
  recordSuccess(lane: EndpointQueue, now: number): void;
  recordFailure(lane: EndpointQueue, now: number, restMs: number): void;
  /** How many more may be fetched. */
  capacity(): number;
  /** Calls that are open to webhooks that are well. */
  healthyOpen(): number;
}

/**
 * Who is sent to, and how much at once. A receiver that hangs keeps what it has and gets no more: a webhook begins with one open call and
 * earns more by answering, those that fail have few places together, and when places are getting scarce everybody has one.
 */
export function createEndpointQueues(): EndpointQueues {
  const lanes = new Map<string, EndpointQueue>();
  const waiting = new Set<EndpointQueue>();
  const tally: Tally = { open: 0, failingOpen: 0, queued: 0 };
  return {
    blocked: (now) => [...lanes.values()].filter((lane) => isFull(lane, tally, now)).map(({ webhookId }) => webhookId),
    add(webhookId, claimed, isFailing) {
      const lane = lanes.get(webhookId) ?? newLane(webhookId);
      lanes.set(webhookId, lane);
      if (isFailing && lane.failingSince === null) setFailing(lane, tally, claimed.clock.now());
      lane.waiting.push(claimed);
      tally.queued += 1;
      waiting.add(lane);
    },
    next() {
      for (const lane of waiting) {
        if (!mayOpen(lane, tally)) continue;
        const claimed = lane.waiting.shift();
        // Whoever was served goes to the end.
        waiting.delete(lane);
        if (lane.waiting.length > 0) waiting.add(lane);
        if (!claimed) continue;
        tally.queued -= 1;
        count(lane, tally, 1);
        return { lane, claimed };
      }
      return null;
    },
    drain() {
      const drained = [...waiting].flatMap(({ waiting: queue }) => queue.splice(0));
      waiting.clear();
      tally.queued = 0;
      return drained;
    },
    done: (lane) => count(lane, tally, -1),
    recordSuccess(lane, now) {
      setFailing(lane, tally, null);
      lane.lastGoodAt = now;
      lane.width = Math.min(QUEUE_OPEN_MAX, lane.width * 2);
    },
    recordFailure(lane, now, restMs) {
      setFailing(lane, tally, lane.failingSince ?? now);
      lane.width = 1;
      // Where no rest was asked for, a clock that is put back afterwards must not make one of this instant.
      const restUntil = restMs > 0 ? now + restMs : 0;
      lane.restUntil = Math.max(lane.restUntil - now > REST_MS_MAX ? 0 : lane.restUntil, restUntil);
    },
    capacity: () => Math.max(0, HELD_MAX - tally.open - tally.queued),
    healthyOpen: () => tally.open - tally.failingOpen,
  };
}

type Tally = { open: number; failingOpen: number; queued: number };

/** How many calls may be open to it as things are. */
function widthOf({ width, failingSince }: EndpointQueue, { open }: Tally): number {
  if (failingSince !== null) return 1;
  const free = OPEN_MAX - open;
  return free > OPEN_MAX / 2 ? width : free > OPEN_MAX / 4 ? Math.min(width, 4) : 1;
}

const mayOpen = (lane: EndpointQueue, tally: Tally): boolean =>
  lane.open < widthOf(lane, tally) &&
  tally.open < OPEN_MAX &&
  (lane.failingSince === null || tally.failingOpen < FAILING_OPEN_MAX);

function isFull(lane: EndpointQueue, tally: Tally, now: number): boolean {
  // A rest that is longer than any was told by a clock that has been put back since.
  if (lane.restUntil > now && lane.restUntil - now <= REST_MS_MAX) return true;
  const held = lane.open + lane.waiting.length;
  if (lane.failingSince !== null) return held > 0 || tally.failingOpen >= FAILING_OPEN_MAX;
  return held >= Math.min(2 * widthOf(lane, tally), FETCH_MAX / 2);
}

function count(lane: EndpointQueue, tally: Tally, by: 1 | -1): void {
  tally.open += by;
  lane.open += by;
  if (lane.failingSince !== null) tally.failingOpen += by;
}

/** The calls that are open to it count where it belongs. */
function setFailing(lane: EndpointQueue, tally: Tally, since: number | null): void {
  if (since !== null && lane.failingSince === null) tally.failingOpen += lane.open;
  if (since === null && lane.failingSince !== null) tally.failingOpen -= lane.open;
  lane.failingSince = since;
}

const newLane = (webhookId: string): EndpointQueue => ({
  webhookId,
  waiting: [],
  open: 0,
  width: 1,
  restUntil: 0,
  lastGoodAt: null,
  failingSince: null,
});
