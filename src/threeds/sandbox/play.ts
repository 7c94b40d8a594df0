import { type TestAuthentication, testCards } from '../../spec/testCards.ts';
import type { Enquiry, Enrolment } from '../directory.ts';
import type { AReq, TransStatus } from '../messages/message.ts';
import { directivesFor, type Pulled } from './directives.ts';

/** How an issuer of the test environment will treat a request. */
export type Play = {
  /** The end, at once or after the cardholder was asked. */
  readonly status: Exclude<TransStatus, 'C' | 'D'>;
  readonly reason: string | null;
  readonly asks: 'no' | 'challenge' | 'decoupled';
  readonly page: 'code' | 'app';
};

const cardByNumber = new Map(testCards.map((card) => [card.number, card]));

type Base = { readonly status: Play['status']; readonly reason?: string; readonly isAsked?: true };

const NOT_ENROLLED = '13';

/** What each kind of test card plays (facts 11.4). Cards of which nothing is asked are enrolled only by a lever. */
const bases: Readonly<Record<TestAuthentication, Base>> = {
  none: { status: 'Y' },
  frictionless: { status: 'Y' },
  challenge: { status: 'Y', isAsked: true },
  attempt: { status: 'A' },
  error: { status: 'U' },
  notEnrolled: { status: 'U', reason: NOT_ENROLLED },
  notParticipating: { status: 'Y' },
};

/** Why a status is what it is, where no lever says so. That an issuer's system failed can be told since 2.2. */
const reasons: Readonly<Partial<Record<Play['status'], (version: string) => string>>> = {
  N: () => '01',
  U: (version) => (version === '2.1.0' ? '14' : '22'),
  R: () => '12',
};

const MANDATE = '04';
/** Risk was analysed, data is shared only, strong authentication was performed: the issuer takes note. */
const TAKES_NOTE: readonly string[] = ['05', '06', '07'];

/** The play for a request: levers first, then the merchant's wishes, then the card. */
export function playOf(areq: AReq, pulled: Pulled): Play {
  const base = bases[cardByNumber.get(areq.acctNumber)?.threeDSecure ?? 'none'];
  const wish = areq.threeDSRequestorChallengeInd ?? '';
  const isFlowChosen = pulled.flow !== undefined;
  const isInformed = !isFlowChosen && base.status === 'Y' && TAKES_NOTE.includes(wish);
  const fromCard = isFlowChosen ? 'Y' : isInformed ? 'I' : base.status;
  const chosen = (pulled.status as Play['status'] | undefined) ?? fromCard;
  // The informational status came with 2.2; an older issuer cannot say it.
  const status = chosen === 'I' && areq.messageVersion === '2.1.0' ? 'U' : chosen;
  const isAsked = isFlowChosen
    ? pulled.flow === 'challenge'
    : !isInformed && (base.isAsked === true || (wish === MANDATE && base.status === 'Y'));
  return {
    status,
    reason: reasonOf({ status, base, pulled, version: areq.messageVersion, isFlowChosen }),
    asks: isAsked && status !== 'I' ? asksOf(areq) : 'no',
    page: pulled.page === 'app' ? 'app' : 'code',
  };
}

/** The merchant alone cannot be challenged. Where a decoupled authentication was asked for, it takes the place of a challenge. */
function asksOf({ threeDSRequestorDecReqInd, deviceChannel }: AReq): Play['asks'] {
  if (threeDSRequestorDecReqInd === 'Y') return 'decoupled';
  return deviceChannel === '03' ? 'no' : 'challenge';
}

type Why = {
  readonly status: Play['status'];
  readonly base: Base;
  readonly pulled: Pulled;
  readonly version: string;
  readonly isFlowChosen: boolean;
};

function reasonOf({ status, base, pulled, version, isFlowChosen }: Why): string | null {
  const otherwise = reasons[status]?.(version) ?? null;
  if (otherwise === null) return null;
  const isOfCard = !isFlowChosen && pulled.status === undefined;
  // Reasons from 22 on came with 2.2.
  const told = version === '2.1.0' && (pulled.reason ?? '') > '21' ? undefined : pulled.reason;
  return told ?? (isOfCard ? base.reason : undefined) ?? otherwise;
}

/** Whether a card is authenticated in the test environment. A function of the request alone, so that it costs no waiting. */
export function sandboxEnrolment({ number, read }: Enquiry, acsUrl: string): Enrolment {
  const { pulled, wrong } = directivesFor(read);
  if (wrong !== null) return { is: 'wrong', parameter: wrong };
  const card = cardByNumber.get(number);
  const plays = card?.threeDSecure ?? 'none';
  if (pulled.enrolled === 'false') return { is: 'outside' };
  if (pulled.enrolled !== 'true') {
    if (plays === 'none') return { is: 'exempt' };
    if (plays === 'notParticipating') return { is: 'outside' };
  }
  const hasMethod = pulled.method === undefined ? card?.methodData === true : pulled.method !== 'none';
  const methodUrl = `${acsUrl}/method${pulled.method === 'silent' ? '?silent=true' : ''}`;
  return {
    is: 'enrolled',
    range: { from: '2.1.0', to: pulled.version ?? '2.2.0', methodUrl: hasMethod ? methodUrl : null },
  };
}
