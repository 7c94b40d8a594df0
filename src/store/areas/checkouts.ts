import { ATTEMPTS_MAX, type Checkout } from '../../checkouts/checkout.ts';
import type { Asset, AssetStore, CheckoutStore } from '../../checkouts/ports.ts';
import { latestFor } from '../../merchants/merchantFilter.ts';
import type { IdempotencyKey } from '../../payments/ports.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import { type Cell, type Database, deleteInBatches, dueStatements, first, needed, readDue, step } from '../database.ts';
import { type Listed, listedColumns, readData, readFirst } from '../records/listedRows.ts';
import { hasManyFields, writeInSlices } from '../records/longRecords.ts';
import { bytesOf, type ListedRow, listable, paymentStatements, readBrief } from './payments.ts';

/** Checkouts and the files of the widget. */

const columns = 'id, merchant_id, entity_id, created_at, expires_at, call_at, revision, data';
/** In a list. */
export const listedCheckout = listedColumns(columns);

const add = `INSERT INTO checkout (${columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`;
const save = `
    UPDATE checkout
    SET merchant_id = ?2, entity_id = ?3, created_at = ?4, expires_at = ?5, call_at = ?6, revision = ?7, data = ?8
    WHERE id = ?1 AND revision + 1 = ?7`;

/** Stores the idempotency key of a checkout, from its cells and keyCells. The column `payment_id` then holds the id of the checkout. */
const insertKey = `
    INSERT INTO idempotency (merchant_id, entity_id, key, body_hash, payment_id, created_at)
    SELECT ?2, ?9, ?10, ?11, ?1, ?12`;

export const checkoutStatements = {
  checkout: `SELECT ${columns} FROM checkout WHERE id = ?1`,
  asset: 'SELECT build, name, type, bytes FROM widget_asset WHERE build = ?1 AND name = ?2',
  callsDue: dueStatements(
    (merchants) => `
    SELECT ${listedCheckout} FROM checkout
    WHERE call_at IS NOT NULL AND (call_at <= ?1 OR call_at > ?1 + ${latestFor('call', 0)}) AND ${merchants}
    ORDER BY call_at, id LIMIT ?2`,
  ),
  // Along the index payment_attempts. The newest ones: after one that succeeded there are no others.
  attempts: `
    SELECT ${listable} FROM payment
    WHERE merchant_id = ?1 AND checkout_id = ?2 AND checkout_id IS NOT NULL ORDER BY created_at DESC, id DESC
    LIMIT ${ATTEMPTS_MAX}`,
  addCheckout: add,
  // Writes the origin too, so that the guards refuse another origin.
  saveCheckout: save,
  // SQLite adds the key in a step of its own.
  addCheckoutKey: { sqlite: insertKey, postgres: null },
  addCheckoutWithKey: { sqlite: null, postgres: `WITH kept AS (${add} RETURNING id) ${insertKey} FROM kept` },
  saveCheckoutWithKey: { sqlite: null, postgres: `WITH kept AS (${save} RETURNING id) ${insertKey} FROM kept` },
  // In batches, so that no commit is delayed for long.
  deleteCheckouts: `
    DELETE FROM checkout WHERE id IN (SELECT id FROM checkout WHERE expires_at < ?1 ORDER BY expires_at, id LIMIT ?2)`,
  // A node with a slow clock does not make a build older than it is.
  putAsset: `
    INSERT INTO widget_asset (build, name, type, bytes, put_at) VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (build, name) DO UPDATE SET type = excluded.type, bytes = excluded.bytes,
      put_at = CASE WHEN widget_asset.put_at < excluded.put_at THEN excluded.put_at ELSE widget_asset.put_at END`,
  // The condition on the row itself is checked again if a node has put the file in the meantime.
  deleteAssets: `
    DELETE FROM widget_asset
    WHERE put_at < ?1 AND NOT EXISTS (SELECT 1 FROM widget_asset AS other WHERE other.build = widget_asset.build AND other.put_at >= ?1)`,
} as const;

export function checkoutMethods(db: Database): CheckoutStore {
  const checkoutRow = (id: string) => first(db.read<CheckoutRow>(checkoutStatements.checkout, id));
  return {
    addCheckout: async (checkout) => {
      checkCheckout(checkout, true);
      await db.write(step(checkoutStatements.addCheckout, ...(await checkoutCells(checkout))));
    },
    checkout: async (id) => {
      const row = await checkoutRow(id);
      return row ? checkoutFrom(row, await readData<Checkout>(row.data)) : null;
    },
    saveCheckout: async (checkout) => {
      checkCheckout(checkout, false);
      return (await db.write(step(checkoutStatements.saveCheckout, ...(await checkoutCells(checkout))))) > 0;
    },
    saveCheckoutWithKey: async (checkout, idempotencyKey, at) => {
      checkCheckout(checkout, checkout.revision === 1);
      return saveWithKey(db, checkout, idempotencyKey, at);
    },
    attempts: async (merchantId, checkoutId) =>
      readBrief(db, await db.read<ListedRow>(checkoutStatements.attempts, merchantId, checkoutId)),
    callsDue: async (query) =>
      readFirst(await readDue<Listed<CheckoutRow>>(db, checkoutStatements.callsDue, query), {
        of: checkoutFrom,
        whole: ({ id }) => checkoutRow(id),
      }),
    deleteCheckouts: (before) => deleteInBatches(db, checkoutStatements.deleteCheckouts, before),
  };
}

