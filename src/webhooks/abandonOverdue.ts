import type { DispatchScope } from './dispatch.ts';
import type { WebhookStore } from './ports.ts';
import { isExpired } from './retry.ts';

const AT_ONCE = 500;
const CLAIM_MS = 60_000;
const ROUNDS_MAX = 20;

/** Abandons deliveries that have waited too long for paused or disabled webhooks; returns their number. */
export async function abandonOverdue(
  store: Pick<WebhookStore, 'webhooks' | 'claimDeliveries' | 'saveDeliveries'>,
  { merchants, clock }: DispatchScope,
): Promise<number> {
  const skip = (await store.webhooks()).flatMap(({ id, state }) => (state === 'active' ? [id] : []));
  let count = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const now = clock.now();
    const waiting = await store.claimDeliveries({ now, until: now + CLAIM_MS, limit: AT_ONCE, each: AT_ONCE, skip, merchants });
    const expired = new Set(waiting.filter((delivery) => isExpired(delivery, now)));
    await store.saveDeliveries(
      waiting.map((delivery) => (expired.has(delivery) ? { ...delivery, state: 'dead', dueAt: now } : delivery)),
    );
    count += expired.size;
    // The longest overdue come first.
    if (waiting.length < AT_ONCE || expired.size === 0) return count;
  }
  return count;
}
