import type { CountedQueue, QueueStore } from '../../payments/storeFigures.ts';
import type { Delivery } from '../../webhooks/webhook.ts';
import { join, type Tables, type WhileOpen } from './tables.ts';

type Entry = { readonly merchantId: string; readonly at: number };

/** A delivery waits for the earlier ones of its subject. */
function dueDeliveries({ deliveries }: Tables): readonly Entry[] {
  const latest = new Map<string, number>();
  const due = [...deliveries.values()].map(({ delivery }) => delivery).filter(({ state }) => state === 'due');
  return due.sort(byRevision).map(({ webhookId, dueAt, event: { merchantId, subjectId } }) => {
    const key = join(webhookId, merchantId, subjectId);
    const at = Math.max(dueAt, latest.get(key) ?? dueAt);
    latest.set(key, at);
    return { merchantId, at };
  });
}

const byRevision = ({ event: one }: Delivery, { event: other }: Delivery): number => one.revision - other.revision;

const entriesOf: Readonly<Record<CountedQueue, (tables: Tables) => readonly Entry[]>> = {
  events: ({ fresh }) => [...fresh.values()].map(({ merchantId, createdAt }) => ({ merchantId, at: createdAt })),
  deliveries: dueDeliveries,
  schedules: ({ schedules }) =>
    [...schedules.values()].flatMap(({ schedule: { merchantId, nextAt } }) =>
      nextAt === null ? [] : [{ merchantId, at: nextAt }],
    ),
};

/** Lengths of queues in memory. */
export const queueMethods = (tables: Tables, whileOpen: WhileOpen): QueueStore => ({
  queueLength: whileOpen((queue, { now, limit, except }) => {
    const waiting = entriesOf[queue](tables).filter(({ merchantId, at }) => at <= now && !except.includes(merchantId));
    const oldestAt = waiting.reduce<number | null>((oldest, { at }) => Math.min(oldest ?? at, at), null);
    return { length: Math.min(waiting.length, limit), oldestAt };
  }),
});
