import type { RReq } from '../messages/message.ts';
import { networks } from '../networks.ts';
import { proofFor } from './proof.ts';
import { moneyIn, type Ticket } from './ticket.ts';

/** How a challenge ended. `cancel`: the protocol's code for who or what ended it early. */
export type Ending = {
  readonly status: Ticket['status'];
  readonly reason: string | null;
  readonly cancel: string | null;
  readonly interactions: number;
};

const TYPES = { decoupled: '04', app: '03', code: '02' } as const;
const METHODS = { decoupled: '08', app: '08', code: '02' } as const;

/** The results request of an issuer, with the proof where there is one. */
export function resultsOf(key: string, ticket: Ticket, { status, reason, cancel, interactions }: Ending): RReq {
  const { authenticated, attempted, none } = networks[ticket.network].eci;
  const way = ticket.asks === 'decoupled' ? 'decoupled' : ticket.page;
  const isProven = status === 'Y' || status === 'A';
  const eci = status === 'Y' ? authenticated : status === 'A' ? attempted : none;
  return {
    messageType: 'RReq',
    messageVersion: ticket.version,
    messageCategory: ticket.messageCategory,
    threeDSServerTransID: ticket.threeDSServerTransID,
    acsTransID: ticket.acsTransID,
    dsTransID: ticket.dsTransID,
    ...(ticket.sdkTransID !== null && { sdkTransID: ticket.sdkTransID }),
    transStatus: status,
    ...(reason !== null && { transStatusReason: reason }),
    eci,
    ...(isProven && {
      authenticationValue: proofFor({ dsTransactionId: ticket.dsTransID, card: ticket.card, eci, money: moneyIn(ticket), key }),
    }),
    authenticationType: TYPES[way],
    authenticationMethod: METHODS[way],
    ...(cancel !== null && { challengeCancel: cancel }),
    interactionCounter: String(Math.min(interactions, 99)).padStart(2, '0'),
  };
}
