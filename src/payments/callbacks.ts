import { resultCodes } from '../spec/resultCodes.ts';
import { type AuthenticationEvent, next as nextOf } from '../threeds/authentication.ts';
import { answerResults, unknownResults } from '../threeds/directory.ts';
import { isApproved } from './balance.ts';
import { ask, askConnector, drive, eventFromAnswer, inquiryFor, record, type VersionedPayment } from './drive.ts';
import { next, type PaymentEvent } from './lifecycle.ts';
import type { Order } from './order.ts';
import { type Family, isOpen, type Payment, type PaymentRef, type ThreeDS } from './payment.ts';
import type { AcquirerAnswer, World } from './ports.ts';
import { applyAuthenticationEvent, stepTo } from './threeDS/steps.ts';

/** Only many nodes at work on one payment change it more often than this between a read and a commit. */
const TRIES_MAX = 64;

/** The acquirer must send the notification again: its payment is not known yet, or the request is still under way. */
export class SendAgain extends Error {
  override readonly name = 'SendAgain';
}

/**
 * An answer that the acquirer sends by itself: before the shopper is back, after, twice, or late. The payment moves at most once; an
 * approval that comes too late is cancelled at the acquirer. When the payment has changed meanwhile, the answer is applied again to its
 * current state. `connector`: the account that sent it; what it says counts only while the payment is there. Rejects when the acquirer must
 * send the callback again.
 */
export async function onCallback(
  world: World,
  named: PaymentRef & { readonly connector?: string },
  answer: AcquirerAnswer,
): Promise<Payment | null> {
  const event = eventFromAnswer(answer);
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const found = await find(world, named);
    if (!found) return null;
    const { payment } = found;
    if (named.connector !== undefined && named.connector !== payment.connector) throw new SendAgain('rerouted');
    if (isLeftToAnswer(payment, event, world.clock.now())) throw new SendAgain(event.is);
    if (event.is === 'approved' && !isOpen(payment) && !isApproved(payment)) await cancelLateApproval(world, payment);
    const after = isRelevant(payment, event) ? next(payment, event, world.clock.now()) : payment;
    if (after === payment || (await record(world, found, after)).payment === after) return after;
  }
  throw new Error(`payment ${named.paymentId} changed too often`);
}

/**
 * A cancellation ends with the answer to our own request: a decline in a callback may be older than an approval. The approval is recorded,
 * so that an answer which was on its way before it finds the payment changed and is asked for again.
 */
const isRelevant = ({ phase }: Payment, event: PaymentEvent): boolean => phase.at !== 'cancelling' || event.is === 'approved';

/**
 * A decline after which another account may be asked, while the request is under way. Only that request has the secrets, so its answer
 * decides: it says the same, and the payment goes on. Without an answer the request ends by its time, and the decline counts.
 */
const isLeftToAnswer = ({ phase }: Payment, event: PaymentEvent, now: number): boolean =>
  phase.at === 'acquirer' &&
  phase.hasOthers === true &&
  now < phase.dueAt &&
  event.is === 'declined' &&
  resultCodes[event.code].retry.otherAccount !== 'no';

/** The shopper is back. The acquirer is asked for the outcome immediately, because the browser proves nothing. */
export async function onShopperReturn(
  world: World,
  named: PaymentRef,
  parameters: ReadonlyMap<string, string> = new Map(),
): Promise<Payment | null> {
  const found = await find(world, named);
  if (found?.payment.phase.at !== 'shopper') return found?.payment ?? null;
  const { payment } = found;
  const event = await askConnector(world, payment, (connector) =>
    inquiryFor(world, payment).then((inquiry) => connector.completeReturn?.(inquiry, parameters) ?? connector.inquire(inquiry)),
  );
  return moveIfDecided(world, found, event);
}

/** A hint that there is something to learn: the acquirer is asked now, and its answer counts as any other. */
export async function onInquiry(world: World, named: PaymentRef): Promise<Payment | null> {
  const found = await find(world, named);
  if (!found || !isOpen(found.payment) || found.payment.phase.at === 'authentication') return found?.payment ?? null;
  const event = await ask(world, found.payment, null);
  return moveIfDecided(world, found, event);
}

/** An undecided payment stays as it is, with its time of the next inquiry: the sweeper asks again when it is due. */
async function moveIfDecided(world: World, found: VersionedPayment, event: PaymentEvent): Promise<Payment> {
  const isUndecided = event.is === 'waiting' || event.is === 'redirected' || event.is === 'silence';
  return isUndecided ? found.payment : move(world, found, event);
}

/** An event of an authentication, from the shopper's browser or from the issuer. */
export async function onAuthenticated(world: World, named: PaymentRef, event: AuthenticationEvent): Promise<Payment | null> {
  await advance(world, named, async (payment) => ({ event: await applyAuthenticationEvent(world, payment, event), reply: null }));
  return resumeAuthentication(world, named);
}

/** Results (RReq) from a directory server. Returns the response once the results are committed. */
export async function onThreeDSResults(world: World, named: PaymentRef, json: unknown): Promise<object> {
  const reply = await advance(world, named, async (payment, { state }) => {
    const { authentication, reply } = answerResults(state, json, world.clock.now());
    const event = authentication === state ? SILENCE : await stepTo(world, payment, authentication);
    return { event, reply };
  });
  if (reply) await resumeAuthentication(world, named);
  return reply ?? unknownResults(json);
}

const SILENCE: PaymentEvent = { is: 'silence' };

type Step<Reply> = (payment: Payment, threeDS: ThreeDS) => Promise<{ readonly event: PaymentEvent; readonly reply: Reply }>;

/**
 * Moves an authentication. When the payment has changed meanwhile, the step is decided again on its current state, so that results are
 * not lost to a shopper who comes back at the same moment. Null: there is no such authentication.
 */
