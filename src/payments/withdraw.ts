import { askConnector, inquiryFor, record } from './drive.ts';
import { next } from './lifecycle.ts';
import type { Order } from './order.ts';
import type { Family, Payment } from './payment.ts';
import type { World } from './ports.ts';

/**
 * A reversal of a payment that waits and has not left yet ends the payment. Returns the family to decide the reversal on: when the payment
 * has left, it is as it was, and the reversal is refused. Everything that would refuse the reversal anyway is looked at first.
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
