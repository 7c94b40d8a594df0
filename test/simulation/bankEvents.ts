import { SendAgain } from '../../src/payments/callbacks.ts';
import { applyNotification, applyToEarlier, involvementOf } from '../../src/payments/connector/notifications.ts';
import type { Payment } from '../../src/payments/payment.ts';
import type { AcquirerAnswer, World } from '../../src/payments/ports.ts';
import { type AccountEvent, answerOf, type Errand } from './acquirer.ts';
import { columnOf } from './away.ts';
import type { Node } from './node.ts';
import { breaks, brief, note, type Sim } from './sim.ts';

/** What the banks say by themselves, to whatever node they reach. */

/** The world around the gateway, and its nodes. */
export type Street = { readonly sim: Sim; readonly nodes: readonly Node[] };

/** How long a bank waits for its callback to be accepted. */
const TAKEN_MS_MAX = 60_000;
/** Longer than the longest trouble. */
const TELLINGS_MAX = 200;

/** Sends what is so now after so many milliseconds. Whether it is taken does not matter to this bank. */
export async function tellOnce(street: Street, errand: Errand, ms: number): Promise<void> {
  const answer = answerOf(errand.entry, errand.payment);
  if (answer.is === 'redirected') return;
  await street.sim.scheduler.sleep(ms);
  await tell(street, errand, answer);
}

/** Sends what is so until a node says that it has taken it. */
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
export async function tellOfLateBooking(street: Street, { entry, payment }: AccountEvent): Promise<void> {
  const isEarlier = await tellOfAccount(street, payment, { id: `late-${entry.id}`, answer: answerOf(entry, payment) });
  if (isEarlier === null) return;
  street.sim.tally.hit(
    isEarlier ? 'routing: a late approval is taken back' : 'routing: a late approval of the only account',
    columnOf(payment),
  );
}

/** An account refuses for itself, and says so at once: before its answer is there, or after. */
export async function tellOfRefusal(street: Street, { entry, payment }: AccountEvent): Promise<void> {
  const answer = answerOf(entry, payment);
  await street.sim.scheduler.sleep(street.sim.chance.between(0, 1_000));
  const isEarlier = await tellOfAccount(street, payment, { id: `refused-${entry.id}`, answer });
  if (isEarlier) street.sim.tally.hit('routing: a refusal is told', columnOf(payment));
}

type AccountAnswer = { readonly id: string; readonly answer: AcquirerAnswer };

/** What an account says by itself, told until it is heard. Returns whether another account was asked after it; null: never heard. */
async function tellOfAccount({ sim, nodes }: Street, payment: Payment, { id, answer }: AccountAnswer): Promise<boolean | null> {
  const { chance, scheduler } = sim;
  const about = { merchantId: payment.merchantId, paymentId: payment.id };
  const notification = { id, about, event: { is: 'answer', answer }, data: {} } as const;
  const receive = async (world: World): Promise<'current' | 'earlier' | 'early'> => {
    const involved = await involvementOf(world, about, `shops.${payment.connector}`);
    if (involved.is === 'earlier') {
      await applyToEarlier(world, notification, involved.payment);
      return 'earlier';
    }
    const { connector } = payment;
    return applyNotification(world, notification, connector, connector).then(() => 'current', early);
  };
  for (let tellings = 0; tellings < TELLINGS_MAX; tellings += 1) {
    const node = chance.pick(nodes);
    const heard = node.machine.isUp ? await within(scheduler, node.run('callback', receive)) : null;
    if (heard?.done === 'early') sim.tally.hit('routing: a refusal is told before its answer', columnOf(payment));
    else if (heard) return heard.done === 'earlier';
    await scheduler.sleep(Math.min(1_000 * 2 ** tellings, 600_000) + chance.below(1_000));
  }
  return null;
}

/** The gateway asks for the notification again. */
function early(error: unknown): 'early' {
  if (error instanceof SendAgain) return 'early';
  throw error;
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
