import type { AReq, ARes, RReq } from '../messages/message.ts';
import { type NetworkName, networks } from '../networks.ts';
import { type AppStep, actOnChallenge, answerApp, openChallenge, resultsOf, type Step } from './challenge.ts';
import { directivesIn } from './directives.ts';
import { issuerBehaviour } from './issuerBehaviour.ts';
import { cardOf, proofFor } from './proof.ts';
import { macOf, SANDBOX_KEY, seal, unseal, uuidFrom } from './seal.ts';
import { type FormFields, moneyOf, TICKET, type Ticket, ticketOf } from './ticket.ts';

export type AcsOptions = {
  /** The base address of its pages: `…/method`, `…/challenge`; apps use `…/app`. */
  readonly url: string;
  readonly key?: string;
  /** The origins to which shoppers may be sent back; by default any. The key is public, so tickets can be forged. */
  readonly origins?: readonly string[];
};

/** A request that the directory server forwards. */
export type ForwardedRequest = {
  readonly areq: AReq;
  readonly network: NetworkName;
  readonly dsTransID: string;
  readonly dsReferenceNumber: string;
  readonly now: number;
};

/** The access control server of every issuer of the test environment. It is stateless. */
export interface Acs {
  authenticate(passed: ForwardedRequest): ARes;
  /** Opens a challenge: POST with `creq` and `threeDSSessionData`. */
  open(ticket: string, posted: FormFields, now: number): Step;
  /** Handles a button of the challenge page: POST with `state` and `action`. */
  act(posted: FormFields, now: number): Step;
  /** Handles the challenge request of an app: POST of unencrypted JSON. */
  app(ticket: string, creq: unknown, now: number): AppStep;
  /** The results of a decoupled authentication; null while it is undecided. The address is that of the phase `decoupled`. */
  poll(acsUrl: string, now: number): RReq | null;
}

const REFERENCE = 'TURNPIKE_SANDBOX_ACS_0001';

export function createAcs({ url, key = SANDBOX_KEY, origins }: AcsOptions): Acs {
  const challengeUrl = (ticket: Ticket): string =>
    `${url}/${ticket.sdkTransID === null || ticket.asks === 'decoupled' ? 'challenge' : 'app'}?ticket=${seal(key, TICKET, ticket)}`;
  const options = { key, actionUrl: `${url}/challenge/action`, origins: origins ?? null };
  return {
    authenticate: (passed) => authenticate(passed, { key, challengeUrl }),
    open: (ticket, posted, now) => openChallenge(options, { ticket: unseal(key, TICKET, ticket), posted, now }),
    act: (posted, now) => actOnChallenge(options, posted, now),
    app: (ticket, creq, now) => answerApp(key, { ticket: unseal(key, TICKET, ticket), creq, now }),
    poll(acsUrl, now) {
      const ticket = unseal<Ticket>(key, TICKET, new URL(acsUrl).searchParams.get('ticket') ?? '');
      if (ticket === null || ticket.decidesAt === null || now < ticket.decidesAt) return null;
      return resultsOf(key, ticket, { status: ticket.status, reason: ticket.reason, cancel: null, interactions: 0 });
    },
  };
}

type AcsContext = { readonly key: string; readonly challengeUrl: (ticket: Ticket) => string };

function authenticate(
  { areq, network, dsTransID, dsReferenceNumber, now }: ForwardedRequest,
  { key, challengeUrl }: AcsContext,
): ARes {
  const given = directivesIn(areq);
  const behaviour = issuerBehaviour(areq, given);
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
  if (behaviour.asks === 'no') return { ...common, ...frictionlessResult({ behaviour, areq, network, dsTransID, key }) };
  const acsURL = challengeUrl(ticketOf({ areq, behaviour, given, network, ids: { dsTransID, acsTransID }, now }));
  if (behaviour.asks === 'decoupled') {
    return { ...common, transStatus: 'D', authenticationType: '04', acsDecConInd: 'Y', acsChallengeMandated: 'N', acsURL };
  }
  const where =
    areq.deviceChannel === '01'
      ? { acsSignedContent: signedContent(key, areq, acsURL), acsRenderingType: RENDERING }
      : { acsURL };
  const mandated = areq.threeDSRequestorChallengeInd === '04' ? 'Y' : 'N';
  const authenticationType = behaviour.page === 'app' ? '03' : '02';
  return { ...common, transStatus: 'C', authenticationType, acsChallengeMandated: mandated, ...where };
}

const RENDERING = { acsInterface: '01', acsUiTemplate: '01' };

/** For a test SDK: signed with the sandbox key instead of an issuer's certificate. */
function signedContent(key: string, { sdkEphemPubKey }: AReq, acsURL: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const body = `${part({ alg: 'HS256' })}.${part({ acsURL, sdkEphemPubKey })}`;
  return `${body}.${macOf(key, 'jws', body).toString('base64url')}`;
}

type FrictionlessInput = Pick<ForwardedRequest, 'areq' | 'network' | 'dsTransID'> & {
  readonly behaviour: ReturnType<typeof issuerBehaviour>;
  readonly key: string;
};

function frictionlessResult({ behaviour, areq, network, dsTransID, key }: FrictionlessInput) {
  const { authenticated, attempted, none, informational } = networks[network].eci;
  const { status, reason } = behaviour;
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
