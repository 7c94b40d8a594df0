import type { AuthenticationEvent } from '../threeds/authentication.ts';
import { answerResults, unknownResults } from '../threeds/results.ts';
import { isApproved } from './balance.ts';
import { ask, type Driven, drive, heard, record } from './drive.ts';
import { next, type PaymentEvent } from './lifecycle.ts';
import { isOpen, type Payment, type ThreeDS } from './payment.ts';
import type { Named } from './paymentName.ts';
import type { AcquirerAnswer, World } from './ports.ts';
import { became, moved } from './threeDS/steps.ts';

/** A payment that moves on under our hands more often than this is being fought over by many nodes. */
const TRIES_MAX = 64;

/**
 * What the far side tells by itself: before the shopper is back, after, twice, or when nobody waits any more. The payment moves at most
 * once; an approval that comes too late is taken back where it was given. Whoever moved it meanwhile had not heard this yet, so it is
 * heard again with what the payment has become. Rejects when it is to be told again.
 */
export async function onCallback(world: World, named: Named, answer: AcquirerAnswer): Promise<Payment | null> {
  const event = heard(answer);
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const found = await find(world, named);
    if (!found) return null;
    const { payment } = found;
    if (event.is === 'approved' && !isOpen(payment) && !isApproved(payment)) await takeBack(world, payment);
    const after = isNews(payment, event) ? next(payment, event, world.clock.now()) : payment;
    if (after === payment || (await record(world, found, after)).payment === after) return after;
  }
  throw new Error(`payment ${named.paymentId} did not hold still`);
}

/**
 * A cancellation ends with the answer to our own question: a no that is told may be older than a yes. The yes is written down, so that
 * an answer which was on its way before it finds the payment moved on and is asked for again.
 */
const isNews = ({ phase }: Payment, event: PaymentEvent): boolean => phase.at !== 'cancelling' || event.is === 'approved';

/** The shopper is back: what he did is asked for at once, and not believed from his browser. */
export async function onShopperReturn(world: World, named: Named): Promise<Payment | null> {
  const found = await find(world, named);
  if (found?.payment.phase.at !== 'shopper') return found?.payment ?? null;
  const event = await ask(world, found.payment, null);
  // Not decided is no news: the sweeper looks again when it is time.
  return event.is === 'waiting' || event.is === 'redirected' || event.is === 'silence'
    ? found.payment
    : move(world, found, event);
}

/** Something happened to an authentication: in the shopper's browser, or at the issuer's. */
export async function onAuthenticated(world: World, named: Named, event: AuthenticationEvent): Promise<Payment | null> {
  await advance(world, named, async (payment) => ({ event: await moved(world, payment, event), reply: null }));
  return goOn(world, named);
}

/** Results from a directory server: the answer to give, once what they say is kept. */
export async function onThreeDSResults(world: World, named: Named, json: unknown): Promise<object> {
  const reply = await advance(world, named, async (payment, { state }) => {
    const { authentication, reply } = answerResults(state, json, world.clock.now());
    const event = authentication === state ? SILENCE : await became(world, payment, authentication);
    return { event, reply };
  });
  if (reply) await goOn(world, named);
  return reply ?? unknownResults(json);
}

const SILENCE: PaymentEvent = { is: 'silence' };

type Step<Reply> = (payment: Payment, threeDS: ThreeDS) => Promise<{ readonly event: PaymentEvent; readonly reply: Reply }>;

/**
 * Moves an authentication. Whoever moved the payment meanwhile had not heard of this: it is decided anew on what the payment has become,
 * so that results are not lost to a shopper who comes back at the same moment. Null: there is no such authentication.
 */
async function advance<Reply>(world: World, named: Named, step: Step<Reply>): Promise<Reply | null> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const found = await find(world, named);
    if (!found?.payment.threeDS) return null;
    const { payment } = found;
    const { event, reply } = await step(payment, found.payment.threeDS);
    const after = payment.phase.at === 'authentication' ? next(payment, event, world.clock.now()) : payment;
    if (after === payment || (await record(world, found, after)).payment === after) return reply;
  }
  throw new Error(`payment ${named.paymentId} did not hold still`);
}

/** Goes on with an authentication as far as it gets without anybody else; whatever else is open has its own time. */
async function goOn(world: World, named: Named): Promise<Payment | null> {
  const found = await find(world, named);
  return found?.payment.phase.at === 'authentication' ? drive(world, found, null) : (found?.payment ?? null);
}

async function find({ store }: World, { merchantId, paymentId }: Named): Promise<Driven | null> {
  const family = await store.family(merchantId, paymentId);
  const payment = family?.payments.find(({ id }) => id === paymentId);
  return family && payment ? { payment, version: family.version } : null;
}

async function move(world: World, found: Driven, event: PaymentEvent): Promise<Payment> {
  const after = next(found.payment, event, world.clock.now());
  return after === found.payment ? after : (await record(world, found, after)).payment;
}

/** Rejects until the far side says that nothing is booked, so that whoever told of the approval tells again. */
async function takeBack(world: World, payment: Payment): Promise<void> {
  const said = await cancelled(world, payment);
  if (said.is === 'cancelled' || said.is === 'declined') return;
  world.alarm('a payment was approved too late and could not be taken back', { paymentId: payment.id });
  throw new Error(`the late approval of ${payment.id} is not taken back yet`);
}

async function cancelled(world: World, payment: Payment): Promise<PaymentEvent> {
  const connector = world.connector(payment.connector);
  try {
    return connector ? heard(await world.timers.within(connector.answerMsMax, connector.cancel(payment))) : { is: 'silence' };
  } catch {
    return { is: 'silence' };
  }
}
