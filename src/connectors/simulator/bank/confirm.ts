import type { AcquirerAnswer } from '../../../payments/ports.ts';
import { HOUR_MS } from '../../../spec/time.ts';
import type { ConnectorNeeds } from '../../kind.ts';
import type { Ticket } from './ticket.ts';

const AFTER_MS = 2_000;
const TELLS_MAX = 10;
/** Nobody waits longer in this process: the gateway asks by itself long before. */
export const WAIT_MS_MAX = HOUR_MS;

/** How the bank tells the gateway by itself what the shopper did. */
export function createConfirmer({ sleep, tell }: Pick<ConnectorNeeds, 'sleep' | 'tell'>) {
  /** Tells it until it is taken; the gateway asks by itself in the end. */
  async function tellAgain(ticket: Ticket, answer: AcquirerAnswer, firstMs: number): Promise<void> {
    if (firstMs > WAIT_MS_MAX) return;
    let waitMs = firstMs;
    for (let tries = 0; tries < TELLS_MAX; tries += 1) {
      await sleep(waitMs);
      waitMs = AFTER_MS;
      try {
        return await tell(ticket, answer);
      } catch {}
    }
  }

  return async function confirm(ticket: Ticket, answer: AcquirerAnswer): Promise<void> {
    const { confirms, confirmMs = AFTER_MS } = ticket;
    if (confirms === 'never') return;
    if (confirms === 'after') return void tellAgain(ticket, answer, confirmMs);
    try {
      await tell(ticket, answer);
      if (confirms === 'twice') await tell(ticket, answer);
    } catch {
      void tellAgain(ticket, answer, AFTER_MS);
    }
  };
}
