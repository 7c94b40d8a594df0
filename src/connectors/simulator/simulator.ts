import type { Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer, Attempt, Capability, Connector } from '../../payments/ports.ts';
import { isPaidElsewhere } from '../../spec/cards/brands.ts';
import { endpoints } from '../../spec/endpoints.ts';
import { isApproval, isNegative } from '../../spec/resultCodes.ts';
import type { Clock } from '../../spec/time.ts';
import { type PlainKind, withValidities } from '../kind.ts';
import type { ConnectorNeeds } from '../ports.ts';
import {
  type AcquirerRecord,
  type AcquirerRecords,
  answerAt,
  createAcquirerRecords,
  isUndecided,
  undecided,
} from './acquirerRecords.ts';
import { bankFlowOf, bankFlows, type Confirmation, ticketOf, ticketText } from './bank/choices.ts';
import { createBank } from './bank/page.ts';
import { createScriptedShopper, scriptedDecision } from './bank/scriptedShopper.ts';
import { detailsOfApproval, detailsOfDecline } from './details.ts';
import { type Directives, directivesOf, durationMs } from './directives.ts';
import { createNetworkTokens } from './networkTokens.ts';
import { isStandalone, seriesFromFields } from './series.ts';
import { decideVerdict, type IsProof, recallVerdict, type Verdict } from './verdict.ts';

/** The shopper decides at the bank, unless the request forces the result or uses a stored account. */
function needsRedirect({ payment, registration }: Attempt, verdict: Verdict, directives: Directives): boolean {
  const isElsewhere = isPaidElsewhere(payment.paymentBrand, payment.paymentType, registration !== null);
  return isElsewhere && isStandalone(payment) && verdict.is === 'approved' && directives.code === undefined;
}

/** The default delay of a later notification. */
const CONFIRM_MS = 2_000;

/** Redirect address and deadline. */
function redirectAnswer(payment: Payment): AcquirerAnswer {
  const { paymentBrand, paymentType, createdAt } = payment;
  const until = createdAt + bankFlows[bankFlowOf({ brand: paymentBrand ?? '', paymentType })].patienceMs;
  const { confirm = 'before', confirmAfter } = directivesOf(payment);
  const confirmation = { confirms: confirm as Confirmation, confirmMs: durationMs(confirmAfter, CONFIRM_MS) };
  const url = endpoints.bankPage.path.replace('{id}', ticketText(ticketOf(payment, until, confirmation)));
  return { is: 'redirected', redirect: { url, method: 'GET', parameters: [] }, until };
}

/** The acquirer's day ends at 23:00. */
const reversal = { until: '23:00', daysLater: { DB: 0, CD: 0, CP: 0 } } as const;
const card: Capability = {
  types: ['PA', 'DB', 'CD', 'CP', 'RV', 'RF', 'RG'],
  partialCapture: true,
  multipleCaptures: true,
  redirects: false,
  reversal,
};
const account: Capability = { ...card, multipleCaptures: false };
/** Paid at the shopper's bank or wallet. */
const elsewhere: Capability = { ...account, redirects: true };

const ENTRIES_KEPT = 10_000;
const ANSWER_MS_MAX = 30_000;
const PENDING_MS = 60_000;
const DOWN_MS = 60_000;
const LATE_MS = 5_000;

type SimulatorNeeds = ConnectorNeeds & {
  /** The acquirer's records; a test passes its own to inspect them. */
  readonly records?: AcquirerRecords;
  readonly answerMsMax?: number;
};

/** The acquirer of the sandbox: approves everything unless directives of the request say otherwise (see directives.ts). */
export const simulator = {
  name: 'simulator',
  modes: ['INTERNAL', 'EXTERNAL'],
  supports: withValidities('simulator', {
    CC: card,
    DC: card,
    DD: account,
    VA: elsewhere,
    OT: elsewhere,
    CT: elsewhere,
    PP: elsewhere,
    IV: elsewhere,
  }),
  create,
} as const satisfies PlainKind;

