import type { AcquirerAnswer } from '../../../payments/ports.ts';
import { HOUR_MS } from '../../../spec/time.ts';
import type { ConnectorNeeds } from '../../ports.ts';
import type { Ticket } from './ticket.ts';

const AFTER_MS = 2_000;
const NOTIFICATIONS_MAX = 10;
/** Longer waits are dropped: the gateway inquires long before. */
export const WAIT_MS_MAX = HOUR_MS;

/** Notifies the gateway of the shopper's decision. */
export function createConfirmer({ sleep, notify }: Pick<ConnectorNeeds, 'sleep' | 'notify'>) {
  /** Repeats the notification until it is accepted; in the end the gateway inquires. */
  async function notifyUntilAccepted(ticket: Ticket, answer: AcquirerAnswer, firstMs: number): Promise<void> {
    if (firstMs > WAIT_MS_MAX) return;
    let waitMs = firstMs;
    for (let tries = 0; tries < NOTIFICATIONS_MAX; tries += 1) {
      await sleep(waitMs);
      waitMs = AFTER_MS;
      try {
        return await notify(ticket, answer);
      } catch {}
    }
  }

  return async function confirm(ticket: Ticket, answer: AcquirerAnswer): Promise<void> {
    const { confirms, confirmMs = AFTER_MS } = ticket;
    if (confirms === 'never') return;
    if (confirms === 'after') return void notifyUntilAccepted(ticket, answer, confirmMs);
    try {
      await notify(ticket, answer);
      if (confirms === 'twice') await notify(ticket, answer);
    } catch {
      void notifyUntilAccepted(ticket, answer, AFTER_MS);
    }
  };
}
