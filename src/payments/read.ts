import type { World } from './needs.ts';
import type { Payment } from './payment.ts';

/**
 * The payment as this entity may see it. A channel sees its own, a merchant those of all his channels; what belongs to another is
 * answered exactly like what does not exist.
 */
export async function readPayment(
  world: Pick<World, 'store'>,
  scope: { readonly merchantId: string; readonly entityId: string | null },
  paymentId: string,
): Promise<Payment | null> {
  const payment = await world.store.payment(scope.merchantId, paymentId);
  return payment && (scope.entityId === null || payment.entityId === scope.entityId) ? payment : null;
}
