import type { TraceStore } from '../ledger/trace.ts';
import type { Reads } from './sqliteReads.ts';
import { type PostingRow, postingOf } from './traceRows.ts';
import { type DeliveryRow, deliveryOf, type NewsRow, newsOf } from './webhookRows.ts';

/** One payment's past in SQLite. */
export const sqliteTrace = (read: Reads): TraceStore => ({
  newsOf: async (merchantId, paymentId) => read.all<NewsRow>('newsOf', merchantId, paymentId).map(newsOf),
  postingsOf: async (merchantId, paymentId, { from, to }) =>
    read.all<PostingRow>('postingsOf', merchantId, paymentId, from, to).map(postingOf),
  deliveriesOf: async (merchantId, paymentId) => read.all<DeliveryRow>('deliveriesOf', merchantId, paymentId).map(deliveryOf),
});
