import type { Registration } from '../registrations/registration.ts';
import type { Payment } from './payment.ts';
import type { World } from './ports.ts';
import { withKnownValidities } from './validity.ts';

export type PaymentScope = { readonly merchantId: string; readonly entityId: string | null };

/**
 * The payment, if this entity may see it. A channel sees its own payments, a merchant the payments of all channels; a payment of another
 * merchant is reported exactly like one that does not exist.
 */
export async function readPayment(world: Pick<World, 'store'>, scope: PaymentScope, paymentId: string): Promise<Payment | null> {
  const payment = await world.store.payment(scope.merchantId, paymentId);
  return payment && (scope.entityId === null || payment.entityId === scope.entityId) ? payment : null;
}

/** The same with the family, of which the sums of the payment are made. `version` null: a setting may change the reply. */
export async function readPaymentWithFamily(
  world: Pick<World, 'channel' | 'connector' | 'store'>,
  scope: PaymentScope,
  paymentId: string,
): Promise<{ readonly payment: Payment; readonly family: readonly Payment[]; readonly version: number | null } | null> {
  const found = await world.store.family(scope.merchantId, paymentId);
  if (!found) return null;
  const family = withKnownValidities(found.payments, world);
  const payment = family.find(({ id }) => id === paymentId);
  if (!payment || (scope.entityId !== null && payment.entityId !== scope.entityId)) return null;
  return { payment, family, version: family === found.payments ? found.version : null };
}

/** Stored details belong to the merchant: each of its channels may see and use them. */
export async function readRegistration(
  world: Pick<World, 'store'>,
  { merchantId }: Pick<PaymentScope, 'merchantId'>,
  registrationId: string,
): Promise<Registration | null> {
  return (await world.store.registration(merchantId, registrationId))?.registration ?? null;
}
