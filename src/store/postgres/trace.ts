import type { TraceStore } from '../../ledger/trace.ts';
import { type PostingRow, postingOf, postgresTraceReads as texts } from '../tables/trace.ts';
import { type DeliveryRow, deliveryOf, type EventRow, eventOf } from '../tables/webhooks.ts';
import type { Pool } from './pool.ts';

/** One payment's past in PostgreSQL. */
export const postgresTrace = (pool: Pick<Pool, 'read'>): TraceStore => ({
  eventsOf: async (merchantId, { subjectId, transactionId }) =>
    (await pool.read<EventRow>(texts.eventsOf, [merchantId, subjectId, transactionId])).map(eventOf),
  postingsOf: async (merchantId, paymentId, { from, to }) =>
    (await pool.read<PostingRow>(texts.postingsOf, [merchantId, paymentId, from, to])).map(postingOf),
  deliveriesOf: async (merchantId, { subjectId, transactionId }) =>
    (await pool.read<DeliveryRow>(texts.deliveriesOf, [merchantId, subjectId, transactionId])).map(deliveryOf),
});
