import { labelsFor } from '../labels/challengeLabels.ts';
import type { CRes, Erro } from '../messages/message.ts';
import { erroOf, readMessage } from '../messages/validate.ts';
import { codeOf, type Delivery, deliveries, isOver, WRONG_MAX } from './challenge.ts';
import { type Ending, resultsOf } from './resultsRequest.ts';
import type { Ticket } from './ticket.ts';

/** The issuer's answer to an app, and what it sends meanwhile. */
export type AppStep = { readonly reply: CRes | Erro; readonly sends: readonly Delivery[] };

type Asking = { readonly ticket: Ticket | null; readonly creq: unknown; readonly now: number };

/** A challenge inside an app, by a test SDK that speaks in clear. The SDK's own counter counts the tries. */
export function answerApp(key: string, { ticket, creq: value, now }: Asking): AppStep {
  const { message: creq, faults } = readMessage('CReq', value);
  if (faults) return { reply: erroOf({ component: 'A', about: value, faults }), sends: [] };
  const isOwn =
    ticket !== null &&
    creq.acsTransID === ticket.acsTransID &&
    creq.threeDSServerTransID === ticket.threeDSServerTransID &&
    creq.sdkTransID !== undefined &&
    creq.sdkTransID === ticket.sdkTransID;
  if (!isOwn) {
    const strange = { name: 'acsTransID', code: '301', says: '' } as const;
    return { reply: erroOf({ component: 'A', about: value, faults: [strange] }), sends: [] };
  }
  const counter = creq.sdkCounterStoA ?? '000';
  const tries = Number.parseInt(counter, 10);
  const end = (ending: Omit<Ending, 'interactions'>): AppStep => ended(key, ticket, { ...ending, interactions: tries, counter });
  if (isOver(ticket, now)) return end({ status: 'N', reason: '14', cancel: '04' });
  if (creq.challengeCancel !== undefined) return end({ status: 'N', reason: '01', cancel: creq.challengeCancel });
  const isRight = ticket.page === 'app' ? creq.oobContinue === true : creq.challengeDataEntry === codeOf(key, ticket, 0);
  if (isRight) return end({ status: ticket.status, reason: ticket.reason, cancel: null });
  if (tries >= WRONG_MAX) return end({ status: 'N', reason: '19', cancel: null });
  return { reply: asking(key, ticket, counter), sends: [] };
}

const base = ({ version, threeDSServerTransID, acsTransID, sdkTransID }: Ticket, counter: string) =>
  ({
    messageType: 'CRes',
    messageVersion: version,
    threeDSServerTransID,
    acsTransID,
    ...(sdkTransID !== null && { sdkTransID }),
    acsCounterAtoS: counter,
  }) as const;

function asking(key: string, ticket: Ticket, counter: string): CRes {
  const labels = labelsFor(ticket.language);
  const isApp = ticket.page === 'app';
  return {
    ...base(ticket, counter),
    challengeCompletionInd: 'N',
    acsUiType: isApp ? '04' : '01',
    challengeInfoHeader: labels.title.slice(0, 45),
    challengeInfoText: isApp ? labels.appLead : `${labels.codeLead} ${labels.sandboxCode} ${codeOf(key, ticket, 0)}`,
    challengeInfoLabel: labels.codeLabel.slice(0, 45),
    submitAuthenticationLabel: labels.submit.slice(0, 45),
  };
}

function ended(key: string, ticket: Ticket, { counter, ...ending }: Ending & { readonly counter: string }): AppStep {
  const isYes = ending.status === 'Y' || ending.status === 'A';
  const rreq = resultsOf(key, ticket, ending);
  return {
    reply: { ...base(ticket, counter), challengeCompletionInd: 'Y', transStatus: isYes ? 'Y' : 'N' },
    sends: deliveries(key, ticket, rreq),
  };
}
