import type { Call } from '../../developer/ports.ts';
import { REVIEW_COLLECTION } from '../../payments/search/listing.ts';
import { newestFirst, type SearchFound } from '../../payments/search/search.ts';
import { BrokenCommit } from '../../payments/storeErrors.ts';
import type { ConnectionFigures } from '../../payments/storeFigures.ts';
import type { DocumentChange, StoredDocument } from '../../users/documents.ts';
import type { Store } from '../store.ts';
import type { Cell } from './cell.ts';
import { merged, sum } from './merges.ts';
import { type Answer, type Cells, type Route, special, storesOf } from './route.ts';

/** The few methods that are routed by what they are asked for. */

/** Follows the map on the way: the node asks for changes twice a second anyway. */
export const directoryChangesOf =
  ({ control, map }: Cells): Store['directoryChanges'] =>
  async (from, limit) => {
    const changes = await control.directoryChanges(from, limit);
    // What came before the first known change may have been a move.
    if (changes[0]?.seq !== from) await map.reload();
    else
      await map.refresh(
        changes
          .slice(1)
          .filter(({ kind }) => kind === 'entity')
          .map(({ key }) => key),
      );
    return changes;
  };

/** A page ends where the first of the cells has stopped looking. */
export function mergeFound(found: readonly SearchFound[], limit: number): SearchFound {
  const [end = null] = found.flatMap(({ next }) => next ?? []).sort(newestFirst);
  const all = merged(
    found.map(({ payments }) => payments),
    newestFirst,
  );
  const seen = end === null ? all : all.filter((payment) => payment.id === end.id || newestFirst(payment, end) < 0);
  const payments = seen.slice(0, limit);
  const last = payments.at(-1);
  return { payments, next: seen.length > limit && last ? { createdAt: last.createdAt, id: last.id } : end };
}

/** Calls of an entity may be in any cell: an entity above merchants has calls of its own. */
export const listCalls =
  (order: (one: Call, other: Call) => number) =>
  ({ cells, map }: Cells): Store['calls'] =>
  async (asked) => {
    const { merchants } = asked;
    if (merchants.is === 'merchant') return (await map.cellOf(merchants.merchantId)).store.calls(asked);
    const pages =
      merchants.is === 'entity'
        ? cells.map(({ store }) => store.calls(asked))
        : [...(await map.cellsOf(merchants.merchantIds))].map(([{ store }, merchantIds]) =>
            store.calls({ ...asked, merchants: { ...merchants, merchantIds } }),
          );
    return merged(await Promise.all(pages), order, asked.limit);
  };

/** The secrets of entities are in control, everything else is with its merchant. */
export const resealIn =
  ({ control, map }: Cells): Store['reseal'] =>
  async (rows) => {
    const [secrets, others] = [rows.filter(({ table }) => table === 'secret'), rows.filter(({ table }) => table !== 'secret')];
    const cellOf = new Map<string, Cell>();
    for (const { merchantId } of others) cellOf.set(merchantId, await map.cellOf(merchantId));
    const parts = Map.groupBy(others, ({ merchantId }) => cellOf.get(merchantId) as Cell);
    const counts = [...parts].map(([{ store }, part]) => store.reseal(part));
    return sum(await Promise.all([control.reseal(secrets), ...counts]));
  };

export function connectionsOf(stores: readonly Store[]): ConnectionFigures | null {
  const figures = stores.flatMap((store) => store.connections() ?? []);
  const total = (key: keyof ConnectionFigures) => sum(figures.map((one) => one[key]));
  return figures.length === 0 ? null : { busy: total('busy'), idle: total('idle'), waiting: total('waiting') };
}

const isReview = ({ collection }: Pick<StoredDocument, 'collection'>): boolean => collection === REVIEW_COLLECTION;

/** The cell of a review: the decision about a payment is beside it, so that the list of those that wait is one query. */
async function ownerOfReviews({ map }: Cells, changes: readonly DocumentChange[]): Promise<Store> {
  const owners = new Set(changes.map((change) => (change.isDeleted || !isReview(change) ? null : change.ownerId)));
  const [owner] = owners;
  if (owners.size > 1 || owner == null) throw new BrokenCommit('reviews are saved by themselves, each merchant alone');
  return (await map.cellOf(owner)).store;
}

async function findReview(cells: Cells, id: string): Promise<Answer<'document'>> {
  const found = await Promise.all(
    cells.cells.map(async (cell) => {
      const review = await cell.store.document(REVIEW_COLLECTION, id);
      // Of a merchant who is moving the other cell has a copy.
      return review !== null && (await cells.map.cellOf(review.ownerId)) === cell ? review : null;
    }),
  );
  return found.find((one) => one !== null) ?? null;
}

/** Documents are in control, the decisions about payments with their merchants. */
export const documentRoutes: { readonly [M in 'document' | 'documents' | 'saveDocuments' | 'deleteDocuments']: Route<M> } = {
  document: special(
    (cells) => (collection, id) => (isReview({ collection }) ? findReview(cells, id) : cells.control.document(collection, id)),
  ),
  documents: special((cells) => async (asked) => {
    const store = isReview(asked) ? (await cells.map.cellOf(asked.ownerId)).store : cells.control;
    return store.documents(asked);
  }),
  saveDocuments: special((cells) => async (changes) => {
    const store = changes.some(isReview) ? await ownerOfReviews(cells, changes) : cells.control;
    return store.saveDocuments(changes);
  }),
  deleteDocuments: special((cells) => async (collection, before) => {
    const stores = isReview({ collection }) ? storesOf(cells) : [cells.control];
    return sum(await Promise.all(stores.map((store) => store.deleteDocuments(collection, before))));
  }),
};
