import { type Authentication, type AuthenticationEvent, areResultsOf, next } from './authentication.ts';
import type { ParameterReader } from './authenticationNeed.ts';
import type { AReq, ARes, Erro, RReq, RRes } from './messages/message.ts';
import { buildErro, type MessageFault, readMessage } from './messages/validate.ts';
import type { NetworkName } from './networks.ts';

/** A card range of a directory server: the versions its issuers support and the URL of their 3DS method. */
type CardRange = { readonly from: string; readonly to: string; readonly methodUrl: string | null };

/**
 * `enrolled`: to be authenticated. `outside`: the issuer does not participate. `exempt`: a card of the test environment without
 * authentication. `wrong`: a directive of the test environment has an invalid value. `unreachable`: enrolment is unknown; the merchant's
 * policy decides.
 */
export type Enrolment =
  /** `isOptional`: a card of the test environment that older clients pay with and never authenticate. */
  | { readonly is: 'enrolled'; readonly range: CardRange; readonly isOptional?: boolean }
  | { readonly is: 'outside' }
  | { readonly is: 'exempt' }
  | { readonly is: 'unreachable' }
  | { readonly is: 'wrong'; readonly parameter: string };

/** `network`: the network the card is used on, when several know the number. Without it, any network that knows the number answers. */
export type EnrolmentQuery = { readonly number: string; readonly read: ParameterReader; readonly network?: NetworkName };

/** The directory servers, as the 3DS server sees them. */
export interface Directory {
  versions(enquiry: EnrolmentQuery): Promise<Enrolment>;
  /** Sends the AReq to the card's network. Rejects when no answer comes. The answer is not validated. */
  authenticate(areq: AReq, network: NetworkName): Promise<unknown>;
}

/** Long enough for a list in memory and for one that must be requested. */
const ENROLMENT_MS_MAX = 10_000;

type Timers = { within<T>(ms: number, promise: Promise<T>): Promise<T> };

/** The enrolment of a card. A directory that rejects, throws or does not answer in time is unreachable. */
export async function enrolmentOf(
  directory: Pick<Directory, 'versions'>,
  enquiry: Required<EnrolmentQuery>,
  timers: Timers,
): Promise<Enrolment> {
  try {
    return await timers.within(ENROLMENT_MS_MAX, directory.versions(enquiry));
  } catch {
    return { is: 'unreachable' };
  }
}

type AuthenticationCall = { readonly areq: AReq; readonly network: NetworkName };

/** Sends the AReq and returns the outcome as an event. No answer of a directory server makes it throw. */
export async function requestAuthentication(
  directory: Pick<Directory, 'authenticate'>,
  { areq, network }: AuthenticationCall,
): Promise<AuthenticationEvent> {
  let value: unknown;
  try {
    value = await directory.authenticate(areq, network);
  } catch {
    return { is: 'unreachable' };
  }
  const erro: Erro | null = readMessage('Erro', value).message;
  if (erro) return { is: 'erred', erro };
  const { messageCategory, deviceChannel } = areq;
  const ares: ARes | null = readMessage('ARes', value, { messageCategory, deviceChannel }).message;
  return ares ? { is: 'answered', ares } : { is: 'garbled' };
}

type ResultsAnswer = { readonly authentication: Authentication; readonly reply: RRes | Erro };

const erro = (about: unknown, name: string, code: MessageFault['code']): Erro =>
  buildErro({ component: 'S', about, faults: [{ name, code, says: '' }] });

/** The answer to results of an unknown authentication. */
export const unknownResults = (value: unknown): Erro => {
  const { faults } = readMessage('RReq', value);
  return faults ? buildErro({ component: 'S', about: value, faults }) : erro(value, 'threeDSServerTransID', '301');
};

/** The answer to results of an unauthorised sender. */
export const deniedResults = (value: unknown): Erro => erro(value, 'certificate', '303');

/**
 * Applies the results of a challenge: returns the new state, and the reply to send once that state is committed. Repeated equal results get
 * the same reply; different or late results change nothing.
 */
export function answerResults(authentication: Authentication, value: unknown, now: number): ResultsAnswer {
  const same = (reply: RRes | Erro): ResultsAnswer => ({ authentication, reply });
  const { message: rreq, faults } = readMessage('RReq', value, { messageCategory: authentication.parameters.messageCategory });
  if (faults) return same(buildErro({ component: 'S', about: value, faults }));
  if (!areResultsOf(rreq, authentication)) return same(erro(rreq, mismatchedId(rreq, authentication), '301'));
  const { phase, hasResults } = authentication;
  if (phase.at === 'done') {
    if (!hasResults) return same(erro(rreq, 'threeDSServerTransID', '402'));
    const isSame =
      phase.outcome.transStatus === rreq.transStatus &&
      (phase.outcome.authenticationValue === null || phase.outcome.authenticationValue === (rreq.authenticationValue ?? null));
    return same(isSame ? receipt(rreq) : erro(rreq, 'transStatus', '305'));
  }
  const moved = next(authentication, { is: 'results', rreq }, now);
  return moved === authentication
    ? same(erro(rreq, 'threeDSServerTransID', '301'))
    : { authentication: moved, reply: receipt(rreq) };
}

/** The first element that differs from the authentication. */
function mismatchedId(rreq: RReq, { threeDSServerTransID, acsTransID, dsTransID, version }: Authentication): string {
  if (rreq.threeDSServerTransID !== threeDSServerTransID) return 'threeDSServerTransID';
  if (rreq.acsTransID !== acsTransID) return 'acsTransID';
  if (rreq.dsTransID !== dsTransID) return 'dsTransID';
  return rreq.messageVersion === version ? 'messageCategory' : 'messageVersion';
}

const receipt = ({ messageVersion, threeDSServerTransID, acsTransID, dsTransID }: RReq): RRes => ({
  messageType: 'RRes',
  messageVersion,
  threeDSServerTransID,
  acsTransID,
  dsTransID,
  resultsStatus: '01',
});
