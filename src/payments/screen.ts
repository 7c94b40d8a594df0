import type { Fault } from '../form/checked.ts';
import type { Channel } from '../merchants/channel.ts';
import type { Assessment } from '../risk/assess.ts';
import type { RiskFacts } from '../risk/facts.ts';
import type { Silence } from '../risk/settings.ts';
import { RISK_CHECK } from '../spec/paymentTypes.ts';
import type { FinalCode } from '../spec/resultCodes.ts';
import type { Order } from './order.ts';
import type { Payment } from './payment.ts';
import type { World } from './ports.ts';
import { codeOfCheck, judge } from './risk.ts';
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
