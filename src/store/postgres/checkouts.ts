import type { Checkout } from '../../checkouts/checkout.ts';
import type { Asset, AssetStore, CheckoutStore } from '../../checkouts/ports.ts';
import type { IdempotencyKey } from '../../payments/ports.ts';
import {
  assetCells,
  assetOf,
  type CheckoutRow,
  checkCheckout,
  checkoutCells,
  checkoutClaimed,
  checkoutFrom,
  checkoutReads,
  checkoutWrites,
  inOrder,
  keyCells,
  readCheckout,
} from '../tables/checkouts.ts';
import { type ListedRow, lookThrough } from '../tables/listedPayments.ts';
import { type Listed, readFirst } from '../tables/listedRows.ts';
import { forPostgres, reads } from '../tables/statements.ts';
import { dueRows } from './due.ts';
import { constraintOf, troubleOf, writeError } from './errors.ts';
import type { Pool } from './pool.ts';
import { wholePayment } from './wholePayment.ts';
import { deleteInPortions, TRIES_MAX, write } from './write.ts';

/** Checkouts in PostgreSQL. */
export function postgresCheckouts(pool: Pool): CheckoutStore {
  return {
    addCheckout: async (checkout) => {
      checkCheckout(checkout, true);
      await write(pool, checkoutWrites.addCheckout, await checkoutCells(checkout));
    },
    checkout: async (id) => {
      const [row] = await pool.read<CheckoutRow>(checkoutReads.checkout, [id]);
      return row ? readCheckout(row) : null;
    },
    saveCheckout: async (checkout) => {
      checkCheckout(checkout, false);
      return (await write(pool, checkoutWrites.saveCheckout, await checkoutCells(checkout))) > 0;
    },
    saveCheckoutWithKey: async (checkout, idempotencyKey, at) => {
      checkCheckout(checkout, checkout.revision === 1);
      return saveCheckoutWithKey(pool, checkout, { idempotencyKey, at });
    },
    attempts: async (merchantId, checkoutId) =>
      lookThrough(await pool.read<ListedRow>(reads.attempts, [merchantId, checkoutId]), wholePayment(pool)),
    callsDue: async (query) =>
      readFirst(await dueRows<Listed<CheckoutRow>>(pool, 'callsDue', query), {
        of: checkoutFrom,
        whole: async ({ id }) => (await pool.read<CheckoutRow>(checkoutReads.checkout, [id]))[0],
      }),
    deleteCheckouts: (before) => deleteInPortions(pool, checkoutWrites.deleteCheckouts, before),
  };
}

type KeyUse = { readonly idempotencyKey: IdempotencyKey; readonly at: number };

/** Of two with one key, the second waits for the first and is then refused. */
async function saveCheckoutWithKey(
  pool: Pool,
  checkout: Checkout,
  { idempotencyKey, at }: KeyUse,
): Promise<'kept' | 'moved' | 'keyUsed'> {
  const statement = checkout.revision === 1 ? checkoutClaimed.addCheckout : checkoutClaimed.saveCheckout;
  const cells = [...(await checkoutCells(checkout)), ...keyCells(idempotencyKey, at)];
  for (let tries = 1; ; tries += 1) {
    try {
      return (await pool.send(statement, cells)).count > 0 ? 'kept' : 'moved';
    } catch (error) {
      if (constraintOf(error) === 'idempotency_pkey') return 'keyUsed';
      if (troubleOf(error) !== 'clash' || tries === TRIES_MAX) throw writeError(error);
    }
  }
}

/** The files of the widget in PostgreSQL. */
export function postgresAssets(pool: Pool): AssetStore {
  return {
    putAssets: (assets, at) => putAssets(pool, inOrder(assets), at),
    asset: async (build, name) => {
      const [row] = await pool.read<Asset>(checkoutReads.asset, [build, name]);
      return row ? assetOf(row) : null;
    },
    deleteAssets: (before) => write(pool, checkoutWrites.deleteAssets, [before]),
  };
}

/** All or none: a build is there with every one of its files. */
async function putAssets(pool: Pool, assets: readonly Asset[], at: number): Promise<void> {
  const text = forPostgres(checkoutWrites.putAsset);
  for (let tries = 1; ; tries += 1) {
    try {
      await pool.transaction(async (tx) => {
        for (const asset of assets) await tx.run(text, [...assetCells(asset, at)]);
      });
      return;
    } catch (error) {
      if (troubleOf(error) !== 'clash' || tries === TRIES_MAX) throw writeError(error);
    }
  }
}
