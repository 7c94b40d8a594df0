import { maskCardNumbers } from '../spec/cardNumbers.ts';
import { MINUTE_MS } from '../spec/time.ts';
import { type ARes, type CRes, type Erro, errorCodes, type RReq } from './messages/message.ts';
import { isAtLeast, type Version, versions } from './messages/version.ts';
import type { Plan } from './needed.ts';
import { endedBy, kindByError, kindOf, type Outcome } from './outcome.ts';

/** Where an authentication stands. `dueAt`: from then on nobody waits any more, and `elapsed` is to be told. */
export type AuthenticationPhase =
  /** The issuer looks at the browser in a hidden frame. */
  | { readonly at: 'method'; readonly methodUrl: string; readonly dueAt: number }
  /** The directory server is asked; the question goes out once. */
  | { readonly at: 'asking'; readonly dueAt: number }
  /** The shopper is with his issuer. `isBack`: he came back, and the results did not yet. */
  | { readonly at: 'challenge'; readonly acsUrl: string | null; readonly isBack: boolean; readonly dueAt: number }
  /** The issuer asks the cardholder in its own time. `acsUrl`: what an issuer of the test environment is asked about it by. */
  | { readonly at: 'decoupled'; readonly acsUrl: string | null; readonly dueAt: number }
  | { readonly at: 'done'; readonly outcome: Outcome };

/** One authentication, all of it. It can be kept as JSON; the proof in its outcome is a secret, see `withoutProof`. */
export type Authentication = {
  readonly threeDSServerTransID: string;
  readonly acsTransID: string | null;
  readonly dsTransID: string | null;
  readonly sdkTransID: string | null;
  readonly version: Version;
  readonly plan: Pick<Plan, 'network' | 'deviceChannel' | 'messageCategory' | 'windowSize'>;
  /** Whether the hidden frame was done: Y, not in time: N, or the issuer has none: U. */
  readonly threeDSCompInd: 'Y' | 'N' | 'U';
  readonly challengeMandated: 'Y' | 'N' | null;
  /** What an app's SDK needs for a challenge. */
  readonly acsReferenceNumber: string | null;
  readonly acsSignedContent: string | null;
  readonly dsReferenceNumber: string | null;
  /** How long the cardholder has where he is asked apart. */
  readonly decoupledMinutes: number;
  readonly phase: AuthenticationPhase;
  /** Results were taken: what comes again must be the same. */
  readonly hasResults: boolean;
  readonly createdAt: number;
  /** Counts the moves, from 1. */
  readonly revision: number;
};

export type AuthenticationEvent =
  /** The issuer's frame has told that it is done. */
  | { readonly is: 'methodDone'; readonly threeDSServerTransID: string }
  /** The shopper went on without waiting for it. */
  | { readonly is: 'methodSkipped' }
  | { readonly is: 'answered'; readonly ares: ARes }
  | { readonly is: 'erred'; readonly erro: Erro }
  /** An answer that is no message. */
  | { readonly is: 'garbled' }
  | { readonly is: 'unreachable' }
  | { readonly is: 'results'; readonly rreq: RReq }
  /** The shopper is back; what his browser brought, or null when it cannot be read. */
  | { readonly is: 'returned'; readonly cres: CRes | null }
  /** By the merchant, or by a shopper who turned to something else. */
  | { readonly is: 'abandoned' }
  | { readonly is: 'elapsed' };

export const METHOD_MS_MAX = 10_000;
export const ANSWER_MS_MAX = 10_000;
export const CHALLENGE_MS_MAX = 15 * MINUTE_MS;
/** Results come before the shopper does; this much later they will not come any more. */
export const RESULTS_MS_MAX = 30_000;
const DECOUPLED_GRACE_MS = 30_000;

type Beginning = {
  readonly threeDSServerTransID: string;
  readonly version: Version;
  readonly plan: Authentication['plan'];
  readonly methodUrl: string | null;
  readonly sdkTransID: string | null;
  readonly decoupledMinutes: number;
};

