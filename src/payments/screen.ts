import type { Fault } from '../form/checked.ts';
import type { Channel } from '../merchants/channel.ts';
import type { Assessment } from '../risk/assess.ts';
import { collectFacts, type RiskFacts } from '../risk/facts.ts';
import type { Silence } from '../risk/settings.ts';
import { RISK_CHECK } from '../spec/paymentTypes.ts';
import { countsAs } from '../spec/resultCodes/retryRules.ts';
import type { FinalCode } from '../spec/resultCodes.ts';
import { isMerchantInitiated } from '../threeds/authenticationNeed.ts';
import { isApproved } from './balance.ts';
import type { Order } from './order.ts';
import type { Payment } from './payment.ts';
import type { World } from './ports.ts';
import { instructionIn } from './series.ts';
import { type AuthenticationStart, startAuthentication } from './threeDS/startAuthentication.ts';

type ScreenRequest = {
  readonly order: Order;
  readonly channel: Channel;
  /** The verdict of an earlier try: an order is evaluated once, however often it is decided. Undefined: not evaluated yet. */
  readonly risk?: Assessment | null;
};

/** `screened`: the intent with its verdict, final where the risk checks end it, and the facts that were judged. */
export type Screened =
  | { readonly is: 'screened'; readonly intent: Payment; readonly facts: RiskFacts | null }
  | { readonly is: 'faulty'; readonly faults: readonly Fault[] };

/** The steps before the acquirer: the risk checks, which may end the payment, and the start of an authentication. */
export async function screen(world: World, { order, channel, risk: known }: ScreenRequest, unjudged: Payment): Promise<Screened> {
  // Missing parameters are reported before the risk checks: a refused request is not stored and must not count as an attempt.
  const isAtEnd = unjudged.phase.at === 'final';
  const optional = isAtEnd ? null : await startAuthentication(world, unjudged, { order, channel, isDemanded: false });
  if (optional?.is === 'faulty') return optional;
  const { risk, facts } = known === undefined ? await judge(world, unjudged, channel) : { risk: known, facts: null };
  const judged: Payment = { ...unjudged, risk };
  const verdict = risk?.verdict;
  if (order.paymentType === RISK_CHECK) return screened(ended(judged, codeOfCheck(risk)), facts);
  if (verdict?.is === 'decline') return screened(ended(judged, verdict.code), facts);
  if (optional === null) return screened(judged, facts);
  const isDemanded = verdict?.is === 'challenge';
  const start = isDemanded ? await startAuthentication(world, judged, { order, channel, isDemanded }) : optional;
  return start.is === 'faulty' ? start : screened(begun(world, { order, channel }, judged, start), facts);
}

const screened = (intent: Payment, facts: RiskFacts | null): Screened => ({ is: 'screened', intent, facts });

const ended = (judged: Payment, code: FinalCode): Payment => ({ ...judged, phase: { at: 'final', code } });

/** The intent after its authentication has begun, or has turned out not to be needed or not to be possible. */
function begun(
  world: World,
  { order, channel }: ScreenRequest,
  judged: Payment,
  start: Exclude<AuthenticationStart, { readonly is: 'faulty' }>,
): Payment {
  switch (start.is) {
    case 'unasked':
      return unchallenged(judged, world.risk.unchallenged(channel.risk));
    case 'stopped':
      return ended(judged, start.code);
    case 'goOn':
      return withFields(judged, start.fields);
    case 'begun': {
      const { state, dueAt } = start;
      const threeDS = { origin: order.origin, state, sealedProof: null };
      return { ...judged, phase: { at: 'authentication', dueAt }, threeDS };
    }
  }
}

const withFields = (judged: Payment, fields: Payment['fields']): Payment =>
  Object.keys(fields).length === 0 ? judged : { ...judged, fields: { ...judged.fields, ...fields } };

/** The risk checks demand a challenge, and the cardholder cannot be challenged. */
function unchallenged(judged: Payment, then: Silence): Payment {
  if (then === 'decline' || judged.risk === null) return ended(judged, '100.400.141');
  return then === 'review' ? { ...judged, risk: { ...judged.risk, asksReview: true } } : judged;
}

/** The risk checks of a payment: judged before the acquirer is asked, counted when it ends. */

const judgedTypes: readonly string[] = ['PA', 'DB', 'RG', RISK_CHECK];

