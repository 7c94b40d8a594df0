import type { Delivery, OutboxEvent } from '../webhooks/webhook.ts';
import type { Posting } from './entry.ts';

/** What was written down about one payment beside the payment itself. */
export interface TraceStore {
  /** Its changes, the first one first, as far as they are kept. */
  eventOf(merchantId: string, paymentId: string): Promise<readonly OutboxEvent[]>;
  /** What it did to the books in this time, the last instant included. */
  postingsOf(
    merchantId: string,
    paymentId: string,
    within: { readonly from: number; readonly to: number },
  ): Promise<readonly Posting[]>;
  /** Who was told of it, as far as that is kept. */
  deliveriesOf(merchantId: string, paymentId: string): Promise<readonly Delivery[]>;
}
