import type { TraceStore } from '../../ledger/trace.ts';
import { type PostingRow, postingOf, postgresTraceReads as texts } from '../tables/trace.ts';
import { type DeliveryRow, deliveryOf, type EventRow, eventOf } from '../tables/webhooks.ts';
import type { Pool } from './pool.ts';

/** One payment's past in PostgreSQL. */
export const postgresTrace = (pool: Pick<Pool, 'read'>): TraceStore => ({
  eventOf: async (merchantId, paymentId) => (await pool.read<EventRow>(texts.eventOf, [merchantId, paymentId])).map(eventOf),
  postingsOf: async (merchantId, paymentId, { from, to }) =>
    (await pool.read<PostingRow>(texts.postingsOf, [merchantId, paymentId, from, to])).map(postingOf),
  deliveriesOf: async (merchantId, paymentId) =>
    (await pool.read<DeliveryRow>(texts.deliveriesOf, [merchantId, paymentId])).map(deliveryOf),
});