function create(needs: SimulatorNeeds): Connector {
  const {
    clockOf,
    advancesTo,
    sleep,
    records = createAcquirerRecords({ keep: ENTRIES_KEPT }),
    answerMsMax = ANSWER_MS_MAX,
  } = needs;

  const { isProof } = needs;
  const { receive, recall, listen } = createAcquirer({ clockOf, advancesTo, records, answerMsMax, isProof });
  const actAsShopper = createScriptedShopper({ ...needs, records });
  const reach = (payment: Payment): void => assertUp(payment, clockOf(payment.merchantId).now());

  /** A final payment is never queried again: only tests, which compare both sides, need a record of it. */
  function book(payment: Payment): void {
    const answer = recordedAnswer(payment);
    if (answer) records.add(payment.id, entryOf(payment, answer, payment.movedAt), 'final');
  }

  async function send(attempt: Attempt): Promise<AcquirerAnswer> {
    const { payment } = attempt;
    const directives = directivesOf(payment);
    reach(payment);
    if (directives.answer === 'lost-request') throw connectionCut();
    receive(attempt, directives);
    if (directives.answer === 'twice') receive(attempt, directives);
    if (directives.latency !== undefined) await sleep(Number.parseInt(directives.latency, 10));
    if (directives.answer === 'lost' || directives.answer === 'late') throw connectionCut();
    if (directives.answer === 'garbled') throw new Error('the answer of the simulator cannot be read');
    const answer = listen(payment);
    // The redirect is returned first; a scripted shopper decides a moment later.
    if (answer.is === 'redirected') void actAsShopper(answer.redirect);
    return answer;
  }

  return {
    ...simulator,
    answerMsMax,
    send,
    // The records of cancellations refuse what comes later.
    uncertainty: { learnedBy: 'id', lateMs: 0, cancelBindsLate: true, absenceIsProof: true },
    async inquire({ payment }) {
      reach(payment);
      recall(payment);
      return listen(payment);
    },
    async cancel({ payment }) {
      reach(payment);
      return records.cancel(payment).answer;
    },
    tokens: createNetworkTokens(needs),
    pages: createBank({ ...needs, records }),
    decide: (attempt) => decide(attempt, isProof),
    ...(needs.records && { book }),
  };
}

type AcquirerOptions = {
  clockOf(merchantId: string): Clock;
  readonly advancesTo: ConnectorNeeds['advancesTo'];
  readonly records: AcquirerRecords;
  readonly answerMsMax: number;
  readonly isProof: IsProof | undefined;
};

/** The acquirer's side: receives attempts and answers inquiries. */
function createAcquirer({ clockOf, advancesTo, records, answerMsMax, isProof }: AcquirerOptions) {
  function receive(attempt: Attempt, directives: Directives, verdict = decideVerdict(attempt, directives, isProof)): void {
    const { payment } = attempt;
    if (needsRedirect(attempt, verdict, directives)) {
      const scripted = scriptedDecision(payment, directives);
      records.add(payment.id, scripted ? { ...undecided(payment), ...scripted } : undecided(payment), 'open');
      return;
    }
    const decidedAt = payment.createdAt + waitMs(verdict, directives);
    records.add(payment.id, entryOf(payment, answerOf(attempt, verdict, directives), decidedAt), 'open');
  }

  function waitMs({ is }: Verdict, { answer, for: time }: Directives): number {
    if (is === 'pending') return durationMs(time, PENDING_MS);
    return answer === 'late' ? answerMsMax + durationMs(time, LATE_MS) : 0;
  }

  /** Records are in memory. A record from before a restart or of another node is derived from the payment. */
  function recall(payment: Payment): void {
    const directives = directivesOf(payment);
    const attempt = attemptFromRecord(payment);
    const verdict = recallVerdict(attempt, directives);
    if (wasReceived(payment, directives, verdict)) receive(attempt, directives, verdict);
  }

  function listen(payment: Payment): AcquirerAnswer {
    const entry = records.find(payment.id);
    if (!entry) return { is: 'absent' };
    const answer = answerAt(entry, clockOf(payment.merchantId).now());
    // Before the shopper was redirected, the answer is the redirect.
    const isToBeSent = payment.phase.at !== 'shopper' && answer.is === 'waiting' && (isUndecided(entry) || entry.isScripted);
    if (isToBeSent || isScriptedRedirect(payment, entry)) return redirectAnswer(payment);
    return answer.is === 'waiting' ? { ...answer, ...nextChange(payment, entry) } : answer;
  }

  /** While a test clock is advanced no user decides: nothing changes before the scripted instant, or before the clock arrives. */
  function nextChange({ merchantId }: Payment, { decidedAt }: AcquirerRecord): { readonly nextAt?: number } {
    const arrivesAt = advancesTo?.(merchantId) ?? null;
    return arrivesAt === null ? {} : { nextAt: Math.min(arrivesAt, decidedAt) };
  }

  return { receive, recall, listen };
}

