import type { Clock } from '../spec/time.ts';
import type { EndpointQueue } from './endpointQueue.ts';
import { applyAttempt } from './health.ts';
import type { WebhookStore } from './ports.ts';
import { updateWebhook } from './updateWebhook.ts';
import type { Webhook } from './webhook.ts';

export type SubscribersNeeds = {
  readonly store: Pick<WebhookStore, 'webhooks' | 'saveWebhook'>;
  readonly clock: Clock;
  /** Tells its owner, or whoever looks after the gateway, that a webhook was paused or switched off. */
  readonly onDisabled: (webhook: Webhook, message: string) => void;
};

/** The webhooks as this process knows them, and what it learns about their health. */
export interface Subscribers {
  get(id: string): Webhook | null;
  /** Those to which nothing is sent. */
  inactive(): readonly string[];
  refresh(): Promise<void>;
  refreshIfStale(): Promise<void>;
  /** A try has ended so; what follows from it is stored. */
  recordHealth(lane: EndpointQueue, status: number | null, now: number): Promise<void>;
}

/** Webhooks are read again after so long. */
const FRESH_MS = 1_000;
/** A failure soon after a success is a hiccup, and not written down at every turn. */
const HICCUP_MS = 60_000;

export function createSubscribers({ store, clock, onDisabled: notice }: SubscribersNeeds): Subscribers {
  const known = new Map<string, Webhook>();
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async (): Promise<void> => {
    const [at, webhooks] = [clock.now(), await store.webhooks()];
    known.clear();
    for (const webhook of webhooks) known.set(webhook.id, webhook);
    readAt = at;
  };
  return {
    get: (id) => known.get(id) ?? null,
    inactive: () => [...known.values()].flatMap(({ id, state }) => (state === 'active' ? [] : [id])),
    refresh: read,
    async refreshIfStale() {
      // A clock that was put back does not make old what is new, nor new what is old.
      if (Math.abs(clock.now() - readAt) >= FRESH_MS) await read();
    },
    async recordHealth(lane, status, now) {
      const webhook = known.get(lane.webhookId);
      if (!webhook) return;
      const felt = { status, now, failingSince: failingSince(lane, webhook, now) };
      let next = applyAttempt(webhook, felt);
      if (next === webhook) return;
      // At once, so that calls which end in the same moment do not write the same again.
      known.set(webhook.id, { ...next, revision: webhook.revision + 1 });
      const kept = await updateWebhook(store, webhook, (current) => {
        next = applyAttempt(current, felt);
        return next;
      });
      if (!kept) return;
      known.set(kept.id, kept);
      // Not when another node was faster.
      if (kept.state !== 'active' && next.changedAt === now) notice(kept, kept.why ?? kept.state);
    },
  };
}

/** Since when it fails, as this process has seen it. What was before somebody set it right does not count any more. */
function failingSince({ lastGoodAt, failingSince: since }: EndpointQueue, { changedAt }: Webhook, now: number): number | null {
  const isHiccup = lastGoodAt !== null && Math.abs(now - lastGoodAt) < HICCUP_MS;
  return isHiccup || since === null ? null : Math.max(since, changedAt);
}
