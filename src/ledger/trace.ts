import type { Delivery, OutboxEvent } from '../webhooks/webhook.ts';
import type { Posting } from './entry.ts';

/** The stored traces of one payment. */
export interface TraceStore {
  /** Its events that are still stored, the oldest first. */
  eventOf(merchantId: string, paymentId: string): Promise<readonly OutboxEvent[]>;
  /** Its postings in a period, both ends included. */
  postingsOf(
    merchantId: string,
    paymentId: string,
    within: { readonly from: number; readonly to: number },
  ): Promise<readonly Posting[]>;
  /** Its webhook deliveries that are still stored. */
  deliveriesOf(merchantId: string, paymentId: string): Promise<readonly Delivery[]>;
}
