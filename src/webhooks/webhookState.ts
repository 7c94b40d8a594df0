import type { Ids } from '../payments/ports.ts';
import { type Clock, DAY_MS, HOUR_MS } from '../spec/time.ts';
import { isDelivered, isGone, PAUSE_AFTER_MS } from './handleDispatch.ts';
import type { WebhookStore } from './ports.ts';
import { type AttemptResult, callEndpoint, type EndpointNeeds } from './prepareDispatch.ts';
import type { Webhook } from './webhook.ts';

/** The part of an attempt's result that concerns the webhook. `failingSince`: the first failure after the last success. */
type HealthRecord = { readonly status: number | null; readonly now: number; readonly failingSince: number | null };

/** The webhook after an attempt; the same object when nothing changes. Its deliveries stay in any case. */
export function healthAfter(webhook: Webhook, { status, now, failingSince }: HealthRecord): Webhook {
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

const TRIES_MAX = 16;

/**
 * Applies a change to the current state of a webhook, again after every concurrent change. `change` returns the same object when there is
 * nothing to change. Returns null when the webhook no longer exists.
 */
export async function updateWebhook(
  store: Pick<WebhookStore, 'webhooks' | 'saveWebhook'>,
  started: Webhook,
  change: (webhook: Webhook) => Webhook,
): Promise<Webhook | null> {
  let webhook = started;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const next = change(webhook);
    if (next === webhook) return webhook;
    const kept = { ...next, revision: webhook.revision + 1 };
    if (await store.saveWebhook(kept)) return kept;
    const current = (await store.webhooks()).find(({ id }) => id === started.id);
    if (!current) return null;
    webhook = current;
  }
  throw new Error(`the webhook ${started.id} did not hold still`);
}

type ActivateNeeds = EndpointNeeds & {
  readonly store: Pick<WebhookStore, 'webhooks' | 'saveWebhook'>;
  readonly ids: Pick<Ids, 'next'>;
  /** The clock of the webhook's merchant. Default: real time. */
  readonly ownClock?: Clock;
};

/** Facts 7.3. */
const TEST = JSON.stringify({ type: 'test', action: 'webhook activation', payload: {} });

/** `webhook` is its current state; null when it was removed in the meantime. */
export type Activation = { readonly webhook: Webhook | null; readonly tried: AttemptResult };

/** Sends the test delivery. A webhook that answers with success becomes active, and its waiting deliveries are sent. */
export async function activate(needs: ActivateNeeds, webhook: Webhook): Promise<Activation> {
  const tried = await callEndpoint(needs, webhook, { id: needs.ids.next(), text: TEST });
  if (!isDelivered(tried.status)) return { webhook, tried };
  const now = (needs.ownClock ?? needs.clock).now();
  // Its address may have changed in the meantime, and the new one is untested.
  const change = (current: Webhook): Webhook =>
    current.url === webhook.url && (current.state !== 'active' || current.failingSince !== null)
      ? activated(current, now)
      : current;
  return { webhook: await updateWebhook(needs.store, webhook, change), tried };
}

type Reminder = { readonly webhook: Webhook; readonly message: string };

/** One sentence for each webhook that fails or is paused. */
export const reminders = (webhooks: readonly Webhook[], now: number): readonly Reminder[] =>
  webhooks.flatMap((webhook) => {
    if (webhook.state === 'paused') return [{ webhook, message: `it is paused: ${webhook.why ?? 'it failed too long'}` }];
    if (webhook.state !== 'active' || webhook.failingSince === null) return [];
    const hours = Math.floor((now - webhook.failingSince) / HOUR_MS);
    return [{ webhook, message: `nothing has been delivered for ${hours} hours` }];
  });

type ReminderNeeds = {
  readonly store: Pick<WebhookStore, 'webhooks'>;
  readonly clock: { now(): number };
  /** The clock of the webhook's merchant. */
  readonly clockOf: (webhook: Webhook) => { now(): number };
  readonly warn: (webhook: Webhook, message: string) => void;
};

/** Warns of each failing webhook once a day, and after every start. */
export function createReminder({ store, clock, clockOf, warn }: ReminderNeeds): () => Promise<void> {
  const warnedAt = new Map<string, number>();
  return async () => {
    const now = clock.now();
    const current = (await store.webhooks()).flatMap((webhook) => reminders([webhook], clockOf(webhook).now()));
    for (const [id] of warnedAt) if (!current.some(({ webhook }) => webhook.id === id)) warnedAt.delete(id);
    for (const { webhook, message } of current) {
      if (now - (warnedAt.get(webhook.id) ?? Number.NEGATIVE_INFINITY) < DAY_MS) continue;
      warnedAt.set(webhook.id, now);
      warn(webhook, message);
    }
  };
}
