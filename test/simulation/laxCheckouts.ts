import type { Checkout } from '../../src/checkouts/checkout.ts';
import type { CheckoutStore } from '../../src/checkouts/ports.ts';
import { isApproved } from '../../src/payments/balance.ts';
import { isOpen, type Payment } from '../../src/payments/payment.ts';

/** Whether what was tried in a checkout before is in the way of another payment. The planted bugs have rules of their own. */
export type Busy = (others: readonly Payment[]) => boolean;

export const isAlive = (payment: Payment): boolean => isOpen(payment) || isApproved(payment);
export const anyAlive: Busy = (others) => others.some(isAlive);

export type Claims = Map<string, { readonly paymentId: string; readonly bodyHash: string }>;

/** The checkouts of the lax store. What was tried in one is found among the payments. */
export function checkoutsIn(payments: ReadonlyMap<string, Payment>, claims: Claims): CheckoutStore {
  const checkouts = new Map<string, Checkout>();
  const save = (checkout: Checkout): boolean => {
    const revision = checkouts.get(checkout.id)?.revision ?? 0;
    if (checkout.revision === revision + 1) checkouts.set(checkout.id, checkout);
    return checkout.revision === revision + 1;
  };
  return {
    async addCheckout(checkout) {
      save(checkout);
    },
    checkout: async (id) => checkouts.get(id) ?? null,
    saveCheckout: async (checkout) => save(checkout),
    async saveCheckoutWithKey(checkout, { entityId, key, bodyHash }) {
      if (claims.has(`${entityId} ${key}`)) return 'keyUsed';
      if (!save(checkout)) return 'moved';
      claims.set(`${entityId} ${key}`, { paymentId: checkout.id, bodyHash });
      return 'kept';
    },
    attempts: async (merchantId, checkoutId) => triedIn(payments, merchantId, checkoutId).reverse(),
    callsDue: async () => [],
    deleteCheckouts: async () => 0,
  };
}

/** In the order in which they were begun. */
export const triedIn = (payments: ReadonlyMap<string, Payment>, merchantId: string, checkoutId: string | null): Payment[] =>
  checkoutId === null
    ? []
    : [...payments.values()]
        .filter((payment) => payment.merchantId === merchantId && payment.checkoutId === checkoutId)
        .sort((one, other) => one.createdAt - other.createdAt);
