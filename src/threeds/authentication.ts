import { maskCardNumbers } from '../spec/cards/cardNumbers.ts';
import { MINUTE_MS } from '../spec/time.ts';
import type { AuthenticationParameters } from './authenticationNeed.ts';
import {
  type ARes,
  type ChallengeReturn,
  type Erro,
  errorCodes,
  isAtLeast,
  type RReq,
  type Version,
  versions,
} from './messages/message.ts';
import { kindByError, kindOf, type Outcome, outcomeWithoutMessage } from './outcome.ts';

/** The phase of an authentication. `dueAt`: its deadline, after which the event `elapsed` applies. */
export type AuthenticationPhase =
  /**
   * A page of the gateway collects the browser data that the merchant has not sent. `methodUrl`: null when the issuer has no 3DS method.
   */
  | { readonly at: 'browser'; readonly methodUrl: string | null; readonly dueAt: number }
  /** The 3DS method: the issuer fingerprints the browser in a hidden frame. */
  | { readonly at: 'method'; readonly methodUrl: string; readonly dueAt: number }
  /** The authentication request is sent to the directory server, once. */
  | { readonly at: 'asking'; readonly dueAt: number }
  /** The shopper is at the issuer. `isBack`: the shopper has returned, and the results have not arrived. */
  | { readonly at: 'challenge'; readonly acsUrl: string | null; readonly isBack: boolean; readonly dueAt: number }
  /** Decoupled authentication. `acsUrl`: the address by which an issuer of the test environment is polled. */
  | { readonly at: 'decoupled'; readonly acsUrl: string | null; readonly dueAt: number }
  | { readonly at: 'done'; readonly outcome: Outcome };

/** The complete state of an authentication. It is stored as JSON; the proof in its outcome is a secret, see `withoutProof`. */
export type Authentication = {
  readonly threeDSServerTransID: string;
  readonly acsTransID: string | null;
  readonly dsTransID: string | null;
  readonly sdkTransID: string | null;
  /** The browser data that a page of the gateway has collected, by the names of the parameters. */
  readonly browser?: BrowserData;
  readonly version: Version;
  readonly parameters: Pick<AuthenticationParameters, 'network' | 'deviceChannel' | 'messageCategory' | 'windowSize'>;
  /** Whether the 3DS method completed: Y, not in time: N, or the issuer has none: U. */
  readonly threeDSCompInd: 'Y' | 'N' | 'U';
  readonly challengeMandated: 'Y' | 'N' | null;
  /** Data that an app's SDK needs for a challenge. */
  readonly acsReferenceNumber: string | null;
  readonly acsSignedContent: string | null;
  readonly dsReferenceNumber: string | null;
  /** How long the cardholder has in a decoupled authentication. */
  readonly decoupledMinutes: number;
  readonly phase: AuthenticationPhase;
  /** Results were accepted: repeated results must be equal. */
  readonly hasResults: boolean;
  readonly createdAt: number;
  /** The number of changes, from 1. */
  readonly revision: number;
};

/** Parameters of `customer.browser`, by their names. */
export type BrowserData = Readonly<Record<string, string>>;

export type AuthenticationEvent =
  /** The page has collected the browser data. */
  | { readonly is: 'browserData'; readonly browser: BrowserData }
  /** The 3DS method has completed. */
  | { readonly is: 'methodDone'; readonly threeDSServerTransID: string }
  /** The shopper continued without waiting for it. */
  | { readonly is: 'methodSkipped' }
  | { readonly is: 'answered'; readonly ares: ARes }
  | { readonly is: 'erred'; readonly erro: Erro }
  /** An answer that is no message. */
  | { readonly is: 'garbled' }
  | { readonly is: 'unreachable' }
  | { readonly is: 'results'; readonly rreq: RReq }
  /** The shopper has returned, with a challenge response or an error message, or null when it cannot be read. */
  | { readonly is: 'returned'; readonly cres: ChallengeReturn | null }
  /** By the merchant, or by a shopper who chose another way to pay. */
  | { readonly is: 'abandoned' }
  | { readonly is: 'elapsed' };

export const METHOD_MS_MAX = 10_000;
export const ANSWER_MS_MAX = 10_000;
export const CHALLENGE_MS_MAX = 15 * MINUTE_MS;
/** Results arrive before the shopper returns; this much later they count as missing. */
export const RESULTS_MS_MAX = 30_000;
const DECOUPLED_GRACE_MS = 30_000;

type AuthenticationStart = {
  readonly threeDSServerTransID: string;
  readonly version: Version;
  readonly parameters: Authentication['parameters'];
  readonly methodUrl: string | null;
  readonly sdkTransID: string | null;
  readonly decoupledMinutes: number;
};

const asking = (now: number): AuthenticationPhase => ({ at: 'asking', dueAt: now + ANSWER_MS_MAX });
const method = (methodUrl: string, now: number): AuthenticationPhase => ({ at: 'method', methodUrl, dueAt: now + METHOD_MS_MAX });

/**
 * The first state: browser data when it is missing, then the 3DS method when the issuer has one and there is a browser, otherwise the
 * authentication request.
 */
