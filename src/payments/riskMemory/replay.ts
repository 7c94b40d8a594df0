import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../spec/time.ts';
import type { Payment } from '../payment.ts';
import type { PaymentCursor, PaymentHistory } from '../ports.ts';

/** How long before the start each interval begins. It ends where the previous one begins. */
const INTERVALS_MS: readonly number[] = [
  MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  ...Array.from({ length: 31 }, (_, day) => (day + 1) * DAY_MS),
];

const PAYMENTS_MAX = 200_000;
/** The velocity counters keep 50,000 keys of a kind; further keys evict the first ones. */
const KEYS_MAX = 40_000;

/** The cursor before all payments of an instant. */
export const cursorAt = (createdAt: number): PaymentCursor => ({ createdAt, merchantId: '', id: '' });

export type Replay = {
  begin(now: number): void;
  readPages(pages: number): Promise<void>;
  isOver(): boolean;
};

export type ReplayParts = {
  readonly history: PaymentHistory;
  /** Payments on a page. */
  readonly limit: number;
  readonly recordAll: (payments: readonly Payment[], startedAt: number) => Promise<void>;
};

/**
 * Counts the stored payments of 31 days once after a start: the last minute first, then the rest of ten minutes, of the hour, of the day,
 * and day by day. The rules against card testing read windows of an hour and less, and a restart must not reset them for minutes. Within an
 * interval the oldest come first, as the store returns them. The replay ends when further keys would evict the newest, or at its limit.
 */
export function createReplay({ history, limit, recordAll }: ReplayParts): Replay {
  let startedAt = 0;
  let interval = 0;
  let after: PaymentCursor | null = null;
  let count = 0;
  const [cards, emails] = [new Set<string>(), new Set<string>()];
  const isFull = (): boolean => count >= PAYMENTS_MAX || cards.size >= KEYS_MAX || emails.size >= KEYS_MAX;
  const end = (): void => {
    interval = INTERVALS_MS.length;
    cards.clear();
    emails.clear();
  };
  const countKeys = ({ merchantId, fingerprint, fields }: Payment): void => {
    count += 1;
    if (fingerprint !== null) cards.add(`${merchantId} ${fingerprint}`);
    const email = fields['customer.email'];
    if (email !== undefined) emails.add(`${merchantId} ${email}`);
  };
  const isOver = (): boolean => interval >= INTERVALS_MS.length;
  return {
    begin(now) {
      startedAt = now;
    },
    async readPages(pages) {
      for (let page = 0; page < pages && !isOver(); page += 1) {
        const from = cursorAt(startedAt - (INTERVALS_MS[interval] as number));
        const before = startedAt - (INTERVALS_MS[interval - 1] ?? 0);
        const found = await history.history({ after: after ?? from, before, merchantId: null, limit });
        for (const payment of found) countKeys(payment);
        await recordAll(found, startedAt);
        after = found.at(-1) ?? null;
        if (found.length < limit) {
          interval += 1;
          after = null;
        }
        if (isFull() || isOver()) end();
      }
    },
    isOver,
  };
}
