import { nameOf } from '../../../payments/named.ts';
import type { Answer, Page, ShopperPages } from '../../../payments/needs.ts';
import { endpoints } from '../../../spec/endpoints.ts';
import type { ConnectorNeeds } from '../../kind.ts';
import { answerAt, type Book, undecided } from '../book.ts';
import { kindOf, kinds } from './kinds.ts';
import { bankPage, lostPage } from './page.ts';
import { readTicket, type Ticket } from './ticket.ts';

/** What a shopper can do at the bank; `later` leaves everything open. */
export type Choice = 'pay' | 'decline' | 'cancel' | 'later';

/** The answer that each choice leads to; null: none yet. */
const answers: Readonly<Record<Choice, (ticket: Ticket) => Answer | null>> = {
  pay: ({ paymentId }) => ({ is: 'approved', details: { resultDetails: { ...detailsOf(paymentId), AcquirerResponse: '00' } } }),
  decline: ({ paymentId }) => ({ is: 'declined', code: '800.100.152', details: { resultDetails: detailsOf(paymentId) } }),
  cancel: ({ paymentId }) => ({ is: 'declined', code: '100.396.101', details: { resultDetails: detailsOf(paymentId) } }),
  later: () => null,
};

const detailsOf = (paymentId: string) => ({
  clearingInstituteName: 'Turnpike Simulator',
  ConnectorTxID1: paymentId,
  ConnectorTxID2: paymentId.slice(0, 8),
  ConnectorTxID3: paymentId.slice(-22),
});

const AFTER_MS = 2_000;
const TELLS_MAX = 10;

export type BankNeeds = Pick<ConnectorNeeds, 'clock' | 'sleep' | 'tell'> & { readonly book: Book };

/** The bank or wallet that the shopper is sent to: it keeps its own book and tells the gateway, as it was asked to. */
export function createBank({ clock, sleep, tell, book }: BankNeeds): ShopperPages {
  /** The book is this process's own: what is not in it was begun before a restart, or on another node. */
  const known = ({ paymentId, paymentType, amount }: Ticket): Answer['is'] => {
    const entry = book.enter(paymentId, undecided({ familyId: paymentId, paymentType, amount: BigInt(amount) }), 'asked');
    return answerAt(entry, clock.now()).is;
  };

  /** Tells it until it is taken; the gateway asks by itself in the end. */
  async function tellAgain(ticket: Ticket, answer: Answer, waitMs: number): Promise<void> {
    for (let tries = 0; tries < TELLS_MAX; tries += 1) {
      await sleep(waitMs);
      try {
        return await tell(ticket, answer);
      } catch {}
    }
  }

  async function confirm(ticket: Ticket, answer: Answer): Promise<void> {
    const { confirms } = ticket;
    if (confirms === 'never') return;
    if (confirms === 'after') return void tellAgain(ticket, answer, AFTER_MS);
    try {
      await tell(ticket, answer);
      if (confirms === 'twice') await tell(ticket, answer);
    } catch {
      void tellAgain(ticket, answer, AFTER_MS);
    }
  }

  async function decide(ticket: Ticket, choice: Choice): Promise<void> {
    known(ticket);
    const answer = answers[choice](ticket);
    if (answer === null) return;
    const entry = book.settle(ticket.paymentId, answer, clock.now());
    // Whatever he clicked now, what he decided first stands.
    if (entry?.answer === answer) await confirm(ticket, answer);
  }

  return {
    show(text, languages) {
      const ticket = readTicket(text);
      return ticket ? bankPage({ ticket, state: stateOf(ticket, known(ticket), clock.now()), languages }) : lostPage(languages);
    },
    async act(text, form, languages): Promise<Page> {
      const ticket = readTicket(text);
      if (!ticket) return lostPage(languages);
      const choice = kinds[kindOf(ticket)].choices.find((one) => one === form.get('choice'));
      const state = stateOf(ticket, known(ticket), clock.now());
      if (choice === undefined || state === 'over') return bankPage({ ticket, state, languages });
      if (state === 'open') await decide(ticket, choice);
      return { location: endpoints.shopperReturn.path.replace('{id}', nameOf({ ...ticket, id: ticket.paymentId })) };
    },
  };
}

/** How things stand for the shopper. `over`: too late, or taken back by the shop. */
export type BankState = 'open' | 'paid' | 'refused' | 'over';

function stateOf({ until }: Ticket, is: Answer['is'], now: number): BankState {
  if (is === 'approved') return 'paid';
  if (is === 'declined') return 'refused';
  return is === 'cancelled' || now >= until ? 'over' : 'open';
}
