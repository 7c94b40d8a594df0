import { DAY_MS } from '../spec/time.ts';
import { isDelivered, isGone, PAUSE_AFTER_MS } from './retry.ts';
import type { Webhook } from './webhook.ts';

/** The part of an attempt's result that concerns the webhook. `failingSince`: the first failure after the last success. */
export type HealthRecord = { readonly status: number | null; readonly now: number; readonly failingSince: number | null };

/** The webhook after an attempt; the same object when nothing changes. Its deliveries stay in any case. */
export function applyAttempt(webhook: Webhook, { status, now, failingSince }: HealthRecord): Webhook {
  if (webhook.state !== 'active') return webhook;
  if (isGone(status)) return revise(webhook, now, { state: 'off', why: 'it answered 410: it has unsubscribed' });
  if (isDelivered(status)) return webhook.failingSince === null ? webhook : revise(webhook, now, { failingSince: null });
  const since = webhook.failingSince ?? failingSince;
  if (since === null) return webhook;
  if (now - since >= PAUSE_AFTER_MS) {
    const why = `nothing could be delivered for ${PAUSE_AFTER_MS / DAY_MS} days`;
    return revise(webhook, now, { state: 'paused', why, failingSince: since });
  }
  return webhook.failingSince === null ? revise(webhook, now, { failingSince: since }) : webhook;
}

/** A webhook whose test delivery succeeded is active, whatever its state was. */
export const activated = (webhook: Webhook, now: number): Webhook =>
  revise(webhook, now, { state: 'active', why: null, failingSince: null });

const revise = (webhook: Webhook, now: number, change: Partial<Webhook>): Webhook => ({ ...webhook, ...change, changedAt: now });
