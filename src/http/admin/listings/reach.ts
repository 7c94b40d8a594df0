import { cursorText, type ListCursor, type ListScope, parseCursor } from '../../../merchants/listing.ts';
import type { Payment } from '../../../payments/payment.ts';
import type { Services } from '../../services.ts';

export const PAGE = 50;

/** The objects visible from a node: of the merchants there and below, or of one channel. */
export function reachOf({ directory }: Pick<Services, 'directory'>, entityId: string): ListScope {
  const entity = directory.entity(entityId);
  if (entity?.channel) return { merchantIds: [entity.channel.merchantId], entityId };
  return { merchantIds: directory.idsBelow(entityId, 'merchant'), entityId: null };
}

/** Whether an object is within reach. */
export const isWithin = (
  { merchantIds, entityId }: ListScope,
  resource: { readonly merchantId: string; readonly entityId: string },
): boolean => merchantIds.includes(resource.merchantId) && (entityId === null || resource.entityId === entityId);

/** The first object that one of the merchants within reach has. */
export async function foundBy<Resource extends { readonly merchantId: string; readonly entityId: string }>(
  reach: ListScope,
  find: (merchantId: string) => Promise<Resource | null>,
): Promise<Resource | null> {
  const found = await Promise.all(reach.merchantIds.map(find));
  return found.find((resource) => resource !== null && isWithin(reach, resource)) ?? null;
}

/** A payment within reach, by its id. */
export async function paymentWithin({ risk }: Pick<Services, 'risk'>, reach: ListScope, id: string): Promise<Payment | null> {
  if (!/^[0-9a-f]{32}$/.test(id)) return null;
  const payment = await risk.store.anyPayment(reach.merchantIds, id);
  return payment && isWithin(reach, payment) ? payment : null;
}

/** The cursor at which a page begins. */
export const cursorOf = (after: string | undefined): ListCursor | null => (after === undefined ? null : parseCursor(after));

type Positioned = { readonly createdAt: number; readonly id: string };

/** The cursor of the next page; null: there is none. */
export function nextCursor(resources: readonly Positioned[], limit: number): string | null {
  const last = resources.at(-1);
  return last && resources.length >= limit ? cursorText(last) : null;
}
