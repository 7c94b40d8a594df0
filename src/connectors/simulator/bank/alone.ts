import type { Payment, Redirect } from '../../../payments/payment.ts';
import type { AcquirerAnswer } from '../../../payments/ports.ts';
import type { ConnectorNeeds } from '../../kind.ts';
import type { Book, Entry } from '../book.ts';
import { type Directives, msFor } from '../directives.ts';
import { answers } from './choices.ts';
import { createConfirmer, WAIT_MS_MAX } from './confirm.ts';
import { readTicket, type Ticket } from './ticket.ts';

/** A shopper whom nobody plays: what he does, and when, stands in the payment. */

const AFTER_MS = 2_000;
/** So long the gateway has to write down where it sent him, before it hears what he did there. */
const MOMENT_MS = 250;
const choices: Readonly<Record<string, 'pay' | 'decline' | 'cancel'>> = { pays: 'pay', declines: 'decline', cancels: 'cancel' };

type Alone = { readonly answer: AcquirerAnswer; readonly decidedAt: number; readonly isAlone: true };

/** What he decides by himself; null when he waits for somebody to click. It follows from the payment alone, so that every node knows it. */
export function decidedAlone({ id, createdAt }: Payment, { shopper = '', shopperAfter }: Directives): Alone | null {
  const choice = choices[shopper];
  if (choice === undefined) return null;
  return { answer: answers[choice]({ paymentId: id }), decidedAt: createdAt + msFor(shopperAfter, AFTER_MS), isAlone: true };
}

type AloneNeeds = Pick<ConnectorNeeds, 'clockOf' | 'sleep' | 'tell'> & { readonly book: Book };

/**
 * Lets him decide in his time, and the bank tell it. A process that ends before leaves it to whoever asks: the book of the next one has
 * the same entry.
 */
export function createAlone({ clockOf, sleep, tell, book }: AloneNeeds) {
  const confirm = createConfirmer({ sleep, tell });
  return async function alone({ url }: Redirect): Promise<void> {
    const ticket = readTicket(url.slice(url.lastIndexOf('/') + 1));
    const entry = ticket && book.find(ticket.paymentId);
    if (!ticket || !entry?.isAlone) return;
    const waitMs = Math.max(MOMENT_MS, entry.decidedAt - clockOf(ticket.merchantId).now());
    if (waitMs > WAIT_MS_MAX) return;
    await sleep(waitMs);
    if (isStanding(book, ticket, entry)) await confirm(ticket, entry.answer);
  };
}

/** The shop may have taken it back meanwhile. */
const isStanding = (book: Book, { paymentId }: Ticket, { answer }: Entry): boolean => book.find(paymentId)?.answer === answer;
