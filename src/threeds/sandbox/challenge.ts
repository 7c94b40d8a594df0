import { ONE_TIME_CODE } from '../../spec/cards/testCards.ts';
import { MINUTE_MS } from '../../spec/time.ts';
import { labelsFor } from '../labels/challengeLabels.ts';
import { type CRes, decodeMessage, type Erro, encodeMessage, type RReq } from '../messages/message.ts';
import { buildErro, readMessage } from '../messages/validate.ts';
import { networks } from '../networks.ts';
import { appPage, codePage, endPage, errorPage, type Note } from '../pages/issuerPages.ts';
import { isAllowed, type Page } from '../pages/page.ts';
import { proofFor } from './proof.ts';
import { seal, unseal, uuidFrom } from './seal.ts';
import { type FormFields, moneyIn, type PageState, STATE, type Ticket } from './ticket.ts';

/** A results request to send, before the page is shown or after it. */
export type Delivery = { readonly when: 'before' | 'after'; readonly rreq: RReq; readonly url: string };

/** The next page, and the results requests that the issuer sends. */
export type Step = { readonly status: 200 | 400; readonly page: Page; readonly sends: readonly Delivery[] };

type ChallengeOptions = { readonly key: string; readonly actionUrl: string; readonly origins: readonly string[] | null };

const WRONG_MAX = 3;
const OPEN_MS_MAX = 10 * MINUTE_MS;

const errorStep = (language: string): Step => ({ status: 400, page: errorPage(language), sends: [] });

type ChallengeOpening = { readonly ticket: Ticket | null; readonly posted: FormFields; readonly now: number };

/** Opens the challenge. The challenge request must match the ticket of the address. */
export function openChallenge(options: ChallengeOptions, { ticket, posted, now }: ChallengeOpening): Step {
  if (ticket === null) return errorStep('en');
  const { message: creq } = readMessage('CReq', decodeMessage(posted.creq ?? ''));
  // In a decoupled authentication the page is opened without a challenge request.
  const isOwn =
    ticket.asks === 'decoupled' ||
    (creq?.acsTransID === ticket.acsTransID && creq.threeDSServerTransID === ticket.threeDSServerTransID);
  if (!isOwn) return errorStep(ticket.language);
  const state: PageState = {
    ticket,
    wrong: 0,
    sent: 0,
    sessionData: (posted.threeDSSessionData ?? '').slice(0, 1024),
    windowSize: creq?.challengeWindowSize ?? '05',
  };
  return isOver(ticket, now) ? timedOut(options, state) : showPage(options, state, null);
}

/** Handles a button. The page's signed state is posted with it. */
export function actOnChallenge(options: ChallengeOptions, posted: FormFields, now: number): Step {
  const state = unseal<PageState>(options.key, STATE, posted.state ?? '');
  if (state === null) return errorStep('en');
  const { ticket } = state;
  if (isOver(ticket, now)) return timedOut(options, state);
  const isApp = ticket.page === 'app' || ticket.asks === 'decoupled';
  switch (posted.action) {
    case 'cancel':
      return finish(options, state, { status: 'N', reason: '01', cancel: '01' });
    case 'confirm':
      return isApp ? finish(options, state, passed(ticket)) : errorStep(ticket.language);
    case 'deny':
      return isApp ? finish(options, state, { status: 'N', reason: '01', cancel: null }) : errorStep(ticket.language);
    case 'resend':
      return isApp ? errorStep(ticket.language) : showPage(options, { ...state, sent: Math.min(state.sent + 1, 99) }, 'resent');
    case 'submit':
      return isApp ? errorStep(ticket.language) : checkCode(options, state, posted.code ?? '');
    default:
      return errorStep(ticket.language);
  }
}

const passed = ({ status, reason }: Ticket): Omit<Ending, 'interactions'> => ({ status, reason, cancel: null });
/** Whether the time for the challenge is over. */
const isOver = ({ createdAt, asks }: Ticket, now: number): boolean => asks === 'challenge' && now - createdAt > OPEN_MS_MAX;
const timedOut = (options: ChallengeOptions, state: PageState): Step =>
  finish(options, state, { status: 'N', reason: '14', cancel: '04' });

function checkCode(options: ChallengeOptions, state: PageState, code: string): Step {
  const { ticket, wrong } = state;
  if (code.replaceAll(/\s/g, '') === ONE_TIME_CODE) return finish(options, state, passed(ticket));
  const tries = wrong + 1;
  if (tries >= WRONG_MAX) return finish(options, { ...state, wrong: tries }, { status: 'N', reason: '19', cancel: null });
  return showPage(options, { ...state, wrong: tries }, 'wrong');
}

function showPage({ key, actionUrl }: ChallengeOptions, state: PageState, note: Note): Step {
  const { ticket, windowSize, wrong } = state;
  const view = { ticket, windowSize, actionUrl, state: seal(key, STATE, state) };
  const isApp = ticket.page === 'app' || ticket.asks === 'decoupled';
  const page = isApp ? appPage(view) : codePage({ ...view, code: ONE_TIME_CODE, left: WRONG_MAX - wrong, note });
  return { status: 200, page, sends: [] };
}

/** Ends the challenge: results go to the 3DS server, and the shopper returns with a challenge response that proves nothing. */
function finish({ key, origins }: ChallengeOptions, state: PageState, ending: Omit<Ending, 'interactions'>): Step {
  const { ticket, sessionData } = state;
  const rreq = resultsOf(key, ticket, { ...ending, interactions: state.wrong + 1 });
  const isYes = ending.status === 'Y' || ending.status === 'A';
  const url = ticket.return === 'lost' || !isAllowed(ticket.notificationURL, origins) ? null : ticket.notificationURL;
  const form =
    url && ticket.asks === 'challenge' ? { url, parameters: returnParameters(key, ticket, { isYes, sessionData }) } : null;
  const page = endPage({ language: ticket.language, form, isYes });
  return { status: 200, page, sends: deliveries(key, ticket, rreq) };
}

/** The results requests to send, as the directive says. */
function deliveries(key: string, { results, acsTransID, resultsURL: url }: Ticket, rreq: RReq): readonly Delivery[] {
  const before: Delivery = { when: 'before', rreq, url };
  switch (results) {
    case 'lost':
      return [];
    case 'after':
      return [{ when: 'after', rreq, url }];
    case 'twice':
      return [before, before];
    case 'foreign':
      return [{ ...before, rreq: { ...rreq, acsTransID: uuidFrom(key, 'foreign', acsTransID) } }];
    default:
      return [before];
  }
}

type ReturnInput = { readonly isYes: boolean; readonly sessionData: string };

function returnParameters(key: string, ticket: Ticket, { isYes, sessionData }: ReturnInput) {
  const { version, threeDSServerTransID, acsTransID } = ticket;
  const cres: CRes = {
    messageType: 'CRes',
    messageVersion: version,
    threeDSServerTransID,
    acsTransID: ticket.return === 'foreign' ? uuidFrom(key, 'foreign', acsTransID) : acsTransID,
    challengeCompletionInd: 'Y',
    transStatus: isYes || ticket.return === 'forged' ? 'Y' : 'N',
  };
  const value = ticket.return === 'garbled' ? 'no-message' : encodeMessage(cres);
  return [
    { name: 'cres', value },
    { name: 'threeDSSessionData', value: sessionData },
  ];
}

/** How a challenge ended. `cancel`: the protocol's code for who or what ended it early. */
type Ending = {
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
