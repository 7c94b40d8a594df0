import { type Channel, type DispatchRequest, type DispatchResult, dispatch } from '../merchants/channel.ts';
import type { IdempotencyKey } from '../payments/ports.ts';
import type { PaymentScope } from '../payments/read.ts';
import { type Checkout, isCheckoutId, isOver } from './checkout.ts';
import type { CheckoutService } from './ports.ts';

/** A checkout by its id, also an expired one; null when it is unknown. */
export const anyCheckout = async ({ store }: Pick<CheckoutService, 'store'>, id: string): Promise<Checkout | null> =>
  isCheckoutId(id) ? store.checkout(id) : null;

/** A checkout that has not expired. */
export async function liveCheckout(service: CheckoutService, id: string): Promise<Checkout | null> {
  const checkout = await anyCheckout(service, id);
  return checkout && !isOver(checkout, service.world.clock.now()) ? checkout : null;
}

/** A checkout as this entity may see it: its own, or that of one of its channels. */
export async function checkoutIn(service: CheckoutService, scope: PaymentScope, id: string): Promise<Checkout | null> {
  const checkout = await liveCheckout(service, id);
  if (checkout?.merchantId !== scope.merchantId) return null;
  return scope.entityId === null || checkout.entityId === scope.entityId ? checkout : null;
}

/** The channels that may take its payment: its own, or all of a merchant who lets the gateway choose. */
export function channelsOf({ entity }: CheckoutService, { entityId }: Pick<Checkout, 'entityId'>): readonly Channel[] {
  const found = entity(entityId);
  const channels = found?.channel ? [found.channel] : found?.settings.dispatch ? found.channels : [];
  return channels.filter(({ state }) => state === 'active');
}

/** The channel that takes its payment. */
export function channelFor(
  { entity }: CheckoutService,
  { entityId }: Pick<Checkout, 'entityId'>,
  wanted: DispatchRequest,
): DispatchResult {
  const found = entity(entityId);
  return found ? dispatch(found, wanted) : { is: 'refused', refusal: '800.900.201' };
}

const TRIES_MAX = 64;

type Change = (checkout: Checkout) => Promise<Checkout>;
type Keep = (checkout: Checkout) => Promise<'kept' | 'moved' | 'keyUsed'>;

/** Changes a checkout in its current state; `change` returns its argument when there is nothing to change. */
export async function updateCheckout(
  service: Pick<CheckoutService, 'store'>,
  started: Checkout,
  change: (checkout: Checkout) => Checkout,
): Promise<Checkout> {
  const keep: Keep = async (next) => ((await service.store.saveCheckout(next)) ? 'kept' : 'moved');
  return (await update(service, started, { change: async (checkout) => change(checkout), keep })) ?? started;
}

/** The same with an idempotency key. Null: another request has used the key meanwhile, and nothing is changed. */
export function updateCheckoutOnce(
  service: CheckoutService,
  started: Checkout,
  { change, idempotencyKey }: { readonly change: Change; readonly idempotencyKey: IdempotencyKey | null },
): Promise<Checkout | null> {
  const { store, world } = service;
  return update(service, started, {
    change,
    keep: async (next) => {
      if (idempotencyKey !== null) return store.saveCheckoutWithKey(next, idempotencyKey, world.clock.now());
      return (await store.saveCheckout(next)) ? 'kept' : 'moved';
    },
  });
}

async function update(
  { store }: Pick<CheckoutService, 'store'>,
  started: Checkout,
  { change, keep }: { readonly change: Change; readonly keep: Keep },
): Promise<Checkout | null> {
  let checkout = started;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const after = await change(checkout);
    if (after === checkout) return checkout;
    const next = { ...after, revision: checkout.revision + 1 };
    const outcome = await keep(next);
    if (outcome !== 'moved') return outcome === 'kept' ? next : null;
    const current = await store.checkout(checkout.id);
    if (!current) return checkout;
    checkout = current;
  }
  throw new Error(`the checkout ${started.id} changed too often`);
}
