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
import { codeOfCheck, type Judgement, judgedBy } from './risk.ts';
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
export function screen(world: World, request: ScreenRequest, unjudged: Payment): Screened | Promise<Screened> {
  const { order, channel } = request;
  const isAtEnd = unjudged.phase.at === 'final';
  // Missing parameters are reported before the risk checks: a refused request is not stored and must not count as an attempt.
  const starting = isAtEnd ? null : startAuthentication(world, unjudged, { order, channel, isDemanded: false });
  const judge = (optional: AuthenticationStart | null) => judged(world, request, { unjudged, optional });
  return starting instanceof Promise ? starting.then(judge) : judge(starting);
}

type Unjudged = { readonly unjudged: Payment; readonly optional: AuthenticationStart | null };

/** The risk checks, once it is known how an optional authentication would begin. */
function judged(world: World, request: ScreenRequest, { unjudged, optional }: Unjudged): Screened | Promise<Screened> {
  if (optional?.is === 'faulty') return optional;
  const { channel, risk: known } = request;
  const judging = known === undefined ? judgedBy(world, unjudged, channel) : { risk: known, facts: null };
  const conclude = ({ risk, facts }: Judgement) => concluded(world, request, { drafted: { ...unjudged, risk }, facts, optional });
  return judging instanceof Promise ? judging.then(conclude) : conclude(judging);
}

type Drafted = { readonly drafted: Payment; readonly facts: RiskFacts | null };
type Judged = Drafted & { readonly optional: AuthenticationStart | null };

/** The end of the payment, or the authentication that the verdict demands or leaves optional. */
function concluded(world: World, request: ScreenRequest, { drafted, facts, optional }: Judged): Screened | Promise<Screened> {
  const { order, channel } = request;
  const verdict = drafted.risk?.verdict;
  if (order.paymentType === RISK_CHECK) return ended({ drafted, facts }, codeOfCheck(drafted.risk));
  if (verdict?.is === 'decline') return ended({ drafted, facts }, verdict.code);
  if (optional === null) return screened(drafted, facts);
  if (verdict?.is !== 'challenge') return begun(world, request, { drafted, facts, beginning: optional });
  const starting = startAuthentication(world, drafted, { order, channel, isDemanded: true });
  const begin = (beginning: AuthenticationStart) => begun(world, request, { drafted, facts, beginning });
  return starting instanceof Promise ? starting.then(begin) : begin(starting);
}

type Beginning = Drafted & { readonly beginning: AuthenticationStart };

/** The intent with what the start of the authentication says. */
function begun(world: World, { order, channel }: ScreenRequest, { drafted, facts, beginning }: Beginning): Screened {
  switch (beginning.is) {
    case 'unasked':
      return unchallenged({ drafted, facts }, world.risk.unchallenged(channel.risk));
    case 'faulty':
      return beginning;
    case 'stopped':
      return ended({ drafted, facts }, beginning.code);
    case 'goOn':
      return screened(withFields(drafted, beginning.fields), facts);
    case 'begun': {
      const { state, dueAt } = beginning;
      const threeDS = { origin: order.origin, state, sealedProof: null };
      return screened({ ...drafted, phase: { at: 'authentication', dueAt }, threeDS }, facts);
    }
  }
}

const screened = (intent: Payment, facts: RiskFacts | null): Screened => ({ is: 'screened', intent, facts });

const ended = ({ drafted, facts }: Drafted, code: FinalCode): Screened =>
  screened({ ...drafted, phase: { at: 'final', code } }, facts);

const withFields = (drafted: Payment, fields: Payment['fields']): Payment =>
  Object.keys(fields).length === 0 ? drafted : { ...drafted, fields: { ...drafted.fields, ...fields } };

/** The risk checks demand a challenge, and the cardholder cannot be challenged. */
function unchallenged({ drafted, facts }: Drafted, then: Silence): Screened {
  if (then === 'decline' || drafted.risk === null) return ended({ drafted, facts }, '100.400.141');
  return screened(then === 'review' ? { ...drafted, risk: { ...drafted.risk, asksReview: true } } : drafted, facts);
}
