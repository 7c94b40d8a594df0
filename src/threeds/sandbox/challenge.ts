import { ONE_TIME_CODE } from '../../spec/cards/testCards.ts';
import { MINUTE_MS } from '../../spec/time.ts';
import { decodeMessage, encodeMessage } from '../messages/codec.ts';
import type { CRes, RReq } from '../messages/message.ts';
import { readMessage } from '../messages/validate.ts';
import { appPage, codePage, endPage, errorPage, type Note } from '../pages/issuerPages.ts';
import { isAllowed, type Page } from '../pages/page.ts';
import { type Ending, resultsOf } from './resultsRequest.ts';
import { seal, unseal, uuidFrom } from './seal.ts';
import { type FormFields, type PageState, STATE, type Ticket } from './ticket.ts';

/** A results request to send, before the page is shown or after it. */
export type Delivery = { readonly when: 'before' | 'after'; readonly rreq: RReq; readonly url: string };

/** The next page, and the results requests that the issuer sends. */
export type Step = { readonly status: 200 | 400; readonly page: Page; readonly sends: readonly Delivery[] };

type ChallengeOptions = { readonly key: string; readonly actionUrl: string; readonly origins: readonly string[] | null };

export const WRONG_MAX = 3;
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
export const isOver = ({ createdAt, asks }: Ticket, now: number): boolean =>
  asks === 'challenge' && now - createdAt > OPEN_MS_MAX;
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
export function deliveries(key: string, { results, acsTransID, resultsURL: url }: Ticket, rreq: RReq): readonly Delivery[] {
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