/** The first state: the hidden frame where the issuer has one and there is a browser, otherwise the question itself. */
export function begin({ methodUrl, plan, ...rest }: Beginning, now: number): Authentication {
  const { network, deviceChannel, messageCategory, windowSize } = plan;
  const hasMethod = methodUrl !== null && deviceChannel === '02';
  return {
    ...rest,
    acsTransID: null,
    dsTransID: null,
    plan: { network, deviceChannel, messageCategory, windowSize },
    threeDSCompInd: hasMethod ? 'N' : 'U',
    challengeMandated: null,
    acsReferenceNumber: null,
    acsSignedContent: null,
    dsReferenceNumber: null,
    phase: hasMethod ? { at: 'method', methodUrl, dueAt: now + METHOD_MS_MAX } : { at: 'asking', dueAt: now + ANSWER_MS_MAX },
    hasResults: false,
    createdAt: now,
    revision: 1,
  };
}

/**
 * The newest version that both sides speak; null when there is none. What the merchant starts with a payment exists since
 * 2.2.
 */
export function versionFor(range: { readonly from: string; readonly to: string }, plan: Plan): Version | null {
  const isNew = plan.deviceChannel === '03' && plan.messageCategory === '01';
  const spoken = versions.filter(
    (version) => isAtLeast(version, range.from) && isAtLeast(range.to, version) && (!isNew || version !== '2.1.0'),
  );
  return spoken.find((version) => version === plan.versionWish) ?? spoken[0] ?? null;
}

type Change = Partial<Authentication> & Pick<Authentication, 'phase'>;
type Arrow = (authentication: Authentication, event: AuthenticationEvent, now: number) => Change | null;

const done = (outcome: Outcome): Change => ({ phase: { at: 'done', outcome } });
const stop: Readonly<Record<'abandoned' | 'unreachable' | 'invalid', Arrow>> = {
  abandoned: () => done(endedBy('abandoned')),
  unreachable: () => done(endedBy('unreachable')),
  invalid: () => done(endedBy('invalid')),
};

const ask = (threeDSCompInd: 'Y' | 'N', now: number): Change => ({
  threeDSCompInd,
  phase: { at: 'asking', dueAt: now + ANSWER_MS_MAX },
});

/** A notification of another authentication is none. */
const methodDone: Arrow = ({ threeDSServerTransID }, event, now) =>
  event.is === 'methodDone' && event.threeDSServerTransID === threeDSServerTransID ? ask('Y', now) : null;

const erred: Arrow = (_, event) => {
  if (event.is !== 'erred') return null;
  const { errorCode } = event.erro;
  // A code that nobody knows is an error of the system that sent it.
  return done(endedBy(Object.hasOwn(errorCodes, errorCode) ? kindByError[errorCode] : 'technical', errorCode));
};

