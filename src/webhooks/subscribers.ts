import type { Clock } from '../spec/time.ts';
import type { EndpointQueue } from './endpointQueue.ts';
import type { WebhookStore } from './ports.ts';
import type { Webhook } from './webhook.ts';
import { healthAfter, updateWebhook } from './webhookState.ts';

export type SubscribersNeeds = {
  readonly store: Pick<WebhookStore, 'webhooks' | 'saveWebhook'>;
  readonly clock: Clock;
  /** Called when this process has paused or disabled a webhook. */
  readonly onDisabled: (webhook: Webhook, message: string) => void;
};

/** The webhooks in memory, and their health as this process records it. */
export interface Subscribers {
  get(id: string): Webhook | null;
  /** The webhooks that are not active. */
  inactive(): readonly string[];
  refresh(): Promise<void>;
  refreshIfStale(): Promise<void>;
  /** Applies the result of an attempt to the webhook and saves the change. */
  recordHealth(queue: EndpointQueue, status: number | null, now: number): Promise<void>;
}

/** Webhooks are read again after this time. */
const FRESH_MS = 1_000;
/** A failure soon after a success does not count as failing, so that it is not saved each time. */
const HICCUP_MS = 60_000;

export function createSubscribers({ store, clock, onDisabled }: SubscribersNeeds): Subscribers {
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
      // The difference counts in both directions, so that a clock that is set back causes one refresh.
      if (Math.abs(clock.now() - readAt) >= FRESH_MS) await read();
    },
    async recordHealth(queue, status, now) {
      const webhook = known.get(queue.webhookId);
      if (!webhook) return;
      const attempt = { status, now, failingSince: failingSince(queue, webhook, now) };
      let next = healthAfter(webhook, attempt);
      if (next === webhook) return;
      // Before the save, so that calls that end at the same moment do not save the same change.
      known.set(webhook.id, { ...next, revision: webhook.revision + 1 });
      const saved = await updateWebhook(store, webhook, (current) => {
        next = healthAfter(current, attempt);
        return next;
      });
      if (!saved) return;
      known.set(saved.id, saved);
      // Only the node that made the change reports it.
      if (saved.state !== 'active' && next.changedAt === now) onDisabled(saved, saved.why ?? saved.state);
    },
  };
}

/** Since when the webhook fails, as this process sees it. Failures before its last change do not count. */
function failingSince({ lastGoodAt, failingSince: since }: EndpointQueue, { changedAt }: Webhook, now: number): number | null {
  const isHiccup = lastGoodAt !== null && Math.abs(now - lastGoodAt) < HICCUP_MS;
  return isHiccup || since === null ? null : Math.max(since, changedAt);
}
