import type { Mode } from '../registrations/registration.ts';
import type { FinalCode } from '../spec/resultCodes.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../spec/time.ts';
import type { Validity } from '../spec/validity.ts';
import {
  type AnswerDetails,
  acquirerPhase,
  type EarlierAttempt,
  isMisdated,
  type Payment,
  type Phase,
  type ThreeDS,
} from './payment.ts';
import type { AcquirerAnswer } from './ports.ts';

/** The events of an open payment. Silence is an answer of its own and never counts as a decline. */
export type PaymentEvent =
  | AcquirerAnswer
  | { readonly is: 'silence' }
  /** The authentication went a step further. */
  | { readonly is: 'stepped'; readonly threeDS: ThreeDS; readonly dueAt: number }
  /** The cardholder is authenticated, or the merchant's policy goes on without. */
  | {
      readonly is: 'proven';
      readonly threeDS: ThreeDS;
      readonly fields: Readonly<Record<string, string>>;
      readonly dueAt: number;
      readonly hasOthers?: boolean;
    }
  | { readonly is: 'unproven'; readonly threeDS: ThreeDS; readonly code: FinalCode }
  /** The account declined before the issuer decided, and another account is asked instead. */
  | {
      readonly is: 'rerouted';
      readonly connector: string;
      readonly validity?: Validity;
      readonly declined: EarlierAttempt;
      readonly dueAt: number;
      readonly hasOthers?: boolean;
    };

type Move = {
  readonly phase: Phase;
  readonly details?: AnswerDetails;
  readonly threeDS?: ThreeDS;
  readonly fields?: Payment['fields'];
  readonly account?: Pick<Payment, 'connector' | 'earlier' | 'validity'>;
};
type Arrow = (payment: Payment, event: PaymentEvent, now: number) => Move;
type Arrows = Readonly<Partial<Record<PaymentEvent['is'], Arrow>>>;

/** The success codes: existing clients know no others. */
export const SUCCESS: Readonly<Record<Mode, FinalCode>> = {
  INTERNAL: '000.100.110',
  EXTERNAL: '000.100.112',
  LIVE: '000.000.000',
};

const WAIT_MS_FIRST = 1_000;
const WAIT_MS_MAX = 300_000;
/**
 * A cancellation is repeated sooner: an acquirer that is back after an outage has it within two minutes, also when the node that last
 * tried has died and its claim of a minute must end first.
 */
const CANCEL_WAIT_MS_MAX = 45_000;
/** Most shoppers are back by then, and most banks have sent their callback. */
const FIRST_LOOK_MS = 60_000;
/** A payment with days to complete ends up being polled once a day; the bank's callback normally comes first. */
const LOOKS_MS_MAX = DAY_MS;
/** The wait before the second look is the first one doubled. */
const LOOKS_BEFORE = 6;

/** Looks fall on multiples of these, so that many payments are due together. The sweeper takes them in batches. */
const lookGridsMs = [6 * HOUR_MS, HOUR_MS, 10 * MINUTE_MS, MINUTE_MS, 10 * SECOND_MS];

function lookAt(now: number, wait: number): number {
  const grid = lookGridsMs.find((ms) => ms <= wait / 2) ?? 1;
  return Math.ceil((now + wait) / grid) * grid;
}

/** The wait before the next inquiry: doubles from one second to five minutes, with jitter from the random digits of the payment's id. */
export function waitMs(paymentId: string, tries: number, most = WAIT_MS_MAX): number {
  const wait = Math.min(WAIT_MS_FIRST * 2 ** Math.min(tries, 20), most);
  const jitter = Number.parseInt(paymentId.slice(-4), 16) / 0x10000;
  return Math.round(wait * (0.75 + jitter / 2));
}

/** The instant before which the acquirer knows of no change; null: it does not know. */
function nextAtOf(event: PaymentEvent, now: number): number | null {
  const nextAt = event.is === 'waiting' ? event.nextAt : undefined;
  return nextAt !== undefined && Number.isSafeInteger(nextAt) && nextAt > now ? nextAt : null;
}

const final = (code: FinalCode, details?: AnswerDetails): Move => ({ phase: { at: 'final', code }, ...(details && { details }) });

const approved: Arrow = (payment, event) =>
  event.is === 'approved' ? final(event.code ?? successOf(payment), event.details) : stay(payment);