async function advance<Reply>(world: World, named: PaymentRef, step: Step<Reply>): Promise<Reply | null> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const found = await find(world, named);
    if (!found?.payment.threeDS) return null;
    const { payment } = found;
    const { event, reply } = await step(payment, found.payment.threeDS);
    const after = payment.phase.at === 'authentication' ? next(payment, event, world.clock.now()) : payment;
    if (after === payment || (await record(world, found, after)).payment === after) return reply;
  }
  throw new Error(`payment ${named.paymentId} changed too often`);
}

/** Drives an authentication as far as possible; every other open phase has its own due time. */
async function resumeAuthentication(world: World, named: PaymentRef): Promise<Payment | null> {
  const found = await find(world, named);
  return found?.payment.phase.at === 'authentication' ? drive(world, found, null) : (found?.payment ?? null);
}

async function find({ store }: World, { merchantId, paymentId }: PaymentRef): Promise<VersionedPayment | null> {
  const family = await store.family(merchantId, paymentId);
  const payment = family?.payments.find(({ id }) => id === paymentId);
  return family && payment ? { payment, version: family.version } : null;
}

async function move(world: World, found: VersionedPayment, event: PaymentEvent): Promise<Payment> {
  const after = next(found.payment, event, world.clock.now());
  return after === found.payment ? after : (await record(world, found, after)).payment;
}

/** Rejects until the acquirer confirms that nothing is booked, so that it sends the approval again. */
export async function cancelLateApproval(world: World, payment: Payment): Promise<void> {
  const said = await askToCancel(world, payment);
  if (said.is === 'cancelled' || said.is === 'declined') return;
  world.alarm('a payment was approved too late and could not be taken back', { paymentId: payment.id });
  throw new Error(`the late approval of ${payment.id} is not taken back yet`);
}

const askToCancel = (world: World, payment: Payment): Promise<PaymentEvent> =>
  askConnector(world, payment, (connector) => inquiryFor(world, payment).then((inquiry) => connector.cancel(inquiry)));

/** Cancelled by the shopper before the authentication was complete. */
const CANCELLED = '100.396.101';

/**
 * The shopper has chosen another way to pay: ends the open payment. Returns its state afterwards. It may have been approved in the same
 * moment, and that result counts; it stays open when the acquirer does not confirm that it will never book it.
 */
export async function abandon(world: World, { merchantId, paymentId }: PaymentRef): Promise<Payment | null> {
  const family = await world.store.family(merchantId, paymentId);
  const payment = family?.payments.find(({ id }) => id === paymentId);
  if (!family || !payment) return null;
  const found: VersionedPayment = { payment, version: family.version };
  switch (payment.phase.at) {
    case 'authentication':
      return abandonAuthentication(world, found);
    case 'shopper':
      return abandonRedirect(world, found);
    default:
      return payment;
  }
}

/**
 * The acquirer has not been asked yet. The authentication ends with its payment; later results are answered as too late. The secrets are
 * dropped only after the commit: until then another request may need them.
 */
async function abandonAuthentication(world: World, found: VersionedPayment): Promise<Payment> {
  const { threeDS } = found.payment;
  if (!threeDS) return found.payment;
  const now = world.clock.now();
  const abandoned = { ...threeDS, state: nextOf(threeDS.state, { is: 'abandoned' }, now), sealedProof: null };
  const ended = next(found.payment, { is: 'unproven', threeDS: abandoned, code: CANCELLED }, now);
  const { payment } = await record(world, found, ended);
  if (payment === ended) world.pendingSecrets.drop(payment.id);
  return payment;
}

const isDecision = ({ is }: PaymentEvent): boolean => is === 'approved' || is === 'declined' || is === 'cancelled';

/**
 * The acquirer is asked first, because the shopper may have paid a moment ago. Otherwise the phase `cancelling` is committed before the
 * acquirer is asked to cancel, as with every cancellation: an approval in between is cancelled and never accepted.
 */
async function abandonRedirect(world: World, found: VersionedPayment): Promise<Payment> {
  const event = await ask(world, found.payment, null);
  const after = next(found.payment, isDecision(event) ? event : { is: 'absent' }, world.clock.now());
  const recorded = await record(world, found, after);
  return recorded.payment === after ? drive(world, recorded, null) : recorded.payment;
}

/**
 * A reversal of a payment that waits and has not left yet ends the payment. Returns the family to decide the reversal on: when the payment
 * has left, it is as it was, and the reversal is refused. Reasons that would refuse the reversal anyway are checked first.
 */
export async function withdrawn(world: World, order: Order, family: Family, payment: Payment): Promise<Family> {
  const connector = isWithdrawal(order, payment) ? world.connector(payment.connector, payment.entityId) : null;
  if (!connector?.withdraw) return family;
  const event = await askConnector(world, payment, (asked) =>
    inquiryFor(world, payment).then((inquiry) => asked.withdraw?.(inquiry) ?? { is: 'waiting' }),
  );
  if (event.is !== 'declined') return family;
  await record(world, { payment, version: family.version }, next(payment, event, world.clock.now()));
  return (await world.store.family(payment.merchantId, payment.id)) ?? family;
}

/** Whether a reversal asks for all of a payment that waits for its acquirer. */
export function isWithdrawal(order: Order, { phase, entityId, mode, amount, currency }: Payment): boolean {
  return (
    order.paymentType === 'RV' &&
    order.practice === null &&
    order.refusal === null &&
    !order.isTestInLive &&
    phase.at === 'doubt' &&
    order.entityId === entityId &&
    order.mode === mode &&
    (order.amount === null || order.amount === amount) &&
    (order.currency === null || order.currency === currency)
  );
}
