import type { TraceStore } from '../../ledger/trace.ts';
import { type PostingRow, postingOf } from '../tables/trace.ts';
import { type DeliveryRow, deliveryOf, type NewsRow, newsOf } from '../tables/webhooks.ts';
import type { Reads } from './reads.ts';

/** One payment's past in SQLite. */
export const sqliteTrace = (read: Reads): TraceStore => ({
  newsOf: async (merchantId, paymentId) => read.all<NewsRow>('newsOf', merchantId, paymentId).map(newsOf),
  postingsOf: async (merchantId, paymentId, { from, to }) =>
    read.all<PostingRow>('postingsOf', merchantId, paymentId, from, to).map(postingOf),
  deliveriesOf: async (merchantId, paymentId) => read.all<DeliveryRow>('deliveriesOf', merchantId, paymentId).map(deliveryOf),
});
