import { MINUTE_MS } from '../../spec/time.ts';
import { decodeMessage, encodeMessage } from '../messages/codec.ts';
import type { CRes, RReq } from '../messages/message.ts';
import { readMessage } from '../messages/validate.ts';
import { appPage } from '../pages/appPage.ts';
import { codePage, type Note } from '../pages/codePage.ts';
import { endPage, errorPage } from '../pages/endPage.ts';
import { isAllowed, type Page } from '../pages/page.ts';
import { type Ending, resultsOf } from './resultsRequest.ts';
import { macOf, seal, unseal, uuidFrom } from './seal.ts';
import { type PageState, type Posted, STATE, type Ticket } from './ticket.ts';

/** A results request on its way, before the page is shown or after it. */
export type Delivery = { readonly when: 'before' | 'after'; readonly rreq: RReq; readonly url: string };

/** What the shopper sees next, and what the issuer sends meanwhile. */
export type Step = { readonly status: 200 | 400; readonly page: Page; readonly sends: readonly Delivery[] };

type Means = { readonly key: string; readonly actionUrl: string; readonly origins: readonly string[] | null };

export const WRONG_MAX = 3;
const OPEN_MS_MAX = 10 * MINUTE_MS;

/** The code of a challenge: six digits that follow from its id, so that nobody has to remember them. */
export function codeOf(key: string, { acsTransID }: Ticket, sent: number): string {
  return String(macOf(key, 'code', `${acsTransID}|${sent}`).readUInt32BE(0) % 1_000_000).padStart(6, '0');
}

const refused = (language: string): Step => ({ status: 400, page: errorPage(language), sends: [] });

type Arrival = { readonly ticket: Ticket | null; readonly posted: Posted; readonly now: number };

/** The shopper arrives with his challenge request. It must be of the very challenge that the address is of. */
export function openChallenge(means: Means, { ticket, posted, now }: Arrival): Step {
  if (ticket === null) return refused('en');
  const { message: creq } = readMessage('CReq', decodeMessage(posted.creq ?? ''));
  // Who is asked apart from the checkout opens the page of his app without a request.
  const isOwn =
    ticket.asks === 'decoupled' ||
    (creq?.acsTransID === ticket.acsTransID && creq.threeDSServerTransID === ticket.threeDSServerTransID);
  if (!isOwn) return refused(ticket.language);
  const state: PageState = {
    ticket,
    wrong: 0,
    sent: 0,
    sessionData: (posted.threeDSSessionData ?? '').slice(0, 1024),
    windowSize: creq?.challengeWindowSize ?? '05',
  };
  return isOver(ticket, now) ? timedOut(means, state) : shown(means, state, null);
}

/** The shopper has pressed a button. The page's own state comes back with it, signed. */
export function actOnChallenge(means: Means, posted: Posted, now: number): Step {
  const state = unseal<PageState>(means.key, STATE, posted.state ?? '');
  if (state === null) return refused('en');
  const { ticket } = state;
  if (isOver(ticket, now)) return timedOut(means, state);
  const isApp = ticket.page === 'app' || ticket.asks === 'decoupled';
  switch (posted.action) {
    case 'cancel':
      return finish(means, state, { status: 'N', reason: '01', cancel: '01' });
    case 'confirm':
      return isApp ? finish(means, state, right(ticket)) : refused(ticket.language);
    case 'deny':
      return isApp ? finish(means, state, { status: 'N', reason: '01', cancel: null }) : refused(ticket.language);
    case 'resend':
      return isApp ? refused(ticket.language) : shown(means, { ...state, sent: Math.min(state.sent + 1, 99) }, 'resent');
    case 'submit':
      return isApp ? refused(ticket.language) : entered(means, state, posted.code ?? '');
    default:
      return refused(ticket.language);
  }
}

const right = ({ status, reason }: Ticket): Omit<Ending, 'interactions'> => ({ status, reason, cancel: null });
/** The issuer waits no longer than this for an answer. */
export const isOver = ({ createdAt, asks }: Ticket, now: number): boolean =>
  asks === 'challenge' && now - createdAt > OPEN_MS_MAX;
const timedOut = (means: Means, state: PageState): Step => finish(means, state, { status: 'N', reason: '14', cancel: '04' });

function entered(means: Means, state: PageState, code: string): Step {
  const { ticket, sent, wrong } = state;
  if (code.replaceAll(/\s/g, '') === codeOf(means.key, ticket, sent)) return finish(means, state, right(ticket));
  const tries = wrong + 1;
  if (tries >= WRONG_MAX) return finish(means, { ...state, wrong: tries }, { status: 'N', reason: '19', cancel: null });
  return shown(means, { ...state, wrong: tries }, 'wrong');
}

function shown({ key, actionUrl }: Means, state: PageState, note: Note): Step {
  const { ticket, windowSize, wrong, sent } = state;
  const view = { ticket, windowSize, actionUrl, state: seal(key, STATE, state) };
  const isApp = ticket.page === 'app' || ticket.asks === 'decoupled';
  const page = isApp ? appPage(view) : codePage({ ...view, code: codeOf(key, ticket, sent), left: WRONG_MAX - wrong, note });
  return { status: 200, page, sends: [] };
}

/** The end: results to the server, and the shopper back to the shop with a message that proves nothing. */
function finish({ key, origins }: Means, state: PageState, ending: Omit<Ending, 'interactions'>): Step {
  const { ticket, sessionData } = state;
  const rreq = resultsOf(key, ticket, { ...ending, interactions: state.wrong + 1 });
  const isYes = ending.status === 'Y' || ending.status === 'A';
  const url = ticket.return === 'lost' || !isAllowed(ticket.notificationURL, origins) ? null : ticket.notificationURL;
  const form = url && ticket.asks === 'challenge' ? { url, parameters: returned(key, ticket, { isYes, sessionData }) } : null;
  const page = endPage({ language: ticket.language, form, isYes });
  return { status: 200, page, sends: deliveries(key, ticket, rreq) };
}

/** The results request on its ways, as the request wishes it. */
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

type Brought = { readonly isYes: boolean; readonly sessionData: string };

function returned(key: string, ticket: Ticket, { isYes, sessionData }: Brought) {
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
