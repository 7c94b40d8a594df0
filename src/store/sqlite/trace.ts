import type { TraceStore } from '../../ledger/trace.ts';
import { type PostingRow, postingOf } from '../tables/trace.ts';
import { type DeliveryRow, deliveryOf, type EventRow, eventOf } from '../tables/webhooks.ts';
import type { Reads } from './reads.ts';

/** One payment's past in SQLite. */
export const sqliteTrace = (read: Reads): TraceStore => ({
  eventsOf: async (merchantId, { subjectId, transactionId }) =>
    read.all<EventRow>('eventsOf', merchantId, subjectId, transactionId).map(eventOf),
  postingsOf: async (merchantId, paymentId, { from, to }) =>
    read.all<PostingRow>('postingsOf', merchantId, paymentId, from, to).map(postingOf),
  deliveriesOf: async (merchantId, { subjectId, transactionId }) =>
    read.all<DeliveryRow>('deliveriesOf', merchantId, subjectId, transactionId).map(deliveryOf),
});
