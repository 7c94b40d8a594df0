import type { Checkout } from '../checkouts/checkout.ts';
import type { Asset } from '../checkouts/needs.ts';
import type { Claim } from '../payments/needs.ts';
import { BrokenCommit } from './errors.ts';
import type { Cell } from './rows.ts';

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

export const checkoutOf = (row: CheckoutRow): Checkout => ({
  ...(JSON.parse(row.data) as Checkout),
  id: row.id,
  merchantId: row.merchant_id,
  entityId: row.entity_id,
  createdAt: Number(row.created_at),
  expiresAt: Number(row.expires_at),
  callAt: row.call_at === null ? null : Number(row.call_at),
  revision: Number(row.revision),
});

/** In the order of the columns in checkoutStatements.ts. */
export function checkoutCells({ id, merchantId, entityId, createdAt, expiresAt, callAt, revision, ...rest }: Checkout) {
  return [id, merchantId, entityId, createdAt, expiresAt, callAt, revision, JSON.stringify(rest)] as const satisfies Cell[];
}

/** Behind the cells of the checkout. */
export const claimedCells = (checkout: Checkout, { entityId, key, bodyHash }: Claim, at: number) =>
  [...checkoutCells(checkout), entityId, key, bodyHash, at] as const satisfies Cell[];

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
