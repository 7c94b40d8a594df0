import type { AuthenticationEvent } from '../threeds/authentication.ts';
import { answerResults, unknownResults } from '../threeds/results.ts';
import { isApproved } from './balance.ts';
import { ask, type Driven, drive, heard, record } from './drive.ts';
import { next, type PaymentEvent } from './lifecycle.ts';
import type { Named } from './named.ts';
import type { Answer, World } from './needs.ts';
import { isOpen, type Payment } from './payment.ts';
import { became, moved } from './threeDS.ts';

/** A payment that moves on under our hands more often than this is being fought over by many nodes. */
const TRIES_MAX = 64;

/**
 * What the far side tells by itself: before the shopper is back, after, twice, or when nobody waits any more. The payment moves at most
 * once; an approval that comes too late is taken back where it was given. Whoever moved it meanwhile had not heard this yet, so it is
 * heard again with what the payment has become. Rejects when it is to be told again.
 */
export async function hear(world: World, named: Named, answer: Answer): Promise<Payment | null> {
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
export async function welcome(world: World, named: Named): Promise<Payment | null> {
  const found = await find(world, named);
  if (found?.payment.phase.at !== 'shopper') return found?.payment ?? null;
  const event = await ask(world, found.payment, null);
  // Not decided is no news: the sweeper looks again when it is time.
  return event.is === 'waiting' || event.is === 'redirected' || event.is === 'silence'
    ? found.payment
    : move(world, found, event);
}

/** Something happened to an authentication: in the shopper's browser, or at the issuer's. */
export async function authenticated(world: World, named: Named, event: AuthenticationEvent): Promise<Payment | null> {
  const found = await find(world, named);
  if (found?.payment.phase.at !== 'authentication') return found?.payment ?? null;
  await move(world, found, await moved(world, found.payment, event));
  return goOn(world, named);
}

/** Results from a directory server: the answer to give, once what they say is kept. */
export async function hearResults(world: World, named: Named, json: unknown): Promise<object> {
  const found = await find(world, named);
  const state = found?.payment.threeDS?.state;
  if (!found || !state) return unknownResults(json);
  const { authentication, reply } = answerResults(state, json, world.clock.now());
  if (authentication !== state && found.payment.phase.at === 'authentication') {
    await move(world, found, await became(world, found.payment, authentication));
    await goOn(world, named);
  }
  return reply;
}

/** Goes on as far as it gets without anybody else. */
export async function goOn(world: World, named: Named): Promise<Payment | null> {
  const found = await find(world, named);
  return found && drive(world, found, null);
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
