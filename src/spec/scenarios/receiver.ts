import { msOf } from './durations.ts';
import type { Acts } from './language.ts';

/** The simulated answer of a webhook, which is not called; `status` null: no answer. */
export type ReceiverSays = { readonly status: number | null; readonly retryAfter: string | null; readonly isLate: boolean };

/** What a webhook says to events of a payment, so many milliseconds after they happened; null: it is called. */
export function receiverSays({ receiver = [] }: Acts, sinceMs: number): ReceiverSays | null {
  let until = 0;
  for (const { answers, for: time, retryAfter } of receiver) {
    until += msOf(time) ?? 0;
    if (sinceMs >= until) continue;
    const status = /^[0-9]/.test(answers) ? Number.parseInt(answers, 10) : null;
    const seconds = retryAfter === undefined ? null : String(Math.ceil((msOf(retryAfter) ?? 0) / 1000));
    return { status, retryAfter: seconds, isLate: answers === 'late' };
  }
  return null;
}
