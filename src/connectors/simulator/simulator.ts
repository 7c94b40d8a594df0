import type { Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer, Attempt, Capability, Connector } from '../../payments/ports.ts';
import { brands } from '../../spec/brands.ts';
import { endpoints } from '../../spec/endpoints.ts';
import { isApproval, isNegative } from '../../spec/resultCodes.ts';
import type { Clock } from '../../spec/time.ts';
import type { ConnectorKind, ConnectorNeeds } from '../kind.ts';
import { createAlone, decidedAlone } from './bank/alone.ts';
import { createBank } from './bank/bank.ts';
import { kindOf, kinds } from './bank/kinds.ts';
import { type Confirmation, ticketOf, ticketText } from './bank/ticket.ts';
import { answerAt, type Book, createBook, type Entry, isUndecided, undecided } from './book.ts';
import { detailsOfApproval, detailsOfDecline } from './details.ts';
import { type Directives, directivesOf, msFor } from './directives.ts';
import { createNetworkTokens } from './networkTokens.ts';
import type { IsProof } from './proof.ts';
import { seriesTold, standsAlone } from './series.ts';
import { type Verdict, verdictOf, verdictRecalled } from './verdict.ts';

/** The shopper decides, unless the request decides for him, or he has stored his account. */
function sendsAway({ payment, registration }: Attempt, verdict: Verdict, directives: Directives): boolean {
  const isBrandAway = brands[payment.paymentBrand ?? '']?.workflow === 'async';
  return (
    isBrandAway && registration === null && standsAlone(payment) && verdict.is === 'approved' && directives.code === undefined
  );
}

/** How long after the shopper a bank that tells afterwards does so. */
const CONFIRM_MS = 2_000;

/** Where to, and for how long. */
function redirected(payment: Payment): AcquirerAnswer {
  const { paymentBrand, paymentType, createdAt } = payment;
  const until = createdAt + kinds[kindOf({ brand: paymentBrand ?? '', paymentType })].patienceMs;
  const { confirm = 'before', confirmAfter } = directivesOf(payment);
  const confirmation = { confirms: confirm as Confirmation, confirmMs: msFor(confirmAfter, CONFIRM_MS) };
  const url = endpoints.bankPage.path.replace('{id}', ticketText(ticketOf(payment, until, confirmation)));
  return { is: 'redirected', redirect: { url, method: 'GET', parameters: [] }, until };
}

/** The acquirer's day ends at 23:00; what is not yet captured can be taken back for a week. */
const reversal = { until: '23:00', daysLater: { PA: 7, DB: 0, CD: 0, CP: 0 } } as const;
const card: Capability = {
  types: ['PA', 'DB', 'CD', 'CP', 'RV', 'RF', 'RG'],
  partialCapture: true,
  multipleCaptures: true,
  redirects: false,
  reversal,
};
const account: Capability = { ...card, multipleCaptures: false };
/** The shopper pays at his bank or wallet. */
const elsewhere: Capability = { ...account, redirects: true };

const ENTRIES_KEPT = 10_000;
const ANSWER_MS_MAX = 30_000;
const PENDING_MS = 60_000;
const DOWN_MS = 60_000;
const LATE_MS = 5_000;

type SimulatorNeeds = ConnectorNeeds & {
  /** Where it books; a test brings its own to look into. */
  readonly book?: Book;
  readonly answerMsMax?: number;
};

/** The acquirer of the sandbox: yes to everything, unless the request asks for something else (see steering.ts). */
export const simulator = {
  name: 'simulator',
  modes: ['INTERNAL', 'EXTERNAL'],
  supports: { CC: card, DC: card, DD: account, VA: elsewhere, OT: elsewhere, CT: elsewhere, PP: elsewhere, IV: elsewhere },
  create,
} as const satisfies ConnectorKind;

function create(needs: SimulatorNeeds): Connector {
  const { clockOf, sleep, book = createBook({ keep: ENTRIES_KEPT }), answerMsMax = ANSWER_MS_MAX } = needs;

  const { isProof } = needs;
  const { receive, recall, listen } = createFarSide({ clockOf, book, answerMsMax, isProof });
  const alone = createAlone({ ...needs, book });
  const reach = (payment: Payment): void => assertUp(payment, clockOf(payment.merchantId).now());

  async function send(attempt: Attempt): Promise<AcquirerAnswer> {
    const { payment } = attempt;
    const directives = directivesOf(payment);
    reach(payment);
    if (directives.answer === 'lost-request') throw cut();
    receive(attempt, directives);
    if (directives.answer === 'twice') receive(attempt, directives);
    if (directives.latency !== undefined) await sleep(Number.parseInt(directives.latency, 10));
    if (directives.answer === 'lost' || directives.answer === 'late') throw cut();
    if (directives.answer === 'garbled') throw new Error('the answer of the simulator cannot be read');
    const answer = listen(payment);
    // He is sent away first, and decides a moment later.
    if (answer.is === 'redirected') void alone(answer.redirect);
    return answer;
  }

  return {
    ...simulator,
    answerMsMax,
    send,
    async inquire(payment) {
      reach(payment);
      recall(payment);
      return listen(payment);
    },
    async cancel(payment) {
      reach(payment);
      return book.cancel(payment).answer;
    },
    tokens: createNetworkTokens(needs),
    pages: createBank({ ...needs, book }),
    decide: (attempt) => decide(attempt, isProof),
    book(payment) {
      const answer = recordedAnswer(payment);
      if (answer) book.enter(payment.id, entryOf(payment, answer, payment.movedAt), 'settled');
    },
  };
}

