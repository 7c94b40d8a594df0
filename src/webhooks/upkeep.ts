import { HOUR_MS } from '../spec/time.ts';
import type { DispatchScope } from './dispatch.ts';
import type { WebhookStore } from './ports.ts';
import { isExpired } from './retry.ts';
import type { Webhook } from './webhook.ts';

const AT_ONCE = 500;
const CLAIM_MS = 60_000;
const ROUNDS_MAX = 20;

/** Gives up what has waited too long for webhooks that are paused or off; answers how many. */
export async function abandonOverdue(
  store: Pick<WebhookStore, 'webhooks' | 'claimDeliveries' | 'saveDeliveries'>,
  { merchants, clock }: DispatchScope,
): Promise<number> {
  const skip = (await store.webhooks()).flatMap(({ id, state }) => (state === 'active' ? [id] : []));
  let count = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const now = clock.now();
    const asked = { now, until: now + CLAIM_MS, limit: AT_ONCE, each: AT_ONCE, skip, merchants };
    const waiting = await store.claimDeliveries(asked);
    const outlived = waiting.filter((delivery) => isExpired(delivery, now));
    await store.saveDeliveries(
      waiting.map((delivery) => (outlived.includes(delivery) ? { ...delivery, state: 'dead', dueAt: now } : delivery)),
    );
    count += outlived.length;
    // The longest overdue come first.
    if (waiting.length < AT_ONCE || outlived.length === 0) return count;
  }
  return count;
}

/** What is said every day of webhooks that do not work, as sentences. */
export const reminders = (webhooks: readonly Webhook[], now: number): readonly { webhook: Webhook; message: string }[] =>
  webhooks.flatMap((webhook) => {
    if (webhook.state === 'paused') return [{ webhook, message: `it is paused: ${webhook.why ?? 'it failed too long'}` }];
    if (webhook.state !== 'active' || webhook.failingSince === null) return [];
    const hours = Math.floor((now - webhook.failingSince) / HOUR_MS);
    return [{ webhook, message: `nothing has been delivered for ${hours} hours` }];
  });
