import { decisiveAttempt } from '../../src/checkouts/checkout.ts';
import { checkoutIn } from '../../src/checkouts/find.ts';
import type { CheckoutService } from '../../src/checkouts/ports.ts';
import { changeCheckout, openCheckout } from '../../src/checkouts/prepare.ts';
import { noteStatusRead } from '../../src/checkouts/submission.ts';
import { decode } from '../../src/form/decode.ts';
import type { Channel } from '../../src/merchants/channel.ts';
import type { Entity } from '../../src/merchants/directory.ts';
import { amountText } from '../../src/money/amount.ts';
import type { IdempotencyKey } from '../../src/payments/ports.ts';
import type { Ordered } from './checkoutInvariants.ts';
import { type Counter, type Session, visit } from './checkoutShoppers.ts';
import { ORIGIN } from './issuer.ts';
import { reach } from './secureShoppers.ts';
import { channels } from './shops.ts';
import { breaks, brief, note } from './sim.ts';

/** A shop that prepares a checkout, changes it now and then, and asks what became of it. */
export async function tellCheckout(counter: Counter): Promise<void> {
  const { chance, scheduler, weather, tally } = counter.sim;
  await scheduler.sleep(chance.below(weather.chaosMs * 0.6));
  const session = await prepared(counter);
  if (!session) return;
  if (chance.hits(0.2)) await changed(session);
  const tabs = chance.hits(0.35) ? 2 : 1;
  if (tabs === 2) tally.hit('checkout: two tabs', 'checkout');
  await Promise.all(Array.from({ length: tabs }, () => visit(session)));
  for (let looks = chance.below(3); looks > 0; looks -= 1) {
    await ask(session);
    await scheduler.sleep(chance.below(60_000));
  }
  await ask(session);
}

/** One request to prepare or to change, as often as it is sent. */
type Asking = {
  readonly channel: Channel;
  readonly ordered: Ordered;
  readonly body: string;
  readonly idempotencyKey: IdempotencyKey | null;
};

function askingFor({ sim }: Counter, said: Omit<Asking, 'body' | 'idempotencyKey'> & { readonly isKeyed: boolean }): Asking {
  const { channel, ordered, isKeyed } = said;
  const { merchantTransactionId, amounts } = ordered;
  const amount = BigInt(sim.chance.between(300, 50_000));
  const key = `${merchantTransactionId}-${amounts.size}`;
  amounts.add(amount);
  const paymentType = sim.chance.pick(['DB', 'DB', 'PA']);
  const order = { amount: amountText(amount), currency: 'EUR', paymentType, merchantTransactionId };
  const body = new URLSearchParams({ entityId: channel.entityId, ...order }).toString();
  const idempotencyKey = isKeyed ? { entityId: channel.entityId, key, bodyHash: body } : null;
  return { channel, ordered, body, idempotencyKey };
}

const entityOf = ({ entity }: CheckoutService, { entityId }: Channel): Entity => entity(entityId) as Entity;

/** Sent until there is an answer, or given up. Without a key each try may make a checkout of its own: each is another order then. */
async function prepared(counter: Counter): Promise<Session | null> {
  const { sim, watch } = counter;
  const { chance, scheduler, tally } = sim;
  const channel = chance.pick(channels);
  const isKeyed = chance.hits(0.75);
  const begin = () => askingFor(counter, { channel, ordered: watch.order(), isKeyed });
  let asking = begin();
  for (let tries = chance.between(1, 4); tries > 0; tries -= 1) {
    const times = isKeyed && chance.hits(0.25) ? 2 : 1;
    const answers = await Promise.all(Array.from({ length: times }, () => open(counter, asking)));
    const id = answers.find((answer) => answer !== null);
    if (id !== undefined && id !== null) {
      tally.hit('checkout: prepared', 'checkout');
      if (isKeyed && chance.hits(0.15)) await open(counter, asking);
      if (isKeyed && chance.hits(0.1)) await open(counter, { ...asking, body: `${asking.body}&descriptor=other` });
      return { ...counter, channel, ordered: asking.ordered, id };
    }
    if (isKeyed) tally.hit('checkout: prepared again with its key', 'checkout');
    else asking = begin();
    await scheduler.sleep(chance.pick([0, 500, 5_000, chance.below(60_000)]));
  }
  return null;
}

/** The id of the checkout; null when no answer came. */
async function open(counter: Counter, { channel, ordered, body, idempotencyKey }: Asking): Promise<string | null> {
  const { sim } = counter;
  const isOther = idempotencyKey !== null && idempotencyKey.bodyHash !== body;
  const sent = idempotencyKey && { ...idempotencyKey, bodyHash: body };
  const answer = await reach(counter, 'checkout', (_world, _entryPoints, service) =>
    openCheckout(service, { entity: entityOf(service, channel), decoded: decode(body), idempotencyKey: sent, origin: ORIGIN }),
  );
  if (answer === null) return null;
  const { done } = answer;
  if (isOther || done.is !== 'checkout') {
    if (!isOther || done.is !== 'otherBody')
      breaks(sim, 'I5', `preparing ${ordered.merchantTransactionId} was answered ${JSON.stringify(done)}`);
    return null;
  }
  const { id } = done.checkout;
  note(sim, `${channel.name} has prepared ${brief(id)} for ${ordered.merchantTransactionId}`);
  ordered.ids.add(id);
  if (ordered.ids.size > 1)
    breaks(sim, 'I3', `key ${idempotencyKey?.key} of ${ordered.merchantTransactionId} made ${[...ordered.ids].join(' and ')}`);
  return id;
}

/** He has thought of another amount. Whatever becomes of it, one of both is paid. */
async function changed(session: Session): Promise<void> {
  const { sim, channel, ordered, id } = session;
  const asking = askingFor(session, { channel, ordered, isKeyed: true });
  for (let tries = sim.chance.between(1, 3); tries > 0; tries -= 1) {
    const answer = await reach(session, 'checkout', async (_world, _entryPoints, service) => {
      const checkout = await checkoutIn(service, channel, id);
      const { body, idempotencyKey } = asking;
      return (
        checkout &&
        changeCheckout(service, checkout, { entity: entityOf(service, channel), decoded: decode(body), idempotencyKey })
      );
    });
    const done = answer?.done ?? null;
    if (done !== null && done.is !== 'checkout' && done.is !== 'paid')
      breaks(sim, 'I5', `changing ${ordered.merchantTransactionId} was answered ${JSON.stringify(done)}`);
    if (answer !== null) return done?.is !== 'checkout' ? undefined : sim.tally.hit('checkout: changed', 'checkout');
    await sim.scheduler.sleep(sim.chance.below(10_000));
  }
}

/** The merchant asks what became of it; now and then somebody else does, and learns nothing. */
async function ask(session: Session): Promise<void> {
  const { sim, watch, channel, ordered, id } = session;
  const otherMerchant = sim.chance.hits(0.1) ? channels.find(({ merchantId }) => merchantId !== channel.merchantId) : undefined;
  const answer = await reach(session, 'checkout', async (_world, _entryPoints, service) => {
    const checkout = await checkoutIn(service, otherMerchant ?? channel, id);
    const payment = checkout && decisiveAttempt(await service.store.attempts(checkout.merchantId, checkout.id));
    if (checkout) await noteStatusRead(service, checkout);
    return payment;
  });
  if (!answer?.done) return;
  if (otherMerchant) breaks(sim, 'I11', `${otherMerchant.name} could ask for the checkout ${id} of ${channel.name}`);
  watch.told(ordered, answer.done);
}
