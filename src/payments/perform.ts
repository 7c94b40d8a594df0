import type { Checked, Fault } from '../form/checked.ts';
import type { Channel } from '../merchants/channel.ts';
import { drive } from './drive.ts';
import type { Claim, World } from './needs.ts';
import { type Environment, orderOf } from './order.ts';
import type { Payment } from './payment.ts';
import { take } from './take.ts';

export type PaymentRequest = {
  readonly channel: Channel;
  readonly environment: Environment;
  readonly checked: Checked;
  /** The payment named in the path of a capture, reversal or refund. */
  readonly referencedId: string | null;
  readonly claim: Claim | null;
};

export type Performed =
  | { readonly is: 'payment'; readonly payment: Payment }
  | { readonly is: 'faulty'; readonly faults: readonly Fault[] }
  | { readonly is: 'otherBody' };

/** A request from its checked form to the payment it became: order, take, drive. */
export async function perform(world: World, request: PaymentRequest): Promise<Performed> {
  const order = orderOf(request.checked, request);
  if ('faults' in order) return { is: 'faulty', faults: order.faults };
  const { channel, claim } = request;
  const work = () => take(world, { order, channel, claim });
  const taken = await (order.referencedId === null ? work() : inTurn(world, `${order.merchantId}/${order.referencedId}`, work));
  switch (taken.is) {
    case 'taken':
      return { is: 'payment', payment: await drive(world, taken, taken.payment.phase.at === 'final' ? null : taken.attempt) };
    case 'replayed':
      return { is: 'payment', payment: taken.payment };
    default:
      return taken;
  }
}

const queues = new WeakMap<World, Map<string, Promise<unknown>>>();

/**
 * Requests that reference the same payment decide one after the other within a node. The family's version keeps them right without
 * this; in turn they also keep each other from deciding in vain.
 */
async function inTurn<T>(world: World, key: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(world) ?? new Map<string, Promise<unknown>>();
  queues.set(world, queue);
  const before = queue.get(key) ?? Promise.resolve();
  const turn = before.then(work, work);
  queue.set(key, turn);
  try {
    return await turn;
  } finally {
    if (queue.get(key) === turn) queue.delete(key);
  }
}
