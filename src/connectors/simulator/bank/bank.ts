import { paymentRefText } from '../../../payments/payment.ts';
import type { AcquirerAnswer } from '../../../payments/ports.ts';
import type { Page, ShopperPages } from '../../../payments/shopperStep.ts';
import { endpoints } from '../../../spec/endpoints.ts';
import type { ConnectorNeeds } from '../../ports.ts';
import { type AcquirerRecords, answerAt, undecided } from '../acquirerRecords.ts';
import { answerByChoice, type BankState, bankFlowOf, bankFlows, createConfirmer, type ShopperChoice } from './choices.ts';
import { bankPage, notFoundPage } from './page.ts';
import { readTicket, type Ticket } from './ticket.ts';

export type BankNeeds = Pick<ConnectorNeeds, 'clockOf' | 'sleep' | 'notify'> & { readonly records: AcquirerRecords };

/** The bank or wallet that the shopper is redirected to. It keeps its own records and notifies the gateway as directed. */
export function createBank({ clockOf, sleep, notify, records }: BankNeeds): ShopperPages {
  const confirm = createConfirmer({ sleep, notify });
  const now = ({ merchantId }: Ticket): number => clockOf(merchantId).now();

  /** Records are in memory: a payment without one was begun before a restart or on another node. */
  const known = (ticket: Ticket): AcquirerAnswer['is'] => {
    const { paymentId, paymentType, amount } = ticket;
    const entry = records.add(paymentId, undecided({ familyId: paymentId, paymentType, amount: BigInt(amount) }), 'open');
    return answerAt(entry, now(ticket)).is;
  };

  async function decide(ticket: Ticket, choice: ShopperChoice): Promise<void> {
    known(ticket);
    const answer = answerByChoice[choice](ticket);
    if (answer === null) return;
    const entry = records.settle(ticket.paymentId, answer, now(ticket));
    // The first decision counts.
    if (entry?.answer === answer) await confirm(ticket, answer);
  }

  return {
    show(text, languages) {
      const ticket = readTicket(text);
      return ticket
        ? bankPage({ ticket, state: stateOf(ticket, known(ticket), now(ticket)), languages })
        : notFoundPage(languages);
    },
    async act(text, form, languages): Promise<Page> {
      const ticket = readTicket(text);
      if (!ticket) return notFoundPage(languages);
      const choice = bankFlows[bankFlowOf(ticket)].choices.find((one) => one === form.get('choice'));
      const state = stateOf(ticket, known(ticket), now(ticket));
      if (choice === undefined || state === 'over') return bankPage({ ticket, state, languages });
      if (state === 'open') await decide(ticket, choice);
      return {
        is: 'redirect',
        location: endpoints.shopperReturn.path.replace('{id}', paymentRefText({ ...ticket, id: ticket.paymentId })),
      };
    },
  };
}

function stateOf({ until }: Ticket, is: AcquirerAnswer['is'], now: number): BankState {
  if (is === 'approved') return 'paid';
  if (is === 'declined') return 'refused';
  return is === 'cancelled' || now >= until ? 'over' : 'open';
}
