import type { CountedQueue, QueueLength, QueueQuery } from '../../payments/storeFigures.ts';
import { hooks } from './webhooks.ts';

/** Lengths of queues, in the form of statements.ts: ?1 now, ?2 the limit, ?3 the merchants that do not count. */

const counted = (entries: string): string => `SELECT count(*) AS number, min(at) AS oldest FROM (${entries}) waiting`;

/** The first entry of every webhook, so that the oldest is right beyond the limit too. */
const oldestDelivery = (isCounted: string): string => `
    SELECT min((
      SELECT d.ready_at FROM delivery d WHERE d.webhook_id = hook.id AND ${isCounted} ORDER BY d.ready_at, d.id LIMIT 1
    )) FROM hook WHERE hook.id IS NOT NULL`;

/** The databases unfold a list of merchants each in their own way. */
export function queueReads(list: string) {
  const isCounted = `d.state = 'due' AND d.ready_at <= ?1 AND d.merchant_id NOT IN (${list})`;
  return {
    // Along the index outbox_new.
    events: counted(`
      SELECT created_at AS at FROM outbox
      WHERE state = 'new' AND created_at >= 0 AND created_at <= ?1 AND merchant_id NOT IN (${list}) ORDER BY created_at LIMIT ?2`),
    // From webhook to webhook, along the index delivery_due.
    deliveries: `
      WITH RECURSIVE ${hooks('')}
      SELECT count(*) AS number, (${oldestDelivery(isCounted)}) AS oldest FROM (
        SELECT d.ready_at FROM hook CROSS JOIN delivery d WHERE d.webhook_id = hook.id AND ${isCounted} LIMIT ?2
      ) waiting`,
    // Along the index schedule_next.
    schedules: counted(`
      SELECT next_at AS at FROM schedule
      WHERE next_at IS NOT NULL AND next_at <= ?1 AND merchant_id NOT IN (${list}) ORDER BY next_at, id LIMIT ?2`),
  } as const satisfies Readonly<Record<CountedQueue, string>>;
}

export type QueueRow = { readonly number: string | number; readonly oldest: string | number | null };

export const queueCells = ({ now, limit, except }: QueueQuery) => [now, limit, JSON.stringify(except)] as const;

export const queueLengthOf = (row: QueueRow | undefined): QueueLength => ({
  length: Number(row?.number ?? 0),
  oldestAt: row?.oldest == null ? null : Number(row.oldest),
});
