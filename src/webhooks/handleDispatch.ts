import { DAY_MS, MINUTE_MS } from '../spec/time.ts';
import type { DispatchScope, WebhookStore } from './ports.ts';
import type { AttemptResult } from './prepareDispatch.ts';
import type { Delivery } from './webhook.ts';

/** Facts 7.2: the delay after the first failure, the second, and so on; then once a day. */
export const retryDelaysMs: readonly number[] = [1, 2, 4, 8, 15, 30, 60].map((minutes) => minutes * MINUTE_MS);
/** A delivery is abandoned after this time. */
export const DELIVERY_LIFE_MS = 30 * DAY_MS;
/** A webhook is paused after failing for this time. */
export const PAUSE_AFTER_MS = 5 * DAY_MS;
/** The longest delay that a receiver can ask for. */
const RETRY_AFTER_MS_MAX = DAY_MS;
const JITTER_MS_MAX = 15 * MINUTE_MS;

/** `status` is null without a response. */
type ReceiverResponse = { readonly status: number | null; readonly retryAfter: string | null };

/** Only 2xx counts. Redirects are not followed: events go to the registered address only. */
export const isDelivered = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** The receiver has unsubscribed for good. */
export const isGone = (status: number | null): boolean => status === 410;

const delayMs = (failures: number): number => retryDelaysMs[failures - 1] ?? DAY_MS;

type AttemptHistory = Pick<Delivery, 'tries' | 'earlierTries' | 'dueAt'>;

/** The start of a delivery's life: its first attempt since it was sent or sent again, or the time at which that was due. */
const startedAt = ({ tries, earlierTries, dueAt }: AttemptHistory): number => tries[earlierTries]?.at ?? dueAt;

/** Too old to be sent, or sent again. */
export const isExpired = (delivery: AttemptHistory, now: number): boolean => now - startedAt(delivery) > DELIVERY_LIFE_MS;

/** The failures so far, the time of the first attempt, and a random number from 0 to 1. */
type RetryState = {
  readonly failures: number;
  readonly firstAt: number;
  readonly now: number;
  readonly chance: number;
  /** The delay that the receiver asked for; see `retryAfterMs`. */
  readonly restMs: number;
};

/**
 * The time of the next attempt; null: never. The delay is that of the table, or the receiver's when that is longer, plus a jitter of up to
 * a quarter of the delay and 15 minutes at most. So it never reaches the next delay of the table.
 */
export function nextAttemptAt({ failures, firstAt, now, chance, restMs }: RetryState): number | null {
  const delay = delayMs(failures);
  const at = now + Math.max(delay, restMs) + Math.floor(chance * Math.min(delay / 4, JITTER_MS_MAX));
  return at - firstAt > DELIVERY_LIFE_MS ? null : at;
}

const HTTP_DATE = /^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;

/** The delay that a receiver asks for: `Retry-After` of a 429 or 503, at most a day; otherwise 0. */
export function retryAfterMs({ status, retryAfter }: ReceiverResponse, now: number): number {
  if ((status !== 429 && status !== 503) || retryAfter === null) return 0;
  const text = retryAfter.trim();
  const ms = /^[0-9]{1,9}$/.test(text) ? Number(text) * 1000 : HTTP_DATE.test(text) ? Date.parse(text) - now : 0;
  return Number.isFinite(ms) ? Math.max(0, Math.min(ms, RETRY_AFTER_MS_MAX)) : 0;
}

/** When an attempt began and ended, the pause that the receiver asked for, and a random number from 0 to 1. */
export type AttemptTimes = {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly restMs: number;
  readonly chance: number;
};

const withAttempt = (delivery: Delivery, { status, ms, why }: AttemptResult, at: number): Delivery => ({
  ...delivery,
  tries: [...delivery.tries, { at, status, ms, why }],
});

export const handleSuccessfulDispatch = (delivery: Delivery, result: AttemptResult, times: AttemptTimes): Delivery => ({
  ...withAttempt(delivery, result, times.startedAt),
  state: 'delivered',
  dueAt: times.endedAt,
});

/** The delivery is due again, or dead when it has waited too long or its subject is gone. */
export function handleFailedDispatch(
  delivery: Delivery,
  result: AttemptResult,
  { startedAt, endedAt, restMs, chance }: AttemptTimes,
): Delivery {
  const attempted = withAttempt(delivery, result, startedAt);
  const { tries, earlierTries } = attempted;
  const firstAt = tries[earlierTries]?.at ?? startedAt;
  const failures = tries.length - earlierTries;
  const dueAt = result.isObsolete ? null : nextAttemptAt({ failures, firstAt, now: endedAt, chance, restMs });
  return dueAt === null ? { ...attempted, state: 'dead', dueAt: endedAt } : { ...attempted, state: 'due', dueAt };
}

const AT_ONCE = 500;
const CLAIM_MS = 60_000;
const ROUNDS_MAX = 20;

/** Abandons deliveries that have waited too long for paused or disabled webhooks; returns their number. */
export async function expireDeliveries(
  store: Pick<WebhookStore, 'webhooks' | 'claimDeliveries' | 'saveDeliveries'>,
  { merchants, clock }: DispatchScope,
): Promise<number> {
  const skip = (await store.webhooks()).flatMap(({ id, state }) => (state === 'active' ? [id] : []));
  let count = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const now = clock.now();
    const waiting = await store.claimDeliveries({ now, until: now + CLAIM_MS, limit: AT_ONCE, each: AT_ONCE, skip, merchants });
    const expired = new Set(waiting.filter((delivery) => isExpired(delivery, now)));
    await store.saveDeliveries(
      waiting.map((delivery) => (expired.has(delivery) ? { ...delivery, state: 'dead', dueAt: now } : delivery)),
    );
    count += expired.size;
    // The longest overdue come first.
    if (waiting.length < AT_ONCE || expired.size === 0) return count;
  }
  return count;
}