export function beginAuthentication(
  { methodUrl, parameters, ...rest }: AuthenticationStart,
  now: number,
  isBrowserMissing = false,
): Authentication {
  const { network, deviceChannel, messageCategory, windowSize } = parameters;
  const hasMethod = methodUrl !== null && deviceChannel === '02';
  const started = hasMethod ? method(methodUrl, now) : asking(now);
  return {
    ...rest,
    acsTransID: null,
    dsTransID: null,
    parameters: { network, deviceChannel, messageCategory, windowSize },
    threeDSCompInd: hasMethod ? 'N' : 'U',
    challengeMandated: null,
    acsReferenceNumber: null,
    acsSignedContent: null,
    dsReferenceNumber: null,
    phase: isBrowserMissing ? { at: 'browser', methodUrl, dueAt: now + CHALLENGE_MS_MAX } : started,
    hasResults: false,
    createdAt: now,
    revision: 1,
  };
}

/**
 * The newest version that both sides support; null when there is none. Merchant-initiated authentication with a payment exists since
 * 2.2.
 */
export function versionFor(
  range: { readonly from: string; readonly to: string },
  parameters: AuthenticationParameters,
): Version | null {
  const isNew = parameters.deviceChannel === '03' && parameters.messageCategory === '01';
  const spoken = versions.filter(
    (version) => isAtLeast(version, range.from) && isAtLeast(range.to, version) && (!isNew || version !== '2.1.0'),
  );
  return spoken.find((version) => version === parameters.requestedVersion) ?? spoken[0] ?? null;
}

type Change = Partial<Authentication> & Pick<Authentication, 'phase'>;
type Transition = (authentication: Authentication, event: AuthenticationEvent, now: number) => Change | null;

const done = (outcome: Outcome): Change => ({ phase: { at: 'done', outcome } });
const stop: Readonly<Record<'abandoned' | 'unreachable' | 'invalid', Transition>> = {
  abandoned: () => done(outcomeWithoutMessage('abandoned')),
  unreachable: () => done(outcomeWithoutMessage('unreachable')),
  invalid: () => done(outcomeWithoutMessage('invalid')),
};

const ask = (threeDSCompInd: 'Y' | 'N', now: number): Change => ({ threeDSCompInd, phase: asking(now) });

const browserData: Transition = ({ phase }, event, now) => {
  if (event.is !== 'browserData' || phase.at !== 'browser') return null;
  return { browser: event.browser, phase: phase.methodUrl === null ? asking(now) : method(phase.methodUrl, now) };
};

/** A notification of another authentication is ignored. */
const methodDone: Transition = ({ threeDSServerTransID }, event, now) =>
  event.is === 'methodDone' && event.threeDSServerTransID === threeDSServerTransID ? ask('Y', now) : null;

const erred: Transition = (_, event) => {
  if (event.is !== 'erred') return null;
  const { errorCode } = event.erro;
  // An unknown code is an error of the sender.
  return done(outcomeWithoutMessage(Object.hasOwn(errorCodes, errorCode) ? kindByError[errorCode] : 'technical', errorCode));
};

const answered: Transition = (authentication, event, now) => {
  if (event.is !== 'answered') return null;
  const { ares } = event;
  if (ares.threeDSServerTransID !== authentication.threeDSServerTransID) return done(outcomeWithoutMessage('foreign'));
  if (ares.messageVersion !== authentication.version) return done(outcomeWithoutMessage('invalid'));
  const known = {
    acsTransID: ares.acsTransID,
    dsTransID: ares.dsTransID,
    challengeMandated: ares.acsChallengeMandated ?? null,
    acsReferenceNumber: ares.acsReferenceNumber,
    acsSignedContent: ares.acsSignedContent ?? null,
    dsReferenceNumber: ares.dsReferenceNumber,
  };
  if (ares.transStatus === 'C') {
    return { ...known, phase: { at: 'challenge', acsUrl: ares.acsURL ?? null, isBack: false, dueAt: now + CHALLENGE_MS_MAX } };
  }
  if (ares.transStatus === 'D') {
    const waitMs = authentication.decoupledMinutes * MINUTE_MS + DECOUPLED_GRACE_MS;
    return { ...known, phase: { at: 'decoupled', acsUrl: ares.acsURL ?? null, dueAt: now + waitMs } };
  }
  return { ...known, ...done(outcomeOf(ares, 'frictionless', ares.cardholderInfo ?? null)) };
};

function outcomeOf(sent: ARes | RReq, flow: NonNullable<Outcome['flow']>, cardholderInfo: string | null): Outcome {
  const { transStatus, transStatusReason } = sent;
  const challengeCancel = sent.messageType === 'RReq' ? sent.challengeCancel : undefined;
  return {
    kind: kindOf({ transStatus, transStatusReason, challengeCancel, isAsked: sent.messageType === 'RReq' }),
    flow,
    transStatus,
    transStatusReason: transStatusReason ?? null,
    eci: sent.eci ?? null,
    // Only Y and A are proven by it; with any other status it proves nothing and is not stored.
    authenticationValue: transStatus === 'Y' || transStatus === 'A' ? (sent.authenticationValue ?? null) : null,
    authenticationType: sent.authenticationType ?? null,
    // A message of the issuer for the shopper.
    cardholderInfo: cardholderInfo && maskCardNumbers(cardholderInfo),
    errorCode: null,
  };
}

