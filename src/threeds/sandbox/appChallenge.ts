import { ONE_TIME_CODE } from '../../spec/cards/testCards.ts';
import { labelsFor } from '../labels/challengeLabels.ts';
import type { CRes, Erro } from '../messages/message.ts';
import { buildErro, readMessage } from '../messages/validate.ts';
import { type Delivery, deliveries, isOver, WRONG_MAX } from './challenge.ts';
import { type Ending, resultsOf } from './resultsRequest.ts';
import type { Ticket } from './ticket.ts';

/** The issuer's reply to an app, and the results requests it sends. */
export type AppStep = { readonly reply: CRes | Erro; readonly sends: readonly Delivery[] };

type AppRequest = { readonly ticket: Ticket | null; readonly creq: unknown; readonly now: number };

/** A challenge in an app with an unencrypted test SDK. The SDK's counter counts the tries. */
export function answerApp(key: string, { ticket, creq: value, now }: AppRequest): AppStep {
  const { message: creq, faults } = readMessage('CReq', value);
  if (faults) return { reply: buildErro({ component: 'A', about: value, faults }), sends: [] };
  const isOwn =
    ticket !== null &&
    creq.acsTransID === ticket.acsTransID &&
    creq.threeDSServerTransID === ticket.threeDSServerTransID &&
    creq.sdkTransID !== undefined &&
    creq.sdkTransID === ticket.sdkTransID;
  if (!isOwn) {
    const mismatch = { name: 'acsTransID', code: '301', says: '' } as const;
    return { reply: buildErro({ component: 'A', about: value, faults: [mismatch] }), sends: [] };
  }
  const counter = creq.sdkCounterStoA ?? '000';
  const tries = Number.parseInt(counter, 10);
  const end = (ending: Omit<Ending, 'interactions'>): AppStep =>
    finishedStep(key, ticket, { ...ending, interactions: tries, counter });
  if (isOver(ticket, now)) return end({ status: 'N', reason: '14', cancel: '04' });
  if (creq.challengeCancel !== undefined) return end({ status: 'N', reason: '01', cancel: creq.challengeCancel });
  const isRight = ticket.page === 'app' ? creq.oobContinue === true : creq.challengeDataEntry === ONE_TIME_CODE;
  if (isRight) return end({ status: ticket.status, reason: ticket.reason, cancel: null });
  if (tries >= WRONG_MAX) return end({ status: 'N', reason: '19', cancel: null });
  return { reply: challengePrompt(ticket, counter), sends: [] };
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

function challengePrompt(ticket: Ticket, counter: string): CRes {
  const labels = labelsFor(ticket.language);
  const isApp = ticket.page === 'app';
  return {
    ...base(ticket, counter),
    challengeCompletionInd: 'N',
    acsUiType: isApp ? '04' : '01',
    challengeInfoHeader: labels.title.slice(0, 45),
    challengeInfoText: isApp ? labels.appLead : `${labels.codeLead} ${labels.sandboxCode} ${ONE_TIME_CODE}`,
    challengeInfoLabel: labels.codeLabel.slice(0, 45),
    submitAuthenticationLabel: labels.submit.slice(0, 45),
  };
}

function finishedStep(key: string, ticket: Ticket, { counter, ...ending }: Ending & { readonly counter: string }): AppStep {
  const isYes = ending.status === 'Y' || ending.status === 'A';
  const rreq = resultsOf(key, ticket, ending);
  return {
    reply: { ...base(ticket, counter), challengeCompletionInd: 'Y', transStatus: isYes ? 'Y' : 'N' },
    sends: deliveries(key, ticket, rreq),
  };
}
