import type { Payment, PaymentRef } from '../../src/payments/payment.ts';
import type { World } from '../../src/payments/ports.ts';
import { readPayment } from '../../src/payments/read.ts';
import type { Authentication } from '../../src/threeds/authentication.ts';
import type { Street } from './bankEvents.ts';
import type { Issuer } from './issuer.ts';
import type { EntryPoints, Node, Work } from './node.ts';
import { atIssuer } from './secureChallenge.ts';
import { channels } from './shops.ts';
import { breaks, brief, note, type Sim } from './sim.ts';
import type { Operation } from './tally.ts';

/** The shoppers who were sent to our own page, and from there to their issuers. */
export type SecureShoppers = {
  /** Resolves when he is done with it, one way or the other. */
  send(errand: Errand): Promise<void>;
};

export type Errand = PaymentRef & { readonly number: string };

/** Everybody on the way, and who they meet. */
export type Way = Street & {
  readonly issuer: Issuer;
  readonly errand: Errand;
  /** Those of everybody who was ever sent. */
  readonly errands: readonly Errand[];
};

export function createSecureShoppers(sim: Sim, nodes: readonly Node[], issuer: Issuer): SecureShoppers {
  const errands: Errand[] = [];
  return {
    async send(errand) {
      errands.push(errand);
      const way: Way = { sim, nodes, issuer, errand, errands };
      if (sim.chance.hits(0.1)) return sim.tally.hit('cardholder: never opens the page', 'secure');
      const tabs = sim.chance.hits(0.15) ? 2 : 1;
      if (tabs === 2) sim.tally.hit('cardholder: opens two tabs', 'secure');
      await Promise.all(Array.from({ length: tabs }, () => walk(way)));
    },
  };
}

const KNOCK_MS_MAX = 30_000;

/** A request of somebody's browser or server to whatever node; null when nothing came of it. */
export async function reach<T>(
  { sim, nodes }: Street,
  operation: Operation,
  work: Work<T>,
): Promise<{ readonly done: T } | null> {
  const { chance, scheduler } = sim;
  await scheduler.sleep(chance.between(5, 300));
  const node = chance.pick(nodes);
  if (!node.machine.isUp) return null;
  return new Promise((resolve) => {
    const off = scheduler.after(KNOCK_MS_MAX, () => resolve(null));
    void node.run(operation, work).then((answer) => {
      off();
      resolve(answer);
    });
  });
}

/** His page, loaded again when nothing came. Somebody else's name for the payment opens nothing. */
async function open(way: Way, work: (world: World, entryPoints: EntryPoints, named: PaymentRef) => Promise<Payment | null>) {
  const { sim, errand } = way;
  const { paymentId, merchantId } = errand;
  const otherMerchant = sim.chance.hits(0.05) ? channels.find((channel) => channel.merchantId !== merchantId) : undefined;
  if (otherMerchant) {
    const named = { merchantId: otherMerchant.merchantId, paymentId };
    const seen = await reach(way, 'page', (world, entryPoints) => work(world, entryPoints, named));
    if (seen && seen.done !== null) breaks(sim, 'I11', `${paymentId} was shown to a stranger`);
  }
  for (let tries = 0; tries < 4; tries += 1) {
    const seen = await reach(way, 'page', (world, entryPoints) => work(world, entryPoints, { merchantId, paymentId }));
    if (seen && seen.done === null) breaks(sim, 'I5', `${paymentId} is unknown to its cardholder`);
    if (seen) return seen.done;
    await sim.scheduler.sleep(sim.chance.between(500, 8_000));
  }
  return null;
}

const look = (way: Way) =>
  open(way, (world, _entryPoints, { merchantId, paymentId }) => readPayment(world, { merchantId, entityId: null }, paymentId));

/** What the page of the gateway leads to: on without the hidden frame, or back from the issuer. */
export const goFurther = (way: Way) =>
  open(way, (world, entryPoints, named) => entryPoints.authenticated(world, named, { is: 'methodSkipped' }));

const STEPS_MAX = 6;

async function walk(way: Way): Promise<void> {
  const { sim, errand } = way;
  const { chance, scheduler, tally } = sim;
  await scheduler.sleep(chance.pick([200, 2_000, chance.below(30_000)]));
  let payment = await look(way);
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const state = payment?.phase.at === 'authentication' ? payment.threeDS?.state : undefined;
    if (!state) return;
    if (chance.hits(0.05)) return tally.hit('cardholder: goes away', 'secure');
    if (chance.hits(0.05)) {
      tally.hit('cardholder: comes back late', 'secure');
      await scheduler.sleep(chance.pick([60_000, 11 * 60_000, 20 * 60_000, 40 * 60_000]));
    }
    note(sim, `the cardholder of ${brief(errand.paymentId)} is at ${state.phase.at}`);
    if (state.phase.at === 'method') await hiddenFrame(way, state);
    else if (state.phase.at === 'challenge') await atIssuer(way, state);
    else await scheduler.sleep(chance.between(500, 5_000));
    payment = chance.hits(0.9) ? await goFurther(way) : await look(way);
  }
}

/** The issuer looks at the browser in a hidden frame and says that it has, or does not, or says it twice, or to the wrong one. */
async function hiddenFrame(way: Way, { threeDSServerTransID }: Authentication): Promise<void> {
  const { sim, errand } = way;
  const { chance, scheduler, tally } = sim;
  const says = chance.pick(['done', 'done', 'done', 'silent', 'twice', 'late', 'foreign'] as const);
  tally.hit(`hidden frame: ${says}`, 'secure');
  const id = says === 'foreign' ? threeDSServerTransID.replace(/^..../, '0000') : threeDSServerTransID;
  const tell = () =>
    reach(way, 'page', (world, entryPoints) =>
      entryPoints.authenticated(world, errand, { is: 'methodDone', threeDSServerTransID: id }),
    );
  if (says === 'silent') return scheduler.sleep(chance.between(1_000, 10_000));
  if (says === 'late') return void scheduler.sleep(chance.between(8_000, 20_000)).then(tell);
  if (says === 'twice') void tell();
  await tell();
}