/** Whether results belong to this authentication. */
export const areResultsOf = (rreq: RReq, authentication: Authentication): boolean =>
  rreq.threeDSServerTransID === authentication.threeDSServerTransID &&
  rreq.acsTransID === authentication.acsTransID &&
  rreq.dsTransID === authentication.dsTransID &&
  rreq.messageVersion === authentication.version &&
  rreq.messageCategory === authentication.parameters.messageCategory;

const results =
  (flow: 'challenge' | 'decoupled'): Transition =>
  (authentication, event) => {
    if (event.is !== 'results' || !areResultsOf(event.rreq, authentication)) return null;
    return { ...done(outcomeOf(event.rreq, flow, null)), hasResults: true };
  };

/** The shopper's browser is not trusted: it only shows that the shopper is back, or that the response is of another authentication. */
const returned: Transition = (authentication, event, now) => {
  const { phase } = authentication;
  if (event.is !== 'returned' || phase.at !== 'challenge') return null;
  const { cres } = event;
  const isForeign = (['threeDSServerTransID', 'acsTransID'] as const).some(
    (name) => cres?.[name] !== undefined && cres[name].toLowerCase() !== authentication[name]?.toLowerCase(),
  );
  if (isForeign) return done(outcomeWithoutMessage('foreign'));
  if (phase.isBack) return null;
  return { phase: { ...phase, isBack: true, dueAt: Math.min(phase.dueAt, now + RESULTS_MS_MAX) } };
};

/** Applies a transition only after the deadline: an early sweep changes nothing. */
const whenDue =
  (arrow: Transition): Transition =>
  (authentication, event, now) => {
    const { phase } = authentication;
    return phase.at !== 'done' && now >= phase.dueAt ? arrow(authentication, event, now) : null;
  };

const timeout: Transition = ({ phase }) =>
  done(outcomeWithoutMessage(phase.at === 'challenge' && phase.isBack ? 'unproven' : 'expired'));

type Transitions = Readonly<Partial<Record<AuthenticationEvent['is'], Transition>>>;

/** The complete life cycle of an authentication: a pair of phase and event that is not here changes nothing. */
export const lifecycle: Readonly<Record<AuthenticationPhase['at'], Transitions>> = {
  browser: { browserData, elapsed: whenDue(timeout), abandoned: stop.abandoned },
  method: {
    methodDone,
    methodSkipped: (_, _event, now) => ask('N', now),
    elapsed: whenDue((_, _event, now) => ask('N', now)),
    abandoned: stop.abandoned,
  },
  asking: {
    answered,
    erred,
    garbled: stop.invalid,
    unreachable: stop.unreachable,
    elapsed: whenDue(stop.unreachable),
    abandoned: stop.abandoned,
  },
  challenge: { results: results('challenge'), returned, elapsed: whenDue(timeout), abandoned: stop.abandoned },
  decoupled: { results: results('decoupled'), elapsed: whenDue(timeout), abandoned: stop.abandoned },
  done: {},
};

/** The authentication after the event: the same object when the event does not apply, otherwise the next revision. */
export function next(authentication: Authentication, event: AuthenticationEvent, now: number): Authentication {
  const change = lifecycle[authentication.phase.at][event.is]?.(authentication, event, now) ?? null;
  return change === null ? authentication : { ...authentication, ...change, revision: authentication.revision + 1 };
}

/** Moves the deadline `ms` earlier: it was set by a clock that was ahead. */
export const dueEarlier = (authentication: Authentication, ms: number): Authentication =>
  authentication.phase.at === 'done'
    ? authentication
    : {
        ...authentication,
        phase: { ...authentication.phase, dueAt: authentication.phase.dueAt - ms },
        revision: authentication.revision + 1,
      };

/** The deadline; null when the authentication is done. */
export const dueAtOf = ({ phase }: Authentication): number | null => (phase.at === 'done' ? null : phase.dueAt);

/** Splits off the proof, which must not be stored in clear: seal it or hold it in memory, and restore it with withProof(). */
export function withoutProof(authentication: Authentication): { readonly open: Authentication; readonly proof: string | null } {
  const { phase } = authentication;
  if (phase.at !== 'done' || phase.outcome.authenticationValue === null) return { open: authentication, proof: null };
  const outcome = { ...phase.outcome, authenticationValue: null };
  return { open: { ...authentication, phase: { at: 'done', outcome } }, proof: phase.outcome.authenticationValue };
}

/** Restores the proof. */
export function withProof(open: Authentication, proof: string | null): Authentication {
  if (open.phase.at !== 'done' || proof === null) return open;
  return { ...open, phase: { at: 'done', outcome: { ...open.phase.outcome, authenticationValue: proof } } };
}
