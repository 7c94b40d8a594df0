import { paidByOlderClients, type TestAuthentication, testCards } from '../../spec/cards/testCards.ts';
import type { Enrolment, EnrolmentQuery } from '../directory.ts';
import type { AReq, TransStatus } from '../messages/message.ts';
import { directivesFor, type SandboxDirectives } from './directives.ts';

/** How an issuer of the test environment handles a request. */
export type IssuerBehaviour = {
  /** The final status, immediately or after a challenge. */
  readonly status: Exclude<TransStatus, 'C' | 'D'>;
  readonly reason: string | null;
  readonly asks: 'no' | 'challenge' | 'decoupled';
  readonly page: 'code' | 'app';
};

const cardByNumber = new Map(testCards.map((card) => [card.number, card]));

type CardBehaviour = { readonly status: IssuerBehaviour['status']; readonly reason?: string; readonly isAsked?: true };

const NOT_ENROLLED = '13';

/** The behaviour of each kind of test card (facts 11.4). Cards of the kind `none` are enrolled only by a directive. */
const behaviourByCard: Readonly<Record<TestAuthentication, CardBehaviour>> = {
  none: { status: 'Y' },
  frictionless: { status: 'Y' },
  challenge: { status: 'Y', isAsked: true },
  attempt: { status: 'A' },
  error: { status: 'U' },
  notEnrolled: { status: 'U', reason: NOT_ENROLLED },
  notParticipating: { status: 'Y' },
};

/** The default reason of a status. The reason for a failed issuer system exists since 2.2. */
const reasons: Readonly<Partial<Record<IssuerBehaviour['status'], (version: string) => string>>> = {
  N: () => '01',
  U: (version) => (version === '2.1.0' ? '14' : '22'),
  R: () => '12',
};

const MANDATE = '04';
/** Challenge indicators that only inform the issuer: risk analysed, data share only, strong authentication performed. */
const INFORMATIONAL: readonly string[] = ['05', '06', '07'];

/** The behaviour for a request: directives first, then the challenge indicator, then the card. */
export function issuerBehaviour(areq: AReq, given: SandboxDirectives): IssuerBehaviour {
  const base = behaviourByCard[cardByNumber.get(areq.acctNumber)?.threeDSecure ?? 'none'];
  const indicator = areq.threeDSRequestorChallengeInd ?? '';
  const isFlowChosen = given.flow !== undefined;
  const isInformed = !isFlowChosen && base.status === 'Y' && INFORMATIONAL.includes(indicator);
  const fromCard = isFlowChosen ? 'Y' : isInformed ? 'I' : base.status;
  const chosen = (given.status as IssuerBehaviour['status'] | undefined) ?? fromCard;
  // The status I exists since 2.2.
  const status = chosen === 'I' && areq.messageVersion === '2.1.0' ? 'U' : chosen;
  const isAsked = isFlowChosen
    ? given.flow === 'challenge'
    : !isInformed && (base.isAsked === true || (indicator === MANDATE && base.status === 'Y'));
  return {
    status,
    reason: reasonOf({ status, base, given, version: areq.messageVersion, isFlowChosen }),
    asks: isAsked && status !== 'I' ? asksOf(areq) : 'no',
    page: given.page === 'app' ? 'app' : 'code',
  };
}

/** A merchant-initiated request cannot be challenged. A requested decoupled authentication replaces a challenge. */
function asksOf({ threeDSRequestorDecReqInd, deviceChannel }: AReq): IssuerBehaviour['asks'] {
  if (threeDSRequestorDecReqInd === 'Y') return 'decoupled';
  return deviceChannel === '03' ? 'no' : 'challenge';
}

type ReasonInput = {
  readonly status: IssuerBehaviour['status'];
  readonly base: CardBehaviour;
  readonly given: SandboxDirectives;
  readonly version: string;
  readonly isFlowChosen: boolean;
};

function reasonOf({ status, base, given, version, isFlowChosen }: ReasonInput): string | null {
  const otherwise = reasons[status]?.(version) ?? null;
  if (otherwise === null) return null;
  const isOfCard = !isFlowChosen && given.status === undefined;
  // Reasons from 22 on exist since 2.2.
  const sent = version === '2.1.0' && (given.reason ?? '') > '21' ? undefined : given.reason;
  return sent ?? (isOfCard ? base.reason : undefined) ?? otherwise;
}

/** The enrolment of a card in the test environment: a pure function of the request. */
export function sandboxEnrolment({ number, read }: EnrolmentQuery, acsUrl: string): Enrolment {
  const { given, wrong } = directivesFor(read);
  if (wrong !== null) return { is: 'wrong', parameter: wrong };
  const card = cardByNumber.get(number);
  const kind = card?.threeDSecure ?? 'none';
  if (given.enrolled === 'false') return { is: 'outside' };
  if (given.enrolled !== 'true') {
    if (kind === 'none') return { is: 'exempt' };
    if (kind === 'notParticipating') return { is: 'outside' };
  }
  const hasMethod = given.method === undefined ? card?.methodData === true : given.method !== 'none';
  const methodUrl = `${acsUrl}/method${given.method === 'silent' ? '?silent=true' : ''}`;
  return {
    is: 'enrolled',
    isOptional: given.enrolled === undefined && paidByOlderClients.has(number),
    range: { from: '2.1.0', to: given.version ?? '2.2.0', methodUrl: hasMethod ? methodUrl : null },
  };
}
