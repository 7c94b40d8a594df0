import type { CountedQueue, QueueLength, QueueStore } from '../../payments/storeFigures.ts';
import { type Dialects, inBoth, type ReadDatabase } from '../database.ts';
import { hooks } from './deliveryStatements.ts';

/** Lengths of queues: ?1 now, ?2 the limit, ?3 the merchants that do not count. */

const counted = (entries: string): string => `SELECT count(*) AS number, min(at) AS oldest FROM (${entries}) waiting`;

/** The first entry of every webhook, so that the oldest is right beyond the limit too. */
const oldestDelivery = (isCounted: string): string => `
    SELECT min((
      SELECT d.ready_at FROM delivery d WHERE d.webhook_id = hook.id AND ${isCounted} ORDER BY d.ready_at, d.id LIMIT 1
    )) FROM hook WHERE hook.id IS NOT NULL`;

const isDue = (list: string): string => `d.state = 'due' AND d.ready_at <= ?1 AND d.merchant_id NOT IN (${list})`;

export const queueStatements = {
  // Along the index outbox_new.
  events: inBoth(({ among }) =>
    counted(`
      SELECT created_at AS at FROM outbox
      WHERE state = 'new' AND created_at >= 0 AND created_at <= ?1 AND merchant_id NOT IN (${among('?3')}) ORDER BY created_at LIMIT ?2`),
  ),
  // From webhook to webhook, along the index delivery_due.
  deliveries: inBoth(
    ({ among }) => `
      WITH RECURSIVE ${hooks('')}
      SELECT count(*) AS number, (${oldestDelivery(isDue(among('?3')))}) AS oldest FROM (
        SELECT d.ready_at FROM hook CROSS JOIN delivery d WHERE d.webhook_id = hook.id AND ${isDue(among('?3'))} LIMIT ?2
      ) waiting`,
  ),
  // Along the index schedule_next.
  schedules: inBoth(({ among }) =>
    counted(`
      SELECT next_at AS at FROM schedule
      WHERE next_at IS NOT NULL AND next_at <= ?1 AND merchant_id NOT IN (${among('?3')}) ORDER BY next_at, id LIMIT ?2`),
  ),
} as const satisfies Readonly<Record<CountedQueue, Dialects>>;

type QueueRow = { readonly number: string | number; readonly oldest: string | number | null };

export const queueMethods = (db: Pick<ReadDatabase, 'read'>): QueueStore => ({
  queueLength: async (queue, { now, limit, except }): Promise<QueueLength> => {
    const [row] = await db.read<QueueRow>(queueStatements[queue], now, limit, JSON.stringify(except));
    return { length: Number(row?.number ?? 0), oldestAt: row?.oldest == null ? null : Number(row.oldest) };
  },
});
