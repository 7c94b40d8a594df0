import type { TraceStore } from '../../ledger/trace.ts';
import { type PostingRow, postingOf, postgresTraceReads as texts } from '../tables/trace.ts';
import { type DeliveryRow, deliveryOf, type NewsRow, newsOf } from '../tables/webhooks.ts';
import type { Pool } from './pool.ts';

/** One payment's past in PostgreSQL. */
export const postgresTrace = (pool: Pick<Pool, 'read'>): TraceStore => ({
  newsOf: async (merchantId, paymentId) => (await pool.read<NewsRow>(texts.newsOf, [merchantId, paymentId])).map(newsOf),
  postingsOf: async (merchantId, paymentId, { from, to }) =>
    (await pool.read<PostingRow>(texts.postingsOf, [merchantId, paymentId, from, to])).map(postingOf),
  deliveriesOf: async (merchantId, paymentId) =>
    (await pool.read<DeliveryRow>(texts.deliveriesOf, [merchantId, paymentId])).map(deliveryOf),
});
