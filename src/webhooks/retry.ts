import { DAY_MS, MINUTE_MS } from '../spec/time.ts';
import type { Delivery } from './webhook.ts';

/** Facts 7.2: how long is waited after the first failure, the second, and so on; after the last of these once a day. */
export const retryDelaysMs: readonly number[] = [1, 2, 4, 8, 15, 30, 60].map((minutes) => minutes * MINUTE_MS);
/** What could not be delivered for so long is given up. */
export const DELIVERY_LIFE_MS = 30 * DAY_MS;
/** A webhook that has failed for so long is paused. */
export const PAUSE_AFTER_MS = 5 * DAY_MS;
/** However long a receiver asks us to wait. */
export const RETRY_AFTER_MS_MAX = DAY_MS;
const JITTER_MS_MAX = 15 * MINUTE_MS;

/** What came of a try. `status` is null when nobody answered. */
export type ReceiverResponse = { readonly status: number | null; readonly retryAfter: string | null };

/** Only 2xx counts: a redirect is not followed, so that nobody is led elsewhere. */
export const isDelivered = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** The receiver wants to hear nothing any more. */
export const isGone = (status: number | null): boolean => status === 410;

const stepMs = (failures: number): number => retryDelaysMs[failures - 1] ?? DAY_MS;

/** From when on its life counts: the first try, or the instant at which it was to be tried first. */
export const startedAt = ({ tries, dueAt }: Pick<Delivery, 'tries' | 'dueAt'>): number => tries[0]?.at ?? dueAt;

/** It is too old to be sent, or sent again. */
export const isExpired = (delivery: Pick<Delivery, 'tries' | 'dueAt'>, now: number): boolean =>
  now - startedAt(delivery) > DELIVERY_LIFE_MS;

/** The failures so far, when the first of them was, and a number from 0 to 1 by chance. */
export type RetryState = {
  readonly failures: number;
  readonly firstAt: number;
  readonly now: number;
  readonly chance: number;
  /** What the receiver asked for; see `askedRestMs`. */
  readonly restMs: number;
};

/**
 * When the next try is; null: never. It comes after the step of the table, or what the receiver asked for when that is longer, and up to a
 * quarter of the step later, a quarter of an hour at most: never as late as the step after it.
 */
export function nextAttemptAt({ failures, firstAt, now, chance, restMs }: RetryState): number | null {
  const step = stepMs(failures);
  const at = now + Math.max(step, restMs) + Math.floor(chance * Math.min(step / 4, JITTER_MS_MAX));
  return at - firstAt > DELIVERY_LIFE_MS ? null : at;
}

const HTTP_DATE = /^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;

/** How long a receiver that is overrun or out of order asks us to wait: `Retry-After` of a 429 or 503, at most a day; otherwise 0. */
export function retryAfterMs({ status, retryAfter }: ReceiverResponse, now: number): number {
  if ((status !== 429 && status !== 503) || retryAfter === null) return 0;
  const text = retryAfter.trim();
  const ms = /^[0-9]{1,9}$/.test(text) ? Number(text) * 1000 : HTTP_DATE.test(text) ? Date.parse(text) - now : 0;
  return Number.isFinite(ms) ? Math.max(0, Math.min(ms, RETRY_AFTER_MS_MAX)) : 0;
}