/** Of two requests with one key, the second is refused: by the key's primary key. */
async function saveWithKey(
  db: Database,
  checkout: Checkout,
  idempotencyKey: IdempotencyKey,
  at: number,
): Promise<'kept' | 'moved' | 'keyUsed'> {
  const isNew = checkout.revision === 1;
  const { addCheckout, saveCheckout, addCheckoutWithKey, saveCheckoutWithKey, addCheckoutKey } = checkoutStatements;
  const cells = await checkoutCells(checkout);
  const withKey = [...cells, ...keyCells(idempotencyKey, at)];
  const steps =
    db.dialect === 'postgres'
      ? [step(isNew ? addCheckoutWithKey : saveCheckoutWithKey, ...withKey)]
      : [needed(isNew ? addCheckout : saveCheckout, ...cells), step(addCheckoutKey, ...withKey)];
  try {
    return (await db.write(...steps)) > 0 ? 'kept' : 'moved';
  } catch (error) {
    const { entityId, key } = idempotencyKey;
    // Read only after a failure, which is rare.
    const isKeyUsed = async () =>
      (await db.read(paymentStatements.idempotencyKey, checkout.merchantId, entityId, key)).length > 0;
    if (error instanceof BrokenCommit && (await isKeyUsed())) return 'keyUsed';
    throw error;
  }
}

export const assetMethods = (db: Database): AssetStore => ({
  putAssets: async (assets, at) => {
    await db.write(...inOrder(assets).map((asset) => step(checkoutStatements.putAsset, ...assetCells(asset, at))));
  },
  asset: async (build, name) => {
    const [row] = await db.read<Asset>(checkoutStatements.asset, build, name);
    return row ? { build: row.build, name: row.name, type: row.type, bytes: bytesOf(row.bytes) } : null;
  },
  deleteAssets: (before) => db.write(step(checkoutStatements.deleteAssets, before)),
});

/** PostgreSQL returns large integers as strings. */

export type CheckoutRow = {
  readonly id: string;
  readonly merchant_id: string;
  readonly entity_id: string;
  readonly created_at: string | number;
  readonly expires_at: string | number;
  readonly call_at: string | number | null;
  readonly revision: string | number;
  readonly data: string;
};

export const checkoutFrom = (row: CheckoutRow, data: Checkout): Checkout => ({
  ...data,
  id: row.id,
  merchantId: row.merchant_id,
  entityId: row.entity_id,
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
  callAt: row.call_at === null ? null : Number(row.call_at),
  revision: Number(row.revision),
});

/** In the order of the columns. A long checkout is written in slices, and other requests come in between. */
async function checkoutCells({ id, merchantId, entityId, createdAt, expiresAt, callAt, revision, ...rest }: Checkout) {
  const data = hasManyFields(rest) ? await writeInSlices(rest) : JSON.stringify(rest);
  return [id, merchantId, entityId, createdAt, expiresAt, callAt, revision, data] as const satisfies Cell[];
}

/** Behind the cells of the checkout. */
const keyCells = ({ entityId, key, bodyHash }: IdempotencyKey, at: number) =>
  [entityId, key, bodyHash, at] as const satisfies Cell[];

/** Fields of a stored checkout that no change may touch. */
export const fixedInCheckout = ['merchantId', 'entityId', 'createdAt'] as const satisfies readonly (keyof Checkout)[];

/** Throws when a checkout contradicts itself, so that every driver refuses the same ones before anything is touched. */
export function checkCheckout({ id, revision }: Checkout, isNew: boolean): void {
  const isCounted = Number.isSafeInteger(revision) && (isNew ? revision === 1 : revision > 1);
  if (!isCounted || id === '') throw new BrokenCommit(`a checkout at revision ${revision} is not the one that is meant`);
}

const assetCells = ({ build, name, type, bytes }: Asset, at: number) => [build, name, type, bytes, at] as const;

const placeOf = ({ build, name }: Asset): string => `${build}\n${name}`;

/** In one order on every node, so that two of them cannot each wait for the other. */
const inOrder = (assets: readonly Asset[]): Asset[] => assets.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
