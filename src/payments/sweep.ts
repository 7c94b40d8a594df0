import type { DueQuery } from '../merchants/merchantFilter.ts';
import { drive } from './drive.ts';
import { isOpen, type Payment } from './payment.ts';
import type { World } from './ports.ts';
import { canStep } from './threeDS/steps.ts';

/** Whose things a worker looks at, by the clock of its world, and how many at once. */
export type Turn = Omit<DueQuery, 'now'>;

/** `isMisdated`: not what is due, but what a clock that was put back has left with a `dueAt` too far ahead. */
export type SweepTurn = Turn & { readonly isMisdated?: boolean };

export type Swept = {
  readonly looked: number;
  readonly settled: number;
  /** Payments that could not even be looked at: the store or a connector is out of order. */
  readonly failed: number;
  /** Age of the longest open payment that was due: what an operator must be told about. */
  readonly oldestMs: number | null;
};

/**
 * Goes on with every payment that nobody is waiting for any more: after a crash, a lost answer, an acquirer that was down. Safe with
 * many sweepers at once, because a move is kept only on the revision it was decided on.
 */
export async function sweep(world: World, { isMisdated = false, ...asked }: SweepTurn): Promise<Swept> {
  const now = world.clock.now();
  const due = isMisdated ? await world.store.misdated({ ...asked, now }) : await world.store.due({ ...asked, now });
  const results = await Promise.allSettled(due.map((payment) => goOn(world, payment)));
  const settled = results.filter((result) => result.status === 'fulfilled' && !isOpen(result.value)).length;
  const failed = results.filter((result) => result.status === 'rejected').length;
  const oldest = due.reduce<number | null>((age, { createdAt }) => Math.max(age ?? 0, now - createdAt), null);
  return { looked: due.length, settled, failed, oldestMs: oldest };
}

async function goOn(world: World, payment: Payment): Promise<Payment> {
  const family = await world.store.family(payment.merchantId, payment.id);
  const current = family?.payments.find(({ id }) => id === payment.id);
  if (!family || !current) throw new Error(`payment ${payment.id} is gone`);
  return drive(world, { payment: current, version: family.version }, null);
}

const HELD_AT_ONCE = 200;

/**
 * Goes on with payments whose secrets are held here and whose authentication another node has heard the end of. They take turns; answers
 * where the next turn begins.
 */
export async function goOnWithHeld(worldOf: (merchantId: string | null) => World, turn: number): Promise<number> {
  const ids = worldOf(null).pendingSecrets.ids();
  const start = turn < ids.length ? turn : 0;
  for (const { merchantId, paymentId } of ids.slice(start, start + HELD_AT_ONCE)) {
    const world = worldOf(merchantId);
    const payment = await world.store.payment(merchantId, paymentId);
    if (!payment || !isOpen(payment)) world.pendingSecrets.drop(paymentId);
    else if (payment.phase.at === 'authentication' && canStep(world, payment)) await goOn(world, payment);
  }
  return start + HELD_AT_ONCE;
}
