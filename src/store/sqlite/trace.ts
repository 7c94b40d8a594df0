import type { TraceStore } from '../../ledger/trace.ts';
import { type PostingRow, postingOf } from '../tables/trace.ts';
import { type DeliveryRow, deliveryOf, type EventRow, eventOf } from '../tables/webhooks.ts';
import type { Reads } from './reads.ts';

/** One payment's past in SQLite. */
export const sqliteTrace = (read: Reads): TraceStore => ({
  eventOf: async (merchantId, paymentId) => read.all<EventRow>('eventOf', merchantId, paymentId).map(eventOf),
  postingsOf: async (merchantId, paymentId, { from, to }) =>
    read.all<PostingRow>('postingsOf', merchantId, paymentId, from, to).map(postingOf),
  deliveriesOf: async (merchantId, paymentId) => read.all<DeliveryRow>('deliveriesOf', merchantId, paymentId).map(deliveryOf),
});
