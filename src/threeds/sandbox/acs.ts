import type { AReq, ARes, RReq } from '../messages/message.ts';
import { type NetworkName, networks } from '../networks.ts';
import { type AppStep, answerApp } from './appChallenge.ts';
import { actOnChallenge, openChallenge, type Step } from './challenge.ts';
import { pulledIn } from './directives.ts';
import { playOf } from './play.ts';
import { cardOf, proofFor } from './proof.ts';
import { resultsOf } from './resultsRequest.ts';
import { macOf, SANDBOX_KEY, seal, unseal, uuidFrom } from './seal.ts';
import { moneyOf, type Posted, TICKET, type Ticket, ticketOf } from './ticket.ts';

export type AcsOptions = {
  /** Where its pages are served: `…/method`, `…/challenge`; apps ask at `…/app`. */
  readonly url: string;
  readonly key?: string;
  /** The servers to which shoppers may be sent back; left out: to any. With a key that everybody knows, tickets can be forged. */
  readonly origins?: readonly string[];
};

/** The request as the directory server passes it on. */
export type Passed = {
  readonly areq: AReq;
  readonly network: NetworkName;
  readonly dsTransID: string;
  readonly dsReferenceNumber: string;
  readonly now: number;
};

/** The access control server of every issuer of the test environment. It remembers nothing. */
export interface Acs {
  authenticate(passed: Passed): ARes;
  /** The shopper arrives: POST to the address of the challenge with `creq` and `threeDSSessionData`. */
  open(ticket: string, posted: Posted, now: number): Step;
  /** The shopper does something on the page: POST with `state` and `action`. */
  act(posted: Posted, now: number): Step;
  /** An app asks: POST of a challenge request as JSON, in clear. */
  app(ticket: string, creq: unknown, now: number): AppStep;
  /** Whether the cardholder who is asked apart has decided by now; the address is that of the phase `decoupled`. */
  poll(acsUrl: string, now: number): RReq | null;
}

const REFERENCE = 'TURNPIKE_SANDBOX_ACS_0001';

export function createAcs({ url, key = SANDBOX_KEY, origins }: AcsOptions): Acs {
  const challengeUrl = (ticket: Ticket): string =>
    `${url}/${ticket.sdkTransID === null || ticket.asks === 'decoupled' ? 'challenge' : 'app'}?ticket=${seal(key, TICKET, ticket)}`;
  const means = { key, actionUrl: `${url}/challenge/action`, origins: origins ?? null };
  return {
    authenticate: (passed) => authenticate(passed, { key, challengeUrl }),
    open: (ticket, posted, now) => openChallenge(means, { ticket: unseal(key, TICKET, ticket), posted, now }),
    act: (posted, now) => actOnChallenge(means, posted, now),
    app: (ticket, creq, now) => answerApp(key, { ticket: unseal(key, TICKET, ticket), creq, now }),
    poll(acsUrl, now) {
      const ticket = unseal<Ticket>(key, TICKET, new URL(acsUrl).searchParams.get('ticket') ?? '');
      if (ticket === null || ticket.decidesAt === null || now < ticket.decidesAt) return null;
      return resultsOf(key, ticket, { status: ticket.status, reason: ticket.reason, cancel: null, interactions: 0 });
    },
  };
}

type Means = { readonly key: string; readonly challengeUrl: (ticket: Ticket) => string };

function authenticate({ areq, network, dsTransID, dsReferenceNumber, now }: Passed, { key, challengeUrl }: Means): ARes {
  const pulled = pulledIn(areq);
  const play = playOf(areq, pulled);
  const acsTransID = uuidFrom(key, 'acs', `${areq.threeDSServerTransID}|${dsTransID}`);
  const common = {
    messageType: 'ARes',
    messageVersion: areq.messageVersion,
    threeDSServerTransID: areq.threeDSServerTransID,
    acsTransID,
    dsTransID,
    acsReferenceNumber: REFERENCE,
    dsReferenceNumber,
    ...(areq.sdkTransID !== undefined && { sdkTransID: areq.sdkTransID }),
  } as const;
  if (play.asks === 'no') return { ...common, ...atOnce({ play, areq, network, dsTransID, key }) };
  const acsURL = challengeUrl(ticketOf({ areq, play, pulled, network, ids: { dsTransID, acsTransID }, now }));
  if (play.asks === 'decoupled') {
    return { ...common, transStatus: 'D', authenticationType: '04', acsDecConInd: 'Y', acsChallengeMandated: 'N', acsURL };
  }
  const where =
    areq.deviceChannel === '01'
      ? { acsSignedContent: signedContent(key, areq, acsURL), acsRenderingType: RENDERING }
      : { acsURL };
  const mandated = areq.threeDSRequestorChallengeInd === '04' ? 'Y' : 'N';
  const authenticationType = play.page === 'app' ? '03' : '02';
  return { ...common, transStatus: 'C', authenticationType, acsChallengeMandated: mandated, ...where };
}

const RENDERING = { acsInterface: '01', acsUiTemplate: '01' };

/** For a test SDK: signed with the key of the sandbox, where an issuer signs with its certificate. */
function signedContent(key: string, { sdkEphemPubKey }: AReq, acsURL: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const body = `${part({ alg: 'HS256' })}.${part({ acsURL, sdkEphemPubKey })}`;
  return `${body}.${macOf(key, 'jws', body).toString('base64url')}`;
}

type Sure = Pick<Passed, 'areq' | 'network' | 'dsTransID'> & {
  readonly play: ReturnType<typeof playOf>;
  readonly key: string;
};

function atOnce({ play, areq, network, dsTransID, key }: Sure) {
  const { authenticated, attempted, none, informational } = networks[network].eci;
  const { status, reason } = play;
  if (status === 'Y' || status === 'A') {
    const eci = status === 'Y' ? authenticated : attempted;
    const [card, money] = [cardOf(areq.acctNumber), moneyOf(areq)];
    const authenticationValue = proofFor({ dsTransactionId: dsTransID, card, eci, money, key });
    return { transStatus: status, eci, authenticationValue };
  }
  return {
    transStatus: status,
    eci: status === 'I' ? informational : none,
    ...(reason !== null && { transStatusReason: reason }),
    ...(status === 'R' && { cardholderInfo: 'Please call your bank.' }),
  };
}