type FarSide = {
  clockOf(merchantId: string): Clock;
  readonly book: Book;
  readonly answerMsMax: number;
  readonly isProof: IsProof | undefined;
};

/** What the far side does with what reaches it, and what it says when it is asked. */
function createFarSide({ clockOf, book, answerMsMax, isProof }: FarSide) {
  function receive(attempt: Attempt, directives: Directives, verdict = verdictOf(attempt, directives, isProof)): void {
    const { payment } = attempt;
    if (sendsAway(attempt, verdict, directives)) {
      const alone = decidedAlone(payment, directives);
      book.enter(payment.id, alone ? { ...undecided(payment), ...alone } : undecided(payment), 'asked');
      return;
    }
    const decidedAt = payment.createdAt + waitMs(verdict, directives);
    book.enter(payment.id, entryOf(payment, answerOf(attempt, verdict, directives), decidedAt), 'asked');
  }

  function waitMs({ is }: Verdict, { answer, for: time }: Directives): number {
    if (is === 'pending') return msFor(time, PENDING_MS);
    return answer === 'late' ? answerMsMax + msFor(time, LATE_MS) : 0;
  }

  /** The book is this process's own. What was booked before a restart, or by another node, is told by the request itself. */
  function recall(payment: Payment): void {
    const directives = directivesOf(payment);
    const attempt = attemptLeft(payment);
    const verdict = verdictRecalled(attempt, directives);
    if (wasReceived(payment, directives, verdict)) receive(attempt, directives, verdict);
  }

  function listen(payment: Payment): AcquirerAnswer {
    const entry = book.find(payment.id);
    if (!entry) return { is: 'absent' };
    const answer = answerAt(entry, clockOf(payment.merchantId).now());
    // Where the shopper has not been sent to the bank yet, the answer is where to send him.
    const isToBeSent = payment.phase.at !== 'shopper' && answer.is === 'waiting' && (isUndecided(entry) || entry.isAlone);
    return isToBeSent || isSentAlone(payment, entry) ? redirected(payment) : answer;
  }

  return { receive, recall, listen };
}

/** He who decides by himself is sent away all the same, with the answer to the request itself. */
const isSentAlone = ({ phase }: Payment, { isAlone }: Entry): boolean => phase.at === 'acquirer' && isAlone === true;

const RECEIVED: ReadonlySet<string | undefined> = new Set(['lost', 'late', 'garbled']);

/** Whether a payment that is asked about, and is not in the book, has reached the far side once. */
function wasReceived({ phase }: Payment, { answer }: Directives, { is }: Verdict): boolean {
  const isDecidedLater = is === 'pending' && answer !== 'lost-request' && answer !== 'down';
  return phase.at === 'shopper' || RECEIVED.has(answer) || isDecidedLater;
}

/** What is left of an attempt in the payment that it made. */
const attemptLeft = (payment: Payment): Attempt => ({
  payment,
  secrets: {},
  referenced: null,
  registration: null,
  series: seriesTold(payment),
});

function assertUp(payment: Payment, now: number): void {
  const { answer, for: time } = directivesOf(payment);
  const isDown = answer === 'down' && now < payment.createdAt + msFor(time, DOWN_MS);
  if (isDown) throw new Error('the simulator is down');
}

/** The answer to an ordinary attempt; null when the conversation is to take time or to go wrong. */
function decide(attempt: Attempt, isProof: IsProof | undefined): AcquirerAnswer | null {
  const directives = directivesOf(attempt.payment);
  if (directives.answer !== undefined || directives.latency !== undefined) return null;
  const verdict = verdictOf(attempt, directives, isProof);
  return verdict.is === 'pending' || sendsAway(attempt, verdict, directives) ? null : answerOf(attempt, verdict, directives);
}

function answerOf(attempt: Attempt, verdict: Verdict, directives: Directives): AcquirerAnswer {
  if (verdict.is === 'declined') return { ...verdict, details: detailsOfDecline(attempt, directives, verdict.code) };
  if (verdict.is === 'pending') return answerOf(attempt, verdict.ending, directives);
  return { ...verdict, details: detailsOfApproval(attempt, directives) };
}

function entryOf({ familyId, paymentType, amount }: Payment, answer: AcquirerAnswer, decidedAt: number): Entry {
  return { familyId, paymentType, amount, answer, decidedAt };
}

/** The answer as our side has committed it. */
function recordedAnswer({ phase, details }: Payment): AcquirerAnswer | null {
  if (phase.at !== 'final') return null;
  const { code } = phase;
  if (isApproval(code)) return { is: 'approved', code, details };
  return isNegative(code) ? { is: 'declined', code, details } : null;
}

/** What the sender sees of an answer that never comes: nobody has to sit through the time-out to try it. */
const cut = (): Error => new Error('the connection to the simulator was cut');
