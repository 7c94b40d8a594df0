import { DAY_MS } from '../spec/time.ts';
import { isDelivered, isGone, PAUSE_AFTER_MS } from './retry.ts';
import type { Webhook } from './webhook.ts';

/** One try as far as it tells something about the webhook. `failingSince`: the first failure after the last success. */
export type HealthRecord = { readonly status: number | null; readonly now: number; readonly failingSince: number | null };

/** The webhook after a try; the same one where nothing changes. What is on its way to it stays, whatever becomes of it. */
export function applyAttempt(webhook: Webhook, { status, now, failingSince }: HealthRecord): Webhook {
  if (webhook.state !== 'active') return webhook;
  if (isGone(status)) return moved(webhook, now, { state: 'off', why: 'it answered 410: it wants to hear nothing any more' });
  if (isDelivered(status)) return webhook.failingSince === null ? webhook : moved(webhook, now, { failingSince: null });
  const since = webhook.failingSince ?? failingSince;
  if (since === null) return webhook;
  if (now - since >= PAUSE_AFTER_MS) {
    const why = `nothing could be delivered for ${PAUSE_AFTER_MS / DAY_MS} days`;
    return moved(webhook, now, { state: 'paused', why, failingSince: since });
  }
  return webhook.failingSince === null ? moved(webhook, now, { failingSince: since }) : webhook;
}

/** A webhook whose test delivery was answered is on, whatever it was before. */
export const activated = (webhook: Webhook, now: number): Webhook =>
  moved(webhook, now, { state: 'active', why: null, failingSince: null });

const moved = (webhook: Webhook, now: number, change: Partial<Webhook>): Webhook => ({ ...webhook, ...change, changedAt: now });
