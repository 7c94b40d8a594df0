import { ATTEMPTS_MAX, type Checkout } from '../../checkouts/checkout.ts';
import type { Asset } from '../../checkouts/ports.ts';
import { latestFor } from '../../merchants/merchantFilter.ts';
import type { IdempotencyKey } from '../../payments/ports.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import { listedColumns } from './listedRows.ts';
import { hasManyFields, isSliced, readInSlices, writeInSlices } from './longFields.ts';
import type { Cell } from './payments.ts';

/** Every statement about checkouts and the files of the widget, in the form of statements.ts. */

const columns = 'id, merchant_id, entity_id, created_at, expires_at, call_at, revision, data';
/** In a list. */
export const listedCheckout = listedColumns(columns);

/** `merchants` is the condition on the merchant. */
export const callsDue = (merchants: string): string => `
    SELECT ${listedCheckout} FROM checkout
    WHERE call_at IS NOT NULL AND (call_at <= ?1 OR call_at > ?1 + ${latestFor('call', 0)}) AND ${merchants}
    ORDER BY call_at, id LIMIT ?2`;

export const checkoutReads = {
  checkout: `SELECT ${columns} FROM checkout WHERE id = ?1`,
  asset: 'SELECT build, name, type, bytes FROM widget_asset WHERE build = ?1 AND name = ?2',
} as const;

/** Along the index payment_attempts. The newest ones: after one that succeeded there are no others. */
export const attemptsOf = (payment: string): string => `
    SELECT ${payment} FROM payment
    WHERE merchant_id = ?1 AND checkout_id = ?2 AND checkout_id IS NOT NULL ORDER BY created_at DESC, id DESC
    LIMIT ${ATTEMPTS_MAX}`;

/** Whether another payment of a checkout is open or has succeeded, along the index payment_checkout. */
export const otherOfCheckout = `
    SELECT 1 FROM payment
    WHERE merchant_id = ?1 AND checkout_id = ?2 AND checkout_id IS NOT NULL AND state <> 'declined' AND id <> ?3`;

/** Stores the idempotency key of a checkout, from its cells and keyCells. The column `payment_id` then holds the id of the checkout. */
const insertKey = `
    INSERT INTO idempotency (merchant_id, entity_id, key, body_hash, payment_id, created_at)
    SELECT ?2, ?9, ?10, ?11, ?1, ?12`;

export const checkoutWrites = {
  addCheckout: `INSERT INTO checkout (${columns}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
  // Writes the origin too, so that the guards refuse another origin.
  saveCheckout: `
    UPDATE checkout
    SET merchant_id = ?2, entity_id = ?3, created_at = ?4, expires_at = ?5, call_at = ?6, revision = ?7, data = ?8
    WHERE id = ?1 AND revision + 1 = ?7`,
  // In SQLite right behind one of the two above, in the same step.
  addCheckoutKey: `${insertKey} WHERE changes() > 0`,
  // In portions, so that no commit waits long behind it.
  deleteCheckouts: `
    DELETE FROM checkout WHERE id IN (SELECT id FROM checkout WHERE expires_at < ?1 ORDER BY expires_at, id LIMIT ?2)`,
  // A node with a slow clock does not make a build older than it is.
  putAsset: `
    INSERT INTO widget_asset (build, name, type, bytes, put_at) VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (build, name) DO UPDATE SET type = excluded.type, bytes = excluded.bytes,
      put_at = CASE WHEN widget_asset.put_at < excluded.put_at THEN excluded.put_at ELSE widget_asset.put_at END`,
  // The age of the row itself is asked too: it is looked at again when a node has put the file meanwhile.
  deleteAssets: `
    DELETE FROM widget_asset
    WHERE put_at < ?1 AND NOT EXISTS (SELECT 1 FROM widget_asset AS other WHERE other.build = widget_asset.build AND other.put_at >= ?1)`,
} as const;

/** In PostgreSQL both are one statement, which changes nothing where the checkout has moved on. */
export const checkoutClaimed = {
  addCheckout: `WITH kept AS (${checkoutWrites.addCheckout} RETURNING id) ${insertKey} FROM kept`,
  saveCheckout: `WITH kept AS (${checkoutWrites.saveCheckout} RETURNING id) ${insertKey} FROM kept`,
} as const;

/** Rows of the widget's tables as they are read. 64-bit columns come as text from PostgreSQL. */

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

export const checkoutOf = (row: CheckoutRow): Checkout => checkoutFrom(row, JSON.parse(row.data) as Checkout);

/** The same; a long one is read in slices, and other requests come in between. */
export const readCheckout = (row: CheckoutRow): Checkout | Promise<Checkout> =>
  isSliced(row.data) ? readInSlices<Checkout>(row.data).then((data) => checkoutFrom(row, data)) : checkoutOf(row);

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
export async function checkoutCells({ id, merchantId, entityId, createdAt, expiresAt, callAt, revision, ...rest }: Checkout) {
  const data = hasManyFields(rest) ? await writeInSlices(rest) : JSON.stringify(rest);
  return [id, merchantId, entityId, createdAt, expiresAt, callAt, revision, data] as const satisfies Cell[];
}

/** Behind the cells of the checkout. */
export const keyCells = ({ entityId, key, bodyHash }: IdempotencyKey, at: number) =>
  [entityId, key, bodyHash, at] as const satisfies Cell[];

/** What no change may touch in a checkout that is there. */
export const fixedInCheckout = ['merchantId', 'entityId', 'createdAt'] as const satisfies readonly (keyof Checkout)[];

/** Throws when a checkout contradicts itself, so that every driver refuses the same ones before anything is touched. */
export function checkCheckout({ id, revision }: Checkout, isNew: boolean): void {
  const isCounted = Number.isSafeInteger(revision) && (isNew ? revision === 1 : revision > 1);
  if (!isCounted || id === '') throw new BrokenCommit(`a checkout at revision ${revision} is not the one that is meant`);
}

/** The driver of PostgreSQL gives a view of its own kind; the bytes are what was asked for. */
export const assetOf = ({ build, name, type, bytes }: Asset): Asset => ({
  build,
  name,
  type,
  bytes: Buffer.isBuffer(bytes) ? new Uint8Array(bytes) : bytes,
});

export const assetCells = ({ build, name, type, bytes }: Asset, at: number) => [build, name, type, bytes, at] as const;

const placeOf = ({ build, name }: Asset): string => `${build}\n${name}`;

/** In one order on every node, so that two of them cannot each wait for the other. */
export const inOrder = (assets: readonly Asset[]): Asset[] =>
  assets.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
