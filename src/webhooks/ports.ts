import type { MerchantFilter } from '../merchants/merchantFilter.ts';
import type { Clock } from '../spec/time.ts';
import type { Delivery, OutboxEvent, Webhook } from './webhook.ts';

/** Filters of a list of deliveries. Absent members do not filter. */
export type DeliveryQuery = {
  readonly webhookId: string;
  readonly state?: Delivery['state'];
  /** The time of the event, `to` excluded. */
  readonly from?: number;
  readonly to?: number;
  /** Only deliveries older than this one, the last of the previous page. */
  readonly after?: Pick<Delivery, 'createdAt' | 'id'>;
  readonly limit: number;
};

/** The deliveries to send again. */
export type RedeliveryRequest = Pick<DeliveryQuery, 'webhookId' | 'state' | 'from' | 'to'> & { readonly ids?: readonly string[] };

/** A delivery with so many attempts is not sent again. */
export const ATTEMPTS_KEPT_MAX = 1_000;

/** The merchants whose events are delivered, and their clock. */
export type DispatchScope = { readonly merchants: MerchantFilter; readonly clock: Clock };

/** The store of webhooks, events and deliveries. */
export interface WebhookStore {
  webhooks(): Promise<readonly Webhook[]>;
  /** Adds a webhook. The events that are in the outbox already are never delivered to it. */
  addWebhook(webhook: Webhook): Promise<void>;
  /** Saves a webhook that follows the stored revision; false: another change came first. */
  saveWebhook(webhook: Webhook): Promise<boolean>;
  /** Removes a webhook with its deliveries. False when there is none of that id. */
  removeWebhook(id: string): Promise<boolean>;
  /**
   * Events without fan-out, the oldest first. Earlier events of the same subjects come beyond the limit: the clocks of nodes differ, and an
   * event must not overtake an earlier one.
   */
  pendingEvents(merchants: MerchantFilter, limit: number): Promise<readonly OutboxEvent[]>;
  /**
   * Records the fan-out of events and its deliveries, in one commit. An event has at most one delivery for each webhook, and none for a
   * webhook that was added after it.
   */
  saveFanOut(events: readonly OutboxEvent[], deliveries: readonly Delivery[]): Promise<void>;
  /** Records the fan-out of events, the oldest first, while there is no webhook at all. Returns how many; 0 when there is one. */
  passEvents(merchants: MerchantFilter, limit: number): Promise<number>;
  /**
   * Claims due deliveries until `until`, the longest overdue first. At most `each` for one webhook, none for those in `skip`, and none
   * whose subject has an earlier event pending for the same webhook.
   */
  claimDeliveries(query: {
    readonly now: number;
    readonly until: number;
    readonly limit: number;
    readonly each: number;
    readonly skip: readonly string[];
    readonly merchants: MerchantFilter;
  }): Promise<readonly Delivery[]>;
  /**
   * Saves deliveries after an attempt and ends their claims, in one commit. Removed deliveries are ignored. `counted`: the statistics
   * line of each delivery; see reports/statistics/line.ts.
   */
  saveDeliveries(deliveries: readonly Delivery[], counted?: readonly (string | null)[]): Promise<void>;
  delivery(webhookId: string, id: string): Promise<Delivery | null>;
  /** The newest first. */
  deliveries(query: DeliveryQuery): Promise<readonly Delivery[]>;
  /** The number of a webhook's deliveries in each state. */
  countDeliveries(webhookId: string): Promise<Readonly<Record<Delivery['state'], number>>>;
  /**
   * Makes deliveries due again at the instant; returns their number. Their attempts stay, and retries count anew. A delivery with
   * `ATTEMPTS_KEPT_MAX` attempts is left out.
   */
  redeliver(which: RedeliveryRequest, dueAt: number): Promise<number>;
  /**
   * Makes deliveries due now that a clock ahead of time has dated: those created after now without an attempt, and those due later than
   * any retry can be. Returns their number.
   */
  correctMisdatedDeliveries(query: { readonly now: number; readonly merchants: MerchantFilter }): Promise<number>;
  /** The earliest due time of a merchant's deliveries; null when none is pending. */
  nextDeliveryAt(merchantId: string): Promise<number | null>;
  /** Deletes finished deliveries, and events after their fan-out, from before the instant, in batches; returns their number. */
  deleteEvents(before: number): Promise<number>;
}
