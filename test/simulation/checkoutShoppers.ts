import { liveCheckout } from '../../src/checkouts/find.ts';
import type { PayResult } from '../../src/checkouts/pay.ts';
import { sealCard } from '../../src/checkouts/secrets.ts';
import { noteSubmission } from '../../src/checkouts/submission.ts';
import type { Channel } from '../../src/merchants/channel.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { widgetFields } from '../../src/spec/widget.ts';
import type { Street } from './bankEvents.ts';
import type { CheckoutWatch, Ordered } from './checkoutInvariants.ts';
import { isSuccess } from './invariants.ts';
import { ORIGIN } from './issuer.ts';
import { accountMeans, cardMeans } from './orders.ts';
import { reach, type SecureShoppers } from './secureShoppers.ts';
import { SHOPPER } from './secureStory.ts';
import { accounts, type Card, cards, secureCards } from './shops.ts';
import { brief, note } from './sim.ts';

/** The shoppers who stand before the payment widget. */

/** Everybody who has to do with a checkout. */
export type Counter = Street & { readonly watch: CheckoutWatch; readonly secureShoppers: SecureShoppers };
export type Session = Counter & { readonly channel: Channel; readonly ordered: Ordered; readonly id: string };

type Fields = Readonly<Record<string, string>>;
/** `number`: of the card it is to be paid by. */
type Form = { readonly fields: Fields; readonly number: string | null };
/** What comes of a click; null when no answer came. */
type Clicked = PayResult | { readonly is: 'over' } | null;

const CLICKS_MAX = 6;

/** One tab: he clicks until he has paid, has enough of it, or is told that he must wait. */
export async function visit(session: Session): Promise<void> {
  const { sim } = session;
  const { chance, scheduler, tally } = sim;
  let form: Form | null = null;
  await scheduler.sleep(chance.below(3_000));
  for (let clicks = 0; clicks < CLICKS_MAX; clicks += 1) {
    form ??= await filled(session);
    if (form === null) return;
    const paid = await click(session, form);
    if (paid?.is === 'over') return tally.hit('checkout: over', 'checkout');
    if (paid === null) {
      // Nothing came: he loads the page again with what he has sent.
      await scheduler.sleep(chance.pick([200, 2_000, chance.below(40_000)]));
      continue;
    }
    if (paid.is === 'faulty') tally.hit('checkout: refused for its form', 'checkout');
    else if (!(await isForAnother(session, paid.payment, { number: form.number, tries: clicks }))) return;
    form = null;
  }
}

/** Whether he tries once more, after what he has seen of this payment. */
async function isForAnother(
  session: Session,
  payment: Payment,
  { number, tries }: { readonly number: string | null; readonly tries: number },
): Promise<boolean> {
  const { sim, secureShoppers } = session;
  const { chance, scheduler, tally } = sim;
  const { at } = payment.phase;
  if (isSuccess(payment)) {
    tally.hit(tries === 0 ? 'checkout: paid' : 'checkout: paid after other tries', 'checkout');
    // A refresh of the page that thanks him.
    return chance.hits(0.15);
  }
  if (at === 'final') {
    tally.hit('checkout: tried again after a decline', 'checkout');
    await scheduler.sleep(chance.below(20_000));
    return chance.hits(0.8);
  }
  if (at === 'authentication' && number !== null && payment.threeDS) {
    const { id: paymentId, merchantId } = payment;
    const walking = secureShoppers.send({ paymentId, merchantId, number });
    if (chance.hits(0.5)) await walking;
  }
  // Out of the bank, out of the challenge, or from a page that says that it takes longer.
  tally.hit('checkout: the back button', 'checkout');
  await scheduler.sleep(chance.pick([500, 4_000, 15_000, chance.below(120_000)]));
  return chance.hits(0.6);
}

/** A click on pay, or two of them. */
async function click(session: Session, form: Form): Promise<Clicked> {
  const { sim } = session;
  if (!sim.chance.hits(0.3)) return submit(session, form);
  sim.tally.hit('checkout: double click', 'checkout');
  const [first, second] = await Promise.all([submit(session, form), submit(session, form)]);
  return first ?? second;
}

async function submit(session: Session, { fields }: Form): Promise<Clicked> {
  const { sim, watch, ordered, id } = session;
  const form = new Map(Object.entries(fields));
  const clickedAt = sim.scheduler.now();
  const answer = await reach(session, 'checkout', async (_world, entryPoints, service) => {
    const known = await liveCheckout(service, id);
    if (!known) return { is: 'over' } as const;
    const checkout = await noteSubmission(service, known, form);
    const seen = { address: '198.51.100.7', acceptHeader: 'text/html', userAgent: 'Browser/1.0', origin: ORIGIN };
    return entryPoints.pay(service, checkout, { fields: form, isRegistering: false, ...seen });
  });
  if (answer === null) return null;
  const { done } = answer;
  note(sim, `the shopper of ${ordered.merchantTransactionId} is answered: ${done.is}`);
  if (done.is === 'over' || done.is === 'faulty') return done;
  const { payment } = done;
  note(sim, `${brief(payment.id)} ${payment.phase.at}`);
  watch.told(ordered, payment);
  if (done.is === 'there') {
    sim.tally.hit('checkout: shown what is under way', 'checkout');
    watch.refused(payment, clickedAt);
  }
  return done;
}

const FORGED = '0.01';

/** The form of the widget with what he has chosen; null when his card could not be sealed. */
async function filled(session: Session): Promise<Form | null> {
  const { sim, channel } = session;
  const { chance, tally } = sim;
  const isForged = chance.hits(0.1);
  if (isForged) tally.hit('checkout: the amount is forged', 'checkout');
  const more = { ...SHOPPER, [widgetFields.flow]: 'tab', ...(isForged && { amount: FORGED }) };
  if (chance.hits(0.35)) {
    const paymentBrand = chance.pick(['SOFORTUEBERWEISUNG', 'GIROPAY']);
    return { fields: { ...accountMeans(accounts[0]).fields, paymentBrand, ...more }, number: null };
  }
  const card = chance.pick<Card>(channel.threeDSecure && chance.hits(0.6) ? secureCards : cards);
  const sealed = await sealedBy(session, card);
  if (sealed === null) return null;
  const { 'card.number': number, 'card.cvv': _, ...open } = cardMeans(card).fields;
  return { fields: { ...open, ...more, [widgetFields.sealed]: sealed }, number: number ?? null };
}

/** What the field frames do: the number goes to the gateway and comes back as a text that nobody can read. */
async function sealedBy(session: Session, { number, cvv }: Card): Promise<string | null> {
  for (let tries = 0; tries < 3; tries += 1) {
    const sealed = await reach(session, 'checkout', async (_world, _entryPoints, service) => {
      const checkout = await liveCheckout(service, session.id);
      return checkout && sealCard(service, checkout, { 'card.number': number, 'card.cvv': cvv });
    });
    if (sealed) return sealed.done;
    await session.sim.scheduler.sleep(session.sim.chance.below(3_000));
  }
  return null;
}