/** A payment flagged for manual review is approved with 000.400.000. */
const successOf = ({ mode, risk }: Payment): FinalCode => (risk?.asksReview ? '000.400.000' : SUCCESS[mode]);
const declined: Arrow = (payment, event) => (event.is === 'declined' ? final(event.code, event.details) : stay(payment));
/** The acquirer has confirmed that it will never book the payment: only now has it failed. */
const cancelled: Arrow = ({ phase }) => final((phase.at === 'cancelling' ? phase.code : undefined) ?? '900.100.301');
const SHOPPER_TIMED_OUT = '100.396.103';
const stay = (payment: Payment): Move => ({ phase: payment.phase });
const doubt: Arrow = (payment, _event, now) => ({
  phase: { at: 'doubt', tries: 0, dueAt: now + waitMs(payment.id, 0), since: now },
});
const again: Arrow = (payment, event, now) => {
  const { phase } = payment;
  if (phase.at !== 'doubt' && phase.at !== 'cancelling') return stay(payment);
  const tries = phase.tries + 1;
  const knownAt = phase.at === 'doubt' ? nextAtOf(event, now) : null;
  const most = phase.at === 'cancelling' ? CANCEL_WAIT_MS_MAX : WAIT_MS_MAX;
  return { phase: { ...phase, tries, dueAt: knownAt ?? now + waitMs(payment.id, tries, most) } };
};
const cancelling: Arrow = ({ phase }, _event, now) => ({
  phase: { at: 'cancelling', tries: 0, dueAt: now, since: phase.at === 'doubt' ? (phase.since ?? now) : now },
});
/** The acquirer does not know the redirected payment any more; the cancellation makes sure that it never will. */
const gone: Arrow = (_payment, _event, now) => ({
  phase: { at: 'cancelling', tries: 0, dueAt: now, since: now, code: '100.396.104' },
});
const away: Arrow = (payment, event, now) => {
  if (event.is !== 'redirected') return stay(payment);
  const { redirect, until } = event;
  return { phase: { at: 'shopper', redirect, tries: 0, until, dueAt: Math.min(until, lookAt(now, FIRST_LOOK_MS)) } };
};
/** The shopper has not decided yet: ask again, and cancel when the time is over, so that no payment can follow. */
const stillAway: Arrow = (payment, event, now) => {
  const { phase } = payment;
  if (phase.at !== 'shopper') return stay(payment);
  const until = endOf(payment, phase.until, now);
  if (now >= until) return { phase: { at: 'cancelling', tries: 0, dueAt: now, since: now, code: SHOPPER_TIMED_OUT } };
  const tries = phase.tries + 1;
  const wait = waitMs(payment.id, tries + LOOKS_BEFORE, LOOKS_MS_MAX);
  return { phase: { ...phase, tries, until, dueAt: Math.min(until, nextAtOf(event, now) ?? lookAt(now, wait)) } };
};

/** When a shopper's time is over. A clock that was ahead when the payment was made has set it that much too late. */
const endOf = (payment: Payment, until: number, now: number): number =>
  isMisdated(payment, now) ? until - Math.max(0, payment.createdAt - now) : until;

const stepped: Arrow = (payment, event) =>
  event.is === 'stepped' ? { phase: { at: 'authentication', dueAt: event.dueAt }, threeDS: event.threeDS } : stay(payment);
const proven: Arrow = (payment, event) => {
  if (event.is !== 'proven') return stay(payment);
  const fields = { ...payment.fields, ...event.fields };
  return { phase: acquirerPhase(event.dueAt, event.hasOthers ?? false), threeDS: event.threeDS, fields };
};
const unproven: Arrow = (payment, event) =>
  event.is === 'unproven' ? { ...final(event.code), threeDS: event.threeDS } : stay(payment);

/** The intent for the next account. Its own reference is not known yet. */
const rerouted: Arrow = (payment, event) => {
  if (event.is !== 'rerouted') return stay(payment);
  const earlier = [...(payment.earlier ?? []), event.declined];
  const phase = acquirerPhase(event.dueAt, event.hasOthers ?? false);
  return {
    phase,
    details: {},
    account: { connector: event.connector, earlier, ...(event.validity && { validity: event.validity }) },
  };
};

/** The life cycle of a payment. A transition that is not in this table cannot happen. ARCHITECTURE.md prints it. */
export const table: Readonly<Record<Phase['at'], Arrows>> = {
  authentication: { stepped, proven, unproven },
  acquirer: { rerouted, approved, declined, redirected: away, waiting: doubt, silence: doubt },
  shopper: {
    approved,
    declined,
    cancelled: () => final('100.396.104'),
    absent: gone,
    redirected: stillAway,
    waiting: stillAway,
    silence: stillAway,
  },
  doubt: { approved, declined, redirected: away, cancelled, absent: cancelling, waiting: again, silence: again },
  // Committed before the acquirer is asked to cancel, so that a late approval is cancelled and never accepted.
  cancelling: { declined, cancelled, approved: again, absent: again, waiting: again, silence: again },
  final: {},
};

/** The payment after the event: the same object when the event means nothing to it, otherwise one revision on. */
export const next = (payment: Payment, event: PaymentEvent, now: number): Payment =>
  moved(payment, event, { now, revision: payment.revision + 1 });

/** The same for an answer that is committed together with the intent: one revision holds both. */
export const nextWithIntent = (intent: Payment, answer: AcquirerAnswer, now: number): Payment =>
  moved(intent, answer, { now, revision: intent.revision });

function moved(payment: Payment, event: PaymentEvent, { now, revision }: Pick<Payment, 'revision'> & { now: number }): Payment {
  const arrow = table[payment.phase.at][event.is];
  if (!arrow) return payment;
  const move = arrow(payment, event, now);
  const { phase, details = payment.details, threeDS = payment.threeDS, fields = payment.fields, account } = move;
  if (phase === payment.phase) return payment;
  const from = account ? atAccount(payment, account) : payment;
  const after: Payment = { ...from, phase, details, threeDS, fields, movedAt: now, revision };
  const reference = referenceIn(event);
  return reference === undefined ? after : { ...after, reference };
}

/** The reference of another account is none of this one. */
function atAccount({ reference: _, ...payment }: Payment, account: Pick<Payment, 'connector' | 'earlier' | 'validity'>): Payment {
  return { ...payment, ...account };
}

/** The acquirer's id of the payment, where the event names it. */
function referenceIn(event: PaymentEvent): string | undefined {
  switch (event.is) {
    case 'approved':
    case 'declined':
    case 'redirected':
    case 'waiting':
    case 'cancelled':
      return event.reference;
    default:
      return undefined;
  }
}
