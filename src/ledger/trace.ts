import type { Delivery, OutboxEvent } from '../webhooks/webhook.ts';
import type { Posting } from './entry.ts';

/** Names the events that a transaction has caused. `subjectId`: see `eventSubjectOf`. */
export type TransactionEvents = { readonly subjectId: string; readonly transactionId: string };

/** The stored traces of one payment. */
export interface TraceStore {
  /** Its events that are still stored, the oldest first. */
  eventsOf(merchantId: string, about: TransactionEvents): Promise<readonly OutboxEvent[]>;
  /** Its postings in a period, both ends included. */
  postingsOf(
    merchantId: string,
    paymentId: string,
    within: { readonly from: number; readonly to: number },
  ): Promise<readonly Posting[]>;
  /** The deliveries of its events that are still stored. */
  deliveriesOf(merchantId: string, about: TransactionEvents): Promise<readonly Delivery[]>;
}