/** Whether the payment begins something new with an instrument. Captures and refunds were judged with the payment that they reference. */
export const isJudged = ({ paymentType, referencedId }: Payment): boolean =>
  judgedTypes.includes(paymentType) && referencedId === null;

type Knowing = { readonly risk: Pick<World['risk'], 'lookups'> };

/** The facts for the rules. They are made from the stored payment alone, so that the same facts can be made again at any time. */
export function factsAbout({ risk: { lookups } }: Knowing, payment: Payment, timeZone: string): RiskFacts {
  const { instrument, fields, registrationId, paymentType } = payment;
  const bin = instrument?.kind === 'card' ? instrument.bin : null;
  const ip = fields['customer.ip'];
  return collectFacts(fields, {
    merchantId: payment.merchantId,
    entityId: payment.entityId,
    timeZone,
    now: payment.createdAt,
    amount: payment.amount,
    currency: payment.currency,
    paymentType,
    paymentBrand: payment.paymentBrand,
    method: payment.method,
    instrument,
    fingerprint: payment.fingerprint,
    checkoutId: payment.checkoutId,
    merchantTransactionId: payment.merchantTransactionId,
    issuer: bin === null ? null : lookups.issuer(bin),
    ipCountry: ip === undefined ? null : lookups.country(ip),
    // Stored details are known since they were stored; what stores them now is no older than itself.
    registration:
      registrationId === null || paymentType === 'RG' ? null : { id: registrationId, createdAt: bornAt(registrationId) },
    isMerchantInitiated: isMerchantInitiated(instructionIn(payment)),
  });
}

const TIME_DIGITS = 12;

/** Ids are time-ordered in front. */
const bornAt = (id: string): number => Number.parseInt(id.slice(0, TIME_DIGITS), 16);

/** A verdict and the facts that it is based on; null for a payment that is not judged. */
type Judgement = { readonly risk: Assessment | null; readonly facts: RiskFacts | null };

/** The verdict about a payment that is about to begin. */
async function judge(world: World, payment: Payment, channel: Channel): Promise<Judgement> {
  if (!isJudged(payment)) return { risk: null, facts: null };
  const as = payment.paymentType === RISK_CHECK ? 'dryRun' : 'attempt';
  const facts = factsAbout(world, payment, channel.timeZone);
  return { risk: await world.risk.evaluate(facts, channel.risk, as, payment.id), facts };
}

/** The outcome that the velocity counters count for a payment; null: none yet, or something may be booked all the same. */
export function outcomeOf(payment: Payment): 'approved' | 'declined' | 'unbooked' | null {
  const { phase, risk, paymentType } = payment;
  if (phase.at !== 'final' || risk === null || paymentType === RISK_CHECK || risk.verdict.is === 'decline') return null;
  if (isApproved(payment)) return 'approved';
  const counts = countsAs(phase.code);
  return counts === 'open' ? null : counts;
}

/** Counts the outcome of a stored payment in the velocity counters, once. `facts`: those of its evaluation, if the caller has them. */
export async function noteOutcome(world: World, payment: Payment, facts: RiskFacts | null = null): Promise<void> {
  const is = outcomeOf(payment);
  const channel = is && world.channel(payment.entityId);
  if (!is || !channel || !world.countedEvents.outcome(payment.id)) return;
  await world.risk.record(facts ?? factsAbout(world, payment, channel.timeZone), channel.risk, is, payment.id);
}

/** Counts an attempt of which no payment was kept: it books nothing. One that the rules blocked is counted already. */
export async function noteUnkept(
  world: World,
  { intent, facts }: { readonly intent: Payment; readonly facts: RiskFacts | null },
  channel: Channel,
): Promise<void> {
  if (intent.risk === null || intent.paymentType === RISK_CHECK || intent.risk.verdict.is === 'decline') return;
  await world.risk.record(facts ?? factsAbout(world, intent, channel.timeZone), channel.risk, 'unbooked', intent.id);
}

/** How a risk check without a payment ends. */
function codeOfCheck(assessment: Assessment | null): FinalCode {
  const verdict = assessment?.verdict ?? { is: 'accept' };
  switch (verdict.is) {
    case 'accept':
      return '000.300.100';
    case 'challenge':
    case 'review':
      return '100.400.141';
    case 'decline':
      return verdict.code;
  }
}