/** A scripted shopper is redirected too, with the answer to the request itself. */
const isScriptedRedirect = ({ phase }: Payment, { isScripted }: AcquirerRecord): boolean =>
  phase.at === 'acquirer' && isScripted === true;

const RECEIVED: ReadonlySet<string | undefined> = new Set(['lost', 'late', 'garbled']);

/** Whether a payment without a record has reached the acquirer before. */
function wasReceived({ phase }: Payment, { answer }: Directives, { is }: Verdict): boolean {
  const isDecidedLater = is === 'pending' && answer !== 'lost-request' && answer !== 'down';
  return phase.at === 'shopper' || RECEIVED.has(answer) || isDecidedLater;
}

/** The attempt as far as it can be derived from the stored payment. */
const attemptFromRecord = (payment: Payment): Attempt => ({
  payment,
  secrets: {},
  referenced: null,
  registration: null,
  series: seriesFromFields(payment),
});

function assertUp(payment: Payment, now: number): void {
  const { answer, for: time } = directivesOf(payment);
  const isDown = answer === 'down' && now < payment.createdAt + durationMs(time, DOWN_MS);
  if (isDown) throw new Error('the simulator is down');
}

/** The answer to an ordinary attempt; null when directives delay or break the exchange. */
function decide(attempt: Attempt, isProof: IsProof | undefined): AcquirerAnswer | null {
  const directives = directivesOf(attempt.payment);
  if (directives.answer !== undefined || directives.latency !== undefined) return null;
  const verdict = decideVerdict(attempt, directives, isProof);
  return verdict.is === 'pending' || needsRedirect(attempt, verdict, directives) ? null : answerOf(attempt, verdict, directives);
}

function answerOf(attempt: Attempt, verdict: Verdict, directives: Directives): AcquirerAnswer {
  if (verdict.is === 'declined') return { ...verdict, details: detailsOfDecline(attempt, directives, verdict.code) };
  if (verdict.is === 'pending') return answerOf(attempt, verdict.ending, directives);
  return { ...verdict, details: detailsOfApproval(attempt, directives) };
}

function entryOf({ familyId, paymentType, amount }: Payment, answer: AcquirerAnswer, decidedAt: number): AcquirerRecord {
  return { familyId, paymentType, amount, answer, decidedAt };
}

/** The answer that the gateway has committed. */
function recordedAnswer({ phase, details }: Payment): AcquirerAnswer | null {
  if (phase.at !== 'final') return null;
  const { code } = phase;
  if (isApproval(code)) return { is: 'approved', code, details };
  return isNegative(code) ? { is: 'declined', code, details } : null;
}

/** A lost answer: the test does not have to wait for the timeout. */
const connectionCut = (): Error => new Error('the connection to the simulator was cut');
