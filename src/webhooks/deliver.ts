import type { Whose } from '../merchants/whose.ts';
import type { Timers } from '../payments/needs.ts';
import { type Attempted, type AttemptNeeds, attempt, bounds } from './attempt.ts';
import { createKnown, type Known, type KnownNeeds } from './known.ts';
import { type Claimed, createLanes, FETCH_MAX, type Lane, type Lanes } from './lanes.ts';
import type { WebhookStore } from './needs.ts';
import { askedRestMs, isDelivered, isOutlived, nextTryAt } from './retry.ts';
import { createSettler, type Settler } from './settler.ts';
import type { Delivery, Try } from './webhook.ts';

export type DeliverNeeds = AttemptNeeds &
  Pick<KnownNeeds, 'notice'> & {
    readonly store: Pick<WebhookStore, 'webhooks' | 'saveWebhook' | 'claimDeliveries' | 'settle'>;
    readonly timers: Timers;
    /** A number from 0 to 1, by chance. */
    readonly chance: () => number;
  };

/** Whose news are delivered, by which clock. */
export type Turn = { readonly whose: Whose; readonly clock: { now(): number } };

export interface Deliverer {
  /** Delivers what is due, goes on while there is more, and leaves calls that take long behind: they end by themselves. */
  run(turn: Turn): Promise<void>;
  /** Resolves when no call is open and everything is written down. */
  idle(): Promise<void>;
  /** Begins nothing more; waits for open calls as long as it is told. What stays open is sent again when its claim is over. */
  stop(graceMs: number): Promise<void>;
}

const CLAIM_MAX = 1_024;
/** Longer than a call, so that one that waited in its lane can still be made under the same claim. */
const CLAIM_MS = 60_000;
const ROUNDS_MAX = 1_000;
/** How long the end of a call is waited for before somebody else may have become due. */
const PAUSE_MS = 100;
/** However long a receiver asks us to wait: other news than that to which it said so are tried after this. */
const REST_MS_MAX = 3_600_000;

type Hall = {
  readonly needs: DeliverNeeds;
  readonly lanes: Lanes;
  readonly settler: Settler;
  readonly known: Known;
  /** The deliveries in the lanes. */
  readonly held: Set<string>;
};

/** Delivers news to webhooks, many at once, each webhook in its own lane. */
export function createDeliverer(needs: DeliverNeeds): Deliverer {
  const { store, timers } = needs;
  const hall: Hall = { needs, lanes: createLanes(), settler: createSettler(store), known: createKnown(needs), held: new Set() };
  const { lanes, settler, held } = hall;
  const open = new Set<Promise<void>>();
  let [ended, isStopped] = [0, false];
  let wake = (): void => {};

  const pump = (): void => {
    for (let place = lanes.next(); place; place = lanes.next()) {
      const { lane, claimed } = place;
      const call: Promise<void> = tell(hall, lane, claimed)
        // What could not be written of a webhook's health is felt again with the next delivery.
        .catch(() => {})
        .then(() => {
          lanes.done(lane);
          open.delete(call);
          held.delete(claimed.delivery.id);
          ended += 1;
          pump();
          wake();
        });
      open.add(call);
    }
  };
  /** Whether a call ended soon. */
  const isMoving = async (): Promise<boolean> => {
    if (lanes.lively() === 0) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    wake = () => resolve(true);
    return timers.within(PAUSE_MS, promise).catch(() => false);
  };
  const idle = async (): Promise<void> => {
    while (open.size > 0) await Promise.all(open);
    await settler.flush();
  };
  return {
    async run(turn) {
      await settler.flush();
      for (let round = 0; round < ROUNDS_MAX && !isStopped; round += 1) {
        const before = ended;
        const count = await claim(hall, turn);
        if (!isStopped) pump();
        if (count === 0 && ended === before && !(await isMoving())) return;
      }
    },
    idle,
    async stop(graceMs) {
      isStopped = true;
      wake();
      for (const claimed of lanes.drain()) giveBack(hall, claimed);
      await timers.within(graceMs, idle()).catch(() => {});
    },
  };
}

/** Fetches what is due into the lanes; answers how many there were. */
async function claim({ needs, lanes, known, held }: Hall, { whose, clock: own }: Turn): Promise<number> {
  await known.readWhenOld();
  const [now, limit] = [own.now(), Math.min(CLAIM_MAX, lanes.room())];
  if (limit === 0) return 0;
  const skip = [...known.silent(), ...lanes.full(now)];
  const until = needs.clock.now() + CLAIM_MS;
  const asked = { now, until: now + CLAIM_MS, limit, each: FETCH_MAX, skip, whose };
  const claimed = await needs.store.claimDeliveries(asked);
  if (claimed.some(({ webhookId }) => known.get(webhookId) === null)) await known.read();
  for (const delivery of claimed) {
    const { webhookId, id } = delivery;
    // A clock that was moved ends claims early; what is on its way from here does not go a second time.
    if (held.has(id)) continue;
    held.add(id);
    lanes.add(webhookId, { delivery, clock: own, until }, (known.get(webhookId)?.failingSince ?? null) !== null);
  }
  return claimed.length;
}

/** As it was: somebody else may take it. */
function giveBack({ settler, held }: Hall, { delivery }: Claimed): void {
  held.delete(delivery.id);
  settler.add(delivery);
}

async function tell(hall: Hall, lane: Lane, claimed: Claimed): Promise<void> {
  const { needs, lanes, settler, known } = hall;
  const { delivery, clock: own, until } = claimed;
  const webhook = known.get(lane.webhookId);
  const isTooLate = until - needs.clock.now() < bounds.withinMs;
  if (webhook?.state !== 'active' || isTooLate) return giveBack(hall, claimed);
  const began = own.now();
  if (isOutlived(delivery, began)) return settler.add({ ...delivery, state: 'dead', dueAt: began });
  const attempted = await attempt(needs, webhook, delivery.news);
  const ended = own.now();
  const restMs = askedRestMs(attempted, needs.clock.now());
  settler.add(settledAs(delivery, attempted, { began, ended, restMs, chance: needs.chance() }));
  if (attempted.isOurs) return;
  if (isDelivered(attempted.status)) lanes.good(lane, ended);
  else lanes.bad(lane, ended, Math.min(restMs, REST_MS_MAX));
  await known.feel(lane, attempted.status, ended);
}

type Ended = { readonly began: number; readonly ended: number; readonly restMs: number; readonly chance: number };

/** The delivery after a try: delivered, due again or given up. */
function settledAs(delivery: Delivery, attempted: Attempted, { began, ended, restMs, chance }: Ended): Delivery {
  const { status, ms, why, isVoid } = attempted;
  const tries: readonly Try[] = [...delivery.tries, { at: began, status, ms, why }];
  if (isDelivered(status)) return { ...delivery, state: 'delivered', dueAt: ended, tries };
  const firstAt = tries[0]?.at ?? began;
  const dueAt = isVoid ? null : nextTryAt({ failures: tries.length, firstAt, now: ended, chance, restMs });
  return dueAt === null ? { ...delivery, state: 'dead', dueAt: ended, tries } : { ...delivery, state: 'due', dueAt, tries };
}
