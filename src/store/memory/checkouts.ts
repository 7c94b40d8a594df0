import { ATTEMPTS_MAX, type Checkout } from '../../checkouts/checkout.ts';
import type { AssetStore, CheckoutStore } from '../../checkouts/ports.ts';
import { latestFor, matchesMerchant } from '../../merchants/merchantFilter.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import { checkCheckout, fixedInCheckout } from '../areas/checkouts.ts';
import { attemptsAt } from './commit.ts';
import { join, type Tables, type WhileOpen } from './tables.ts';

/** Checkouts in memory. */
export function checkoutMethods(tables: Tables, whileOpen: WhileOpen): CheckoutStore {
  const { checkouts, idempotencyKeys } = tables;
  const { add, save } = writesOf(tables);
  return {
    addCheckout: whileOpen(add),
    checkout: whileOpen((id) => checkouts.get(id) ?? null),
    saveCheckout: whileOpen(save),
    saveCheckoutWithKey: whileOpen((checkout, idempotencyKey, at) => {
      checkCheckout(checkout, checkout.revision === 1);
      const place = join(checkout.merchantId, idempotencyKey.entityId, idempotencyKey.key);
      if (idempotencyKeys.has(place)) return 'keyUsed';
      if (checkout.revision === 1) add(checkout);
      else if (!save(checkout)) return 'moved';
      idempotencyKeys.set(place, { ...idempotencyKey, paymentId: checkout.id, createdAt: at });
      return 'kept';
    }),
    attempts: whileOpen((merchantId, checkoutId) =>
      attemptsAt(tables, merchantId, checkoutId)
        .sort((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1))
        .slice(0, ATTEMPTS_MAX),
    ),
    callsDue: whileOpen(({ now, limit, merchants }) =>
      [...checkouts.values()]
        .filter((checkout) => isCalled(checkout, now) && matchesMerchant(merchants, checkout.merchantId))
        .sort((one, other) => callOf(one) - callOf(other) || (one.id < other.id ? -1 : 1))
        .slice(0, limit),
    ),
    deleteCheckouts: whileOpen((before) => {
      const over = [...checkouts.values()].filter(({ expiresAt }) => expiresAt < before);
      for (const { id } of over) checkouts.delete(id);
      return over.length;
    }),
  };
}

function writesOf({ checkouts }: Tables) {
  return {
    add(checkout: Checkout): void {
      checkCheckout(checkout, true);
      if (checkouts.has(checkout.id)) throw new BrokenCommit('this checkout exists');
      checkouts.set(checkout.id, checkout);
    },
    save(checkout: Checkout): boolean {
      checkCheckout(checkout, false);
      const stored = checkouts.get(checkout.id);
      if (stored?.revision !== checkout.revision - 1) return false;
      if (!fixedInCheckout.every((name) => stored[name] === checkout[name])) {
        throw new BrokenCommit('owner and origin of a checkout are never updated');
      }
      checkouts.set(checkout.id, checkout);
      return true;
    },
  };
}

const callOf = ({ callAt }: Checkout): number => callAt ?? Number.POSITIVE_INFINITY;

/** A call that is due later than any call ever is was dated by a clock that was put back since. */
const isCalled = ({ callAt }: Checkout, now: number): boolean =>
  callAt !== null && (callAt <= now || callAt > latestFor('call', now));

/** The files of the widget in memory. */
export function assetMethods({ assets }: Tables, whileOpen: WhileOpen): AssetStore {
  return {
    putAssets: whileOpen((some, at) => {
      for (const { build, name, type, bytes } of some) {
        const place = join(build, name);
        const putAt = Math.max(at, assets.get(place)?.putAt ?? at);
        assets.set(place, { build, name, type, bytes, putAt });
      }
    }),
    asset: whileOpen((build, name) => {
      const found = assets.get(join(build, name));
      return found ? { build, name, type: found.type, bytes: found.bytes } : null;
    }),
    deleteAssets: whileOpen((before) => {
      const inUse = new Set([...assets.values()].filter(({ putAt }) => putAt >= before).map(({ build }) => build));
      const old = [...assets].filter(([, { build }]) => !inUse.has(build));
      for (const [place] of old) assets.delete(place);
      return old.length;
    }),
  };
}
