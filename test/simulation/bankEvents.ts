import { applyNotification, applyToEarlier, involvementOf } from '../../src/payments/connector/notifications.ts';
import type { AcquirerAnswer, World } from '../../src/payments/ports.ts';
import { answerOf, type Errand, type LateBooking } from './acquirer.ts';
import { columnOf } from './away.ts';
import type { Node } from './node.ts';
import { breaks, brief, note, type Sim } from './sim.ts';

/** What the banks say by themselves, to whatever node they reach. */

/** Everybody who can come to the doors of the gateway, and the doors. */
export type Street = { readonly sim: Sim; readonly nodes: readonly Node[] };

/** How long a bank waits for its callback to be accepted. */
const TAKEN_MS_MAX = 60_000;
/** Longer than the longest trouble. */
const TELLINGS_MAX = 200;

/** What is so now, told after so many milliseconds. Whether it is taken does not matter to this bank. */
export async function tellOnce(street: Street, errand: Errand, ms: number): Promise<void> {
  const answer = answerOf(errand.entry, errand.payment);
  if (answer.is === 'redirected') return;
  await street.sim.scheduler.sleep(ms);
  await tell(street, errand, answer);
}

/** What is so is told until somebody says that he has taken it. */
export async function tellAgain(street: Street, errand: Errand): Promise<void> {
  const { chance, scheduler } = street.sim;
  const answer = answerOf(errand.entry, errand.payment);
  for (let tellings = 0; tellings < TELLINGS_MAX; tellings += 1) {
    if (await tell(street, errand, answer)) return;
    await scheduler.sleep(Math.min(1_000 * 2 ** tellings, 600_000) + chance.below(1_000));
  }
}

async function tell({ sim, nodes }: Street, { entry, payment }: Errand, answer: AcquirerAnswer): Promise<boolean> {
  const { chance, scheduler, tally } = sim;
  await scheduler.sleep(chance.between(20, 800));
  const node = chance.pick(nodes);
  if (!node.machine.isUp) return false;
  note(sim, `the bank tells ${node.machine.name} of ${brief(payment.id)}: ${answer.is}`);
  const { merchantId, id: paymentId } = payment;
  const taken = await new Promise<boolean>((resolve) => {
    const off = scheduler.after(TAKEN_MS_MAX, () => resolve(false));
    void node
      .run('callback', (world, entryPoints) => entryPoints.onCallback(world, { merchantId, paymentId }, answer))
      .then((heard) => {
        off();
        if (heard && heard.done?.id !== paymentId) breaks(sim, 'I5', `${paymentId} is unknown to those who sent it to the bank`);
        resolve(heard !== null);
      });
  });
  tally.hit(taken ? 'bank: is heard' : 'bank: is not heard', entry.operation);
  return taken;
}

/** An account books what it had refused, and tells until it is heard and has taken it back. */
export async function tellOfLateBooking({ sim, nodes }: Street, { entry, payment }: LateBooking): Promise<void> {
  const { chance, scheduler, tally } = sim;
  const about = { merchantId: payment.merchantId, paymentId: payment.id };
  const notification = {
    id: `late-${entry.id}`,
    about,
    event: { is: 'answer', answer: answerOf(entry, payment) },
    data: {},
  } as const;
  const receive = async (world: World): Promise<boolean> => {
    const involved = await involvementOf(world, about, `shops.${payment.connector}`);
    if (involved.is === 'earlier') await applyToEarlier(world, notification, involved.payment);
    else await applyNotification(world, notification, payment.connector);
    return involved.is === 'earlier';
  };
  for (let tellings = 0; tellings < TELLINGS_MAX; tellings += 1) {
    const node = chance.pick(nodes);
    const heard = node.machine.isUp ? await within(scheduler, node.run('callback', receive)) : null;
    if (heard) {
      tally.hit(
        heard.done ? 'routing: a late approval is taken back' : 'routing: a late approval of the only account',
        columnOf(payment),
      );
      return;
    }
    await scheduler.sleep(Math.min(1_000 * 2 ** tellings, 600_000) + chance.below(1_000));
  }
}

/** Null: it was not taken in time. */
function within<T>(scheduler: Sim['scheduler'], work: Promise<T>): Promise<T | null> {
  return new Promise((resolve) => {
    const off = scheduler.after(TAKEN_MS_MAX, () => resolve(null));
    void work.then((done) => {
      off();
      resolve(done);
    });
  });
}