const answered: Arrow = (authentication, event, now) => {
  if (event.is !== 'answered') return null;
  const { ares } = event;
  if (ares.threeDSServerTransID !== authentication.threeDSServerTransID) return done(endedBy('foreign'));
  if (ares.messageVersion !== authentication.version) return done(endedBy('invalid'));
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

function outcomeOf(told: ARes | RReq, flow: NonNullable<Outcome['flow']>, cardholderInfo: string | null): Outcome {
  const { transStatus, transStatusReason } = told;
  const challengeCancel = told.messageType === 'RReq' ? told.challengeCancel : undefined;
  return {
    kind: kindOf({ transStatus, transStatusReason, challengeCancel, isAsked: told.messageType === 'RReq' }),
    flow,
    transStatus,
    transStatusReason: transStatusReason ?? null,
    eci: told.eci ?? null,
    // Only a yes and an attempt are proven by it; with anything else it proves nothing and is not kept.
    authenticationValue: transStatus === 'Y' || transStatus === 'A' ? (told.authenticationValue ?? null) : null,
    authenticationType: told.authenticationType ?? null,
    // A text of the issuer's, for the shopper to read.
    cardholderInfo: cardholderInfo && maskCardNumbers(cardholderInfo),
    errorCode: null,
  };
}

/** Whether results are of this very authentication. */
export const areOf = (rreq: RReq, authentication: Authentication): boolean =>
  rreq.threeDSServerTransID === authentication.threeDSServerTransID &&
  rreq.acsTransID === authentication.acsTransID &&
  rreq.dsTransID === authentication.dsTransID &&
  rreq.messageVersion === authentication.version &&
  rreq.messageCategory === authentication.plan.messageCategory;

const results =
  (flow: 'challenge' | 'decoupled'): Arrow =>
  (authentication, event) => {
    if (event.is !== 'results' || !areOf(event.rreq, authentication)) return null;
    return { ...done(outcomeOf(event.rreq, flow, null)), hasResults: true };
  };

/** The shopper's browser is believed in nothing: it only says that he is back, or that something foreign was brought. */
const returned: Arrow = (authentication, event, now) => {
  const { phase } = authentication;
  if (event.is !== 'returned' || phase.at !== 'challenge') return null;
  const { cres } = event;
  const isForeign =
    cres !== null &&
    (cres.threeDSServerTransID !== authentication.threeDSServerTransID || cres.acsTransID !== authentication.acsTransID);
  if (isForeign) return done(endedBy('foreign'));
  if (phase.isBack) return null;
  return { phase: { ...phase, isBack: true, dueAt: Math.min(phase.dueAt, now + RESULTS_MS_MAX) } };
};

/** Time is over only when it is: a sweeper that is early changes nothing. */
const late =
  (arrow: Arrow): Arrow =>
  (authentication, event, now) => {
    const { phase } = authentication;
    return phase.at !== 'done' && now >= phase.dueAt ? arrow(authentication, event, now) : null;
  };

const nobodyCame: Arrow = ({ phase }) => done(endedBy(phase.at === 'challenge' && phase.isBack ? 'unproven' : 'expired'));

type Arrows = Readonly<Partial<Record<AuthenticationEvent['is'], Arrow>>>;

/** The life of an authentication, whole: what is not in this table cannot happen. */
export const table: Readonly<Record<AuthenticationPhase['at'], Arrows>> = {
  method: {
    methodDone,
    methodSkipped: (_, _event, now) => ask('N', now),
    elapsed: late((_, _event, now) => ask('N', now)),
    abandoned: stop.abandoned,
  },
  asking: {
    answered,
    erred,
    garbled: stop.invalid,
    unreachable: stop.unreachable,
    elapsed: late(stop.unreachable),
    abandoned: stop.abandoned,
  },
  challenge: { results: results('challenge'), returned, elapsed: late(nobodyCame), abandoned: stop.abandoned },
  decoupled: { results: results('decoupled'), elapsed: late(nobodyCame), abandoned: stop.abandoned },
  done: {},
};

/** The authentication after the event: the same object when the event means nothing to it, otherwise one revision on. */
export function next(authentication: Authentication, event: AuthenticationEvent, now: number): Authentication {
  const change = table[authentication.phase.at][event.is]?.(authentication, event, now) ?? null;
  return change === null ? authentication : { ...authentication, ...change, revision: authentication.revision + 1 };
}

/** The same authentication, due so much earlier: its instants come from a clock that was ahead. */
export const putBack = (authentication: Authentication, ms: number): Authentication =>
  authentication.phase.at === 'done'
    ? authentication
    : {
        ...authentication,
        phase: { ...authentication.phase, dueAt: authentication.phase.dueAt - ms },
        revision: authentication.revision + 1,
      };

/** When somebody must look after it; null when it is done. */
export const dueAtOf = ({ phase }: Authentication): number | null => (phase.at === 'done' ? null : phase.dueAt);

/** What may be written down in clear, and the proof, which may not: seal it or hold it in memory, and put it back. */
export function withoutProof(authentication: Authentication): { readonly open: Authentication; readonly proof: string | null } {
  const { phase } = authentication;
  if (phase.at !== 'done' || phase.outcome.authenticationValue === null) return { open: authentication, proof: null };
  const outcome = { ...phase.outcome, authenticationValue: null };
  return { open: { ...authentication, phase: { at: 'done', outcome } }, proof: phase.outcome.authenticationValue };
}

/** The authentication with its proof again. */
export function withProof(open: Authentication, proof: string | null): Authentication {
  if (open.phase.at !== 'done' || proof === null) return open;
  return { ...open, phase: { at: 'done', outcome: { ...open.phase.outcome, authenticationValue: proof } } };
}
