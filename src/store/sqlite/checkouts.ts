import type { Asset, AssetStore, CheckoutStore } from '../../checkouts/ports.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import {
  assetCells,
  assetOf,
  type CheckoutRow,
  checkCheckout,
  checkoutCells,
  checkoutFrom,
  keyCells,
  readCheckout,
} from '../tables/checkouts.ts';
import { type ListedRow, lookThrough } from '../tables/listedPayments.ts';
import { type Listed, readFirst } from '../tables/listedRows.ts';
import type { StoredIdempotencyKey } from '../tables/payments.ts';
import type { WriteStep } from './jobs.ts';
import { dueRows, type Reads, wholePayment } from './reads.ts';
import { deleteInPortions, write } from './registrations.ts';
import type { Writer } from './threads.ts';

/** Checkouts in SQLite. */
export function sqliteCheckouts(read: Reads, writer: Writer): CheckoutStore {
  return {
    addCheckout: async (checkout) => {
      checkCheckout(checkout, true);
      await write(writer, ['addCheckout', ...(await checkoutCells(checkout))]);
    },
    checkout: async (id) => {
      const [row] = read.all<CheckoutRow>('checkout', id);
      return row ? readCheckout(row) : null;
    },
    saveCheckout: async (checkout) => {
      checkCheckout(checkout, false);
      return (await write(writer, ['saveCheckout', ...(await checkoutCells(checkout))])) > 0;
    },
    saveCheckoutWithKey: async (checkout, idempotencyKey, at) => {
      const isNew = checkout.revision === 1;
      checkCheckout(checkout, isNew);
      const { entityId, key } = idempotencyKey;
      const isKeyUsed = () => read.all<StoredIdempotencyKey>('idempotencyKey', checkout.merchantId, entityId, key).length > 0;
      const cells = await checkoutCells(checkout);
      const kept: WriteStep = [isNew ? 'addCheckout' : 'saveCheckout', ...cells];
      try {
        return (await write(writer, kept, ['addCheckoutKey', ...cells, ...keyCells(idempotencyKey, at)])) > 0 ? 'kept' : 'moved';
      } catch (error) {
        // Asks only when it failed, because it hardly ever does.
        if (error instanceof BrokenCommit && isKeyUsed()) return 'keyUsed';
        throw error;
      }
    },
    attempts: async (merchantId, checkoutId) =>
      lookThrough(read.all<ListedRow>('attempts', merchantId, checkoutId), wholePayment(read)),
    callsDue: async (query) =>
      readFirst(dueRows<Listed<CheckoutRow>>(read, 'callsDue', query), {
        of: checkoutFrom,
        whole: ({ id }) => read.all<CheckoutRow>('checkout', id)[0],
      }),
    deleteCheckouts: (before) => deleteInPortions(writer, 'deleteCheckouts', before),
  };
}

/** The files of the widget in SQLite. */
export function sqliteAssets(read: Reads, writer: Writer): AssetStore {
  return {
    putAssets: async (assets, at) => {
      await write(writer, ...assets.map((asset): WriteStep => ['putAsset', ...assetCells(asset, at)]));
    },
    asset: async (build, name) => {
      const [row] = read.all<Asset>('asset', build, name);
      return row ? assetOf(row) : null;
    },
    deleteAssets: (before) => write(writer, ['deleteAssets', before]),
  };
}
