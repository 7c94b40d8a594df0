import type { Answer, Attempt, Capability, Clock, Connector } from '../../payments/needs.ts';
import type { Payment } from '../../payments/payment.ts';
import { isApproval, isNegative } from '../../spec/resultCodes.ts';
import type { ConnectorKind, ConnectorNeeds } from '../kind.ts';
import { redirected, sendsAway } from './away.ts';
import { createBank } from './bank/bank.ts';
import { answerAt, type Book, createBook, type Entry, isUndecided, undecided } from './book.ts';
import { detailsOfApproval, detailsOfDecline } from './details.ts';
import { createNetworkTokens } from './networkTokens.ts';
import type { IsProof } from './proof.ts';
import { seriesTold } from './series.ts';
import { type Steering, steeringOf } from './steering.ts';
import { type Verdict, verdictOf, verdictRecalled } from './verdict.ts';

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
  const { clock, sleep, book = createBook({ keep: ENTRIES_KEPT }), answerMsMax = ANSWER_MS_MAX } = needs;

  const { isProof } = needs;
  const { receive, recall, listen } = createFarSide({ clock, book, answerMsMax, isProof });
  const reach = (payment: Payment): void => assertUp(payment, clock.now());

  async function send(attempt: Attempt): Promise<Answer> {
    const { payment } = attempt;
    const steering = steeringOf(payment);
    reach(payment);
    if (steering.answer === 'lost-request') throw cut();
    receive(attempt, steering);
    if (steering.answer === 'twice') receive(attempt, steering);
    if (steering.latency !== undefined) await sleep(Number.parseInt(steering.latency, 10));
    if (steering.answer === 'lost' || steering.answer === 'late') throw cut();
    if (steering.answer === 'garbled') throw new Error('the answer of the simulator cannot be read');
    return listen(payment);
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
  readonly clock: Clock;
  readonly book: Book;
  readonly answerMsMax: number;
  readonly isProof: IsProof | undefined;
};

/** What the far side does with what reaches it, and what it says when it is asked. */
function createFarSide({ clock, book, answerMsMax, isProof }: FarSide) {
  function receive(attempt: Attempt, steering: Steering, verdict = verdictOf(attempt, steering, isProof)): void {
    const { payment } = attempt;
    if (sendsAway(attempt, verdict, steering)) {
      book.enter(payment.id, undecided(payment), 'asked');
      return;
    }
    const wait = verdict.is === 'pending' ? PENDING_MS : steering.answer === 'late' ? answerMsMax + LATE_MS : 0;
    book.enter(payment.id, entryOf(payment, answerOf(attempt, verdict, steering), payment.createdAt + wait), 'asked');
  }

  /** The book is this process's own. What was booked before a restart, or by another node, is told by the request itself. */
  function recall(payment: Payment): void {
    const steering = steeringOf(payment);
    const wasReceived =
      payment.phase.at === 'shopper' || steering.answer === 'lost' || steering.answer === 'late' || steering.answer === 'garbled';
    if (!wasReceived) return;
    const attempt = attemptLeft(payment);
    receive(attempt, steering, verdictRecalled(attempt, steering));
  }

  function listen(payment: Payment): Answer {
    const entry = book.find(payment.id);
    if (!entry) return { is: 'absent' };
    const answer = answerAt(entry, clock.now());
    // Where the shopper has not been sent to the bank yet, the answer is where to send him.
    return answer.is === 'waiting' && isUndecided(entry) && payment.phase.at !== 'shopper' ? redirected(payment) : answer;
  }

  return { receive, recall, listen };
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
  const isDown = steeringOf(payment).answer === 'down' && now < payment.createdAt + DOWN_MS;
  if (isDown) throw new Error('the simulator is down');
}

/** The answer to an ordinary attempt; null when the conversation is to take time or to go wrong. */
function decide(attempt: Attempt, isProof: IsProof | undefined): Answer | null {
  const steering = steeringOf(attempt.payment);
  if (steering.answer !== undefined || steering.latency !== undefined) return null;
  const verdict = verdictOf(attempt, steering, isProof);
  return verdict.is === 'pending' || sendsAway(attempt, verdict, steering) ? null : answerOf(attempt, verdict, steering);
}

function answerOf(attempt: Attempt, verdict: Verdict, steering: Steering): Answer {
  if (verdict.is === 'declined') return { ...verdict, details: detailsOfDecline(attempt, steering, verdict.code) };
  const details = detailsOfApproval(attempt, steering);
  return verdict.is === 'approved' ? { ...verdict, details } : { is: 'approved', details };
}

function entryOf({ familyId, paymentType, amount }: Payment, answer: Answer, decidedAt: number): Entry {
  return { familyId, paymentType, amount, answer, decidedAt };
}

/** The answer as our side has committed it. */
function recordedAnswer({ phase, details }: Payment): Answer | null {
  if (phase.at !== 'final') return null;
  const { code } = phase;
  if (isApproval(code)) return { is: 'approved', code, details };
  return isNegative(code) ? { is: 'declined', code, details } : null;
}

/** What the sender sees of an answer that never comes: nobody has to sit through the time-out to try it. */
const cut = (): Error => new Error('the connection to the simulator was cut');
