import { DAY_MS, HOUR_MS } from '../spec/time.ts';
import type { WebhookStore } from './ports.ts';
import type { Webhook } from './webhook.ts';

type Reminder = { readonly webhook: Webhook; readonly message: string };

/** One sentence for each webhook that fails or is paused. */
export const reminders = (webhooks: readonly Webhook[], now: number): readonly Reminder[] =>
  webhooks.flatMap((webhook) => {
    if (webhook.state === 'paused') return [{ webhook, message: `it is paused: ${webhook.why ?? 'it failed too long'}` }];
    if (webhook.state !== 'active' || webhook.failingSince === null) return [];
    const hours = Math.floor((now - webhook.failingSince) / HOUR_MS);
    return [{ webhook, message: `nothing has been delivered for ${hours} hours` }];
  });

export type ReminderNeeds = {
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
