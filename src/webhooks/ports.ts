import type { MerchantFilter } from '../merchants/merchantFilter.ts';
import type { Delivery, OutboxEvent, Webhook } from './webhook.ts';

/** Which deliveries are listed. Members that are absent do not limit. */
export type DeliveryQuery = {
  readonly webhookId: string;
  readonly state?: Delivery['state'];
  /** News that happened in this stretch of time, its end not included. */
  readonly from?: number;
  readonly to?: number;
  /** Only those older than this one: the last of the page before. */
  readonly after?: Pick<Delivery, 'createdAt' | 'id'>;
  readonly limit: number;
};

/** Which deliveries are put on their way once more. */
export type RedeliveryRequest = Pick<DeliveryQuery, 'webhookId' | 'state' | 'from' | 'to'> & { readonly ids?: readonly string[] };

/** What the webhooks room asks of a store. */
export interface WebhookStore {
  webhooks(): Promise<readonly Webhook[]>;
  addWebhook(webhook: Webhook): Promise<void>;
  /** Kept only on the revision before it; false: somebody was faster. */
  saveWebhook(webhook: Webhook): Promise<boolean>;
  /** With everything that is on its way to it. False when there is none of that id. */
  removeWebhook(id: string): Promise<boolean>;
  /** News that nobody has spread yet, the oldest first. */
  pendingEvents(merchants: MerchantFilter, limit: number): Promise<readonly OutboxEvent[]>;
  /** The news are spread, with these deliveries: one commit. A delivery of the same news to the same webhook is never made twice. */
  saveFanOut(news: readonly OutboxEvent[], deliveries: readonly Delivery[]): Promise<void>;
  /**
   * Deliveries that are due and that nobody has claimed, the longest overdue first; from now until `until` they are claimed. At most
   * `each` to one webhook, none to those named in `skip`, and none whose subject has earlier news on the way to the same webhook.
   */
  claimDeliveries(asked: {
    readonly now: number;
    readonly until: number;
    readonly limit: number;
    readonly each: number;
    readonly skip: readonly string[];
    readonly merchants: MerchantFilter;
  }): Promise<readonly Delivery[]>;
  /**
   * Each as it is after a try; ends the claims. One commit. What is not there any more is left out. `counted`: what statistics count of
   * each of them; see reports/statistics/keep.ts.
   */
  saveDeliveries(deliveries: readonly Delivery[], counted?: readonly (string | null)[]): Promise<void>;
  delivery(webhookId: string, id: string): Promise<Delivery | null>;
  /** The newest first. */
  deliveries(asked: DeliveryQuery): Promise<readonly Delivery[]>;
  /** How many of a webhook's deliveries are in each state. */
  countDeliveries(webhookId: string): Promise<Readonly<Record<Delivery['state'], number>>>;
  /** Puts deliveries on their way once more, due at the instant, their tries forgotten; answers how many. */
  redeliver(which: RedeliveryRequest, dueAt: number): Promise<number>;
  /**
   * Makes deliveries due now whose instants a clock that was ahead has given: never tried ones that were made later than now, and any that
   * would wait longer than one ever does. Answers how many.
   */
  correctMisdatedDeliveries(asked: { readonly now: number; readonly merchants: MerchantFilter }): Promise<number>;
  /** The earliest instant at which something of a merchant is due; null when nothing is on its way. */
  nextDeliveryAt(merchantId: string): Promise<number | null>;
  /** Forgets deliveries that ended, and news that were spread, before the instant; answers how many. In portions. */
  deleteEvents(before: number): Promise<number>;
}
