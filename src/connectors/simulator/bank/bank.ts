import { nameOf } from '../../../payments/paymentName.ts';
import type { AcquirerAnswer, Page, ShopperPages } from '../../../payments/ports.ts';
import { endpoints } from '../../../spec/endpoints.ts';
import type { ConnectorNeeds } from '../../kind.ts';
import { answerAt, type Book, undecided } from '../book.ts';
import { answers, type Choice } from './choices.ts';
import { createConfirmer } from './confirm.ts';
import { kindOf, kinds } from './kinds.ts';
import { bankPage, lostPage } from './page.ts';
import { readTicket, type Ticket } from './ticket.ts';

export type BankNeeds = Pick<ConnectorNeeds, 'clockOf' | 'sleep' | 'tell'> & { readonly book: Book };

/** The bank or wallet that the shopper is sent to: it keeps its own book and tells the gateway, as it was asked to. */
export function createBank({ clockOf, sleep, tell, book }: BankNeeds): ShopperPages {
  const confirm = createConfirmer({ sleep, tell });
  const now = ({ merchantId }: Ticket): number => clockOf(merchantId).now();

  /** The book is this process's own: what is not in it was begun before a restart, or on another node. */
  const known = (ticket: Ticket): AcquirerAnswer['is'] => {
    const { paymentId, paymentType, amount } = ticket;
    const entry = book.enter(paymentId, undecided({ familyId: paymentId, paymentType, amount: BigInt(amount) }), 'asked');
    return answerAt(entry, now(ticket)).is;
  };

  async function decide(ticket: Ticket, choice: Choice): Promise<void> {
    known(ticket);
    const answer = answers[choice](ticket);
    if (answer === null) return;
    const entry = book.settle(ticket.paymentId, answer, now(ticket));
    // Whatever he clicked now, what he decided first stands.
    if (entry?.answer === answer) await confirm(ticket, answer);
  }

  return {
    show(text, languages) {
      const ticket = readTicket(text);
      return ticket ? bankPage({ ticket, state: stateOf(ticket, known(ticket), now(ticket)), languages }) : lostPage(languages);
    },
    async act(text, form, languages): Promise<Page> {
      const ticket = readTicket(text);
      if (!ticket) return lostPage(languages);
      const choice = kinds[kindOf(ticket)].choices.find((one) => one === form.get('choice'));
      const state = stateOf(ticket, known(ticket), now(ticket));
      if (choice === undefined || state === 'over') return bankPage({ ticket, state, languages });
      if (state === 'open') await decide(ticket, choice);
      return { location: endpoints.shopperReturn.path.replace('{id}', nameOf({ ...ticket, id: ticket.paymentId })) };
    },
  };
}

/** How things stand for the shopper. `over`: too late, or taken back by the shop. */
export type BankState = 'open' | 'paid' | 'refused' | 'over';

function stateOf({ until }: Ticket, is: AcquirerAnswer['is'], now: number): BankState {
  if (is === 'approved') return 'paid';
  if (is === 'declined') return 'refused';
  return is === 'cancelled' || now >= until ? 'over' : 'open';
}
