import type { Checkout } from '../../src/checkouts/checkout.ts';
import { type PayResult, payCheckout, type SubmittedForm } from '../../src/checkouts/pay.ts';
import type { CheckoutService } from '../../src/checkouts/ports.ts';
import { isApproved } from '../../src/payments/balance.ts';
import { record } from '../../src/payments/drive.ts';
import { isOpen, type Payment } from '../../src/payments/payment.ts';
import { bound, boundPayments, type Store } from './chronicle.ts';
import { anyAlive, type Busy } from './laxCheckouts.ts';
import type { EntryPoints } from './node.ts';
import type { Tools } from './plantedStores.ts';

/** Bugs around checkouts, put in from outside like those of plantedStores.ts. */

export const approvedAlone: Busy = (others) => others.some(isApproved);
export const openAlone: Busy = (others) => others.some(isOpen);
export const nobodyElsewhere: Busy = (others) => anyAlive(others.filter(({ phase }) => phase.at !== 'shopper'));

/** Each life of a node knows what it has let in itself. */
export function busyInMemory(store: Store): Store {
  const known = new Map<string, Map<string, Payment>>();
  return {
    ...bound(store),
    async commit(change) {
      const { payment } = change;
      if (payment.checkoutId === null) return store.commit(change);
      const tried = known.get(payment.checkoutId) ?? new Map<string, Payment>();
      known.set(payment.checkoutId, tried);
      if (payment.revision === 1 && anyAlive([...tried.values()])) return { is: 'busy' };
      tried.set(payment.id, payment);
      return store.commit(change);
    },
  };
}

/** Nothing was there at the last look. */
export function lookingFirst(store: Store, { sim }: Tools): Store {
  return {
    ...bound(store),
    async commit(change) {
      const { payment } = change;
      const { checkoutId, merchantId, revision } = payment;
      if (checkoutId === null || revision > 1) return store.commit(change);
      if (anyAlive(await store.attempts(merchantId, checkoutId))) return { is: 'busy' };
      await sim.scheduler.sleep(10);
      return store.commit(change);
    },
  };
}

/** Keys of checkouts as each life of a node has met them. */
export function keysInMemory(store: Store): Store {
  const claims = new Map<string, { readonly paymentId: string; readonly bodyHash: string }>();
  return {
    ...bound(store),
    idempotencyKey: async (merchantId, entityId, key) =>
      claims.get(`${entityId} ${key}`) ?? store.idempotencyKey(merchantId, entityId, key),
    async saveCheckoutWithKey(checkout, { entityId, key, bodyHash }) {
      if (claims.has(`${entityId} ${key}`)) return 'keyUsed';
      claims.set(`${entityId} ${key}`, { paymentId: checkout.id, bodyHash });
      if (checkout.revision > 1) return (await store.saveCheckout(checkout)) ? 'kept' : 'moved';
      await store.addCheckout(checkout);
      return 'kept';
    },
  };
}

/** What is in the way is not waited for: the next try simply belongs to no checkout. */
export const retryingThePending: Partial<EntryPoints> = {
  pay: (service, checkout, posted) => {
    const store = boundPayments(service.world.store);
    const commit: Store['commit'] = async (change) => {
      const outcome = await store.commit(change);
      if (outcome.is !== 'busy') return outcome;
      const others = await service.store.attempts(checkout.merchantId, checkout.id);
      if (others.some(isApproved)) return outcome;
      return store.commit({ ...change, payment: { ...change.payment, checkoutId: null } });
    };
    return payCheckout({ ...service, world: { ...service.world, store: { ...store, commit } } }, checkout, posted);
  },
};

const FAILED = { at: 'final', code: '100.396.101' } as const;

/** The shopper has turned to something else, so what was begun is over. The bank does not know. */
export const abandoningSilently: Partial<EntryPoints> = {
  async pay(service, checkout, posted) {
    const paid = await payCheckout(service, checkout, posted);
    if (paid.is !== 'there' || paid.payment.phase.at !== 'shopper') return paid;
    return (await isForgotten(service, paid.payment)) ? payCheckout(service, checkout, posted) : paid;
  },
};

async function isForgotten({ world }: CheckoutService, { merchantId, id }: Payment): Promise<boolean> {
  const family = await world.store.family(merchantId, id);
  const payment = family?.payments.find((one) => one.id === id);
  if (!family || payment?.phase.at !== 'shopper') return false;
  const ended: Payment = { ...payment, phase: FAILED, movedAt: world.clock.now(), revision: payment.revision + 1 };
  return (await record(world, { payment, version: family.version }, ended)).payment === ended;
}

/** The last word is the browser's. */
export const believingTheBrowser: Partial<EntryPoints> = {
  pay: (service: CheckoutService, checkout: Checkout, posted: SubmittedForm): Promise<PayResult> =>
    payCheckout(service, { ...checkout, fields: { ...checkout.fields, ...Object.fromEntries(amountIn(posted)) } }, posted),
};

const amountIn = ({ fields }: SubmittedForm) => [...fields].filter(([name]) => name === 'amount');
