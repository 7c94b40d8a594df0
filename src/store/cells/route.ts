import type { MerchantFilter } from '../../merchants/merchantFilter.ts';
import { BrokenCommit, StoreOutOfOrder } from '../../payments/storeErrors.ts';
import type { Store } from '../store.ts';
import { type Cell, FENCED } from './cell.ts';
import type { MerchantMap } from './merchantMap.ts';

/** How a method of the store finds its cell. A row of routes.ts is made by one of the functions below. */

export type Name = keyof Store;
export type Args<M extends Name> = Parameters<Store[M]>;
export type Answer<M extends Name> = Awaited<ReturnType<Store[M]>>;

/** The databases and the map, as the rows see them. */
export type Cells = {
  readonly control: Store;
  readonly controlCell: Pick<Cell, 'adoptRecord' | 'dropRecord'>;
  readonly cells: readonly Cell[];
  readonly map: MerchantMap;
  /** The databases of ids that were looked for last, by the method that looks for them. */
  places(name: Name): Places;
};

/** Remembers the databases of so many ids. */
export type Places = { get(id: string): Store | undefined; set(id: string, store: Store): void };

/** How many ids are remembered with their database. */
const REMEMBERED_MAX = 10_000;

export function createPlaces(): Places {
  const known = new Map<string, Store>();
  return {
    get: (id) => known.get(id),
    set: (id, store) => {
      known.delete(id);
      known.set(id, store);
      if (known.size > REMEMBERED_MAX) known.delete(known.keys().next().value as string);
    },
  };
}

export type RouteKind =
  | 'control'
  | 'merchant'
  | 'merchants'
  | 'split'
  | 'filter'
  | 'claims'
  | 'cells'
  | 'everywhere'
  | 'search'
  | 'special';

/** `of` only ties the row to its method. */
export type Route<M extends Name> = {
  readonly kind: RouteKind;
  readonly of?: M;
  make(cells: Cells, name: M): Store[M];
};

/** Makes one answer of several. The arguments are those of the call. */
export type Merge<M extends Name> = (answers: readonly Answer<M>[], ...args: Args<M>) => Answer<M>;

/** Every answer comes from a store or from the row's merge, which have the type of the method. */
const asMethod = <M extends Name>(method: (...args: Args<M>) => Promise<unknown>): Store[M] => method as unknown as Store[M];

const ask = <M extends Name>(store: Store, name: M, args: Args<M>): Promise<Answer<M>> =>
  (store[name] as unknown as (...args: Args<M>) => Promise<Answer<M>>)(...args);

const isFenced = (error: unknown): boolean => error instanceof StoreOutOfOrder && error.code === FENCED;

/** A refusal by the fence corrects the map, so that the next try finds the right cell. The caller has to try again: what it read is old. */
export async function withinFence<T>(map: MerchantMap, cell: Cell, merchantIds: readonly string[], work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isFenced(error)) await map.correct(cell, merchantIds).catch(() => {});
    throw error;
  }
}

/** Control answers alone. */
export const control = <M extends Name>(): Route<M> => ({
  kind: 'control',
  make: (cells, name) => asMethod<M>((...args) => ask(cells.control, name, args)),
});

async function askMerchant<M extends Name>({ map }: Cells, name: M, merchantId: string, args: Args<M>): Promise<Answer<M>> {
  const cell = await map.cellOf(merchantId);
  return withinFence(map, cell, [merchantId], ask(cell.store, name, args));
}

/** The cell of one merchant. */
export const ofMerchant = <M extends Name>(merchantOf: (...args: Args<M>) => string): Route<M> => ({
  kind: 'merchant',
  make: (cells, name) => asMethod<M>((...args) => askMerchant(cells, name, merchantOf(...args), args)),
});

type Owned = { readonly id: string; readonly merchantId: string };
type OwnedName = { readonly [M in Name]: Args<M> extends [Owned, ...unknown[]] ? M : never }[Name];

/** The cell of the owner of an object that is found by its id. An id that this node knows of another merchant is refused. */
export const ofOwner = <M extends OwnedName>(foundBy: Name): Route<M> => ({
  kind: 'merchant',
  make: (cells, name) =>
    asMethod<M>(async (...args) => {
      const [{ id, merchantId }] = args as unknown as [Owned];
      const { store } = await cells.map.cellOf(merchantId);
      const known = cells.places(foundBy).get(id);
      const there = known && known !== store ? ((await ask(known, foundBy, [id] as never)) as unknown as Owned | null) : null;
      if (there && there.merchantId !== merchantId) throw new BrokenCommit(`${id} belongs to another merchant`);
      const answer = await askMerchant(cells, name, merchantId, args);
      cells.places(foundBy).set(id, store);
      return answer;
    }),
});

/** The cells of some merchants, each asked about its own. */
export const ofMerchants = <M extends Name>(
  merchantsOf: (...args: Args<M>) => readonly string[],
  narrow: (merchantIds: readonly string[], ...args: Args<M>) => Args<M>,
  merge: Merge<M>,
): Route<M> => ({
  kind: 'merchants',
  make: (cells, name) =>
    asMethod<M>(async (...args) => {
      const owners = await cells.map.cellsOf(merchantsOf(...args));
      // A merchant without a cell has nothing.
      if (owners.size === 0) return merge([], ...args);
      const answers = [...owners].map(([{ store }, ids]) => ask(store, name, narrow(ids, ...args)));
      return merge(await Promise.all(answers), ...args);
    }),
});

/** Rows of several merchants, each sent to the cell of its merchant. */
export const split = <M extends Name, Row>(
  rowsOf: (...args: Args<M>) => readonly Row[],
  merchantOf: (row: Row) => string,
  narrow: (rows: readonly Row[], ...args: Args<M>) => Args<M>,
  merge: Merge<M>,
): Route<M> => ({
  kind: 'split',
  make: (cells, name) =>
    asMethod<M>(async (...args) => {
      const rows = rowsOf(...args);
      const merchantIds = [...new Set(rows.map(merchantOf))];
      const cellOf = new Map(await Promise.all(merchantIds.map(async (id) => [id, await cells.map.cellOf(id)] as const)));
      const parts = Map.groupBy(rows, (row) => cellOf.get(merchantOf(row)) as Cell);
      const answers = [...parts].map(([cell, part]) =>
        withinFence(cells.map, cell, [...new Set(part.map(merchantOf))], ask(cell.store, name, narrow(part, ...args))),
      );
      return merge(await Promise.all(answers), ...args);
    }),
});

/** The answers of all that give one. Work of a cell that is out of order waits until it is back, and that of the others goes on. */
async function willing<T>(asked: readonly Promise<T>[]): Promise<readonly T[]> {
  const settled = await Promise.allSettled(asked);
  const given = settled.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
  const failed = settled.find((one) => one.status === 'rejected');
  if (given.length === 0 && failed) throw failed.reason;
  return given;
}

/** Work of one merchant, or of all cells. */
export const ofFilter = <M extends Name>(filterOf: (...args: Args<M>) => MerchantFilter, merge: Merge<M>): Route<M> => ({
  kind: 'filter',
  make: (cells, name) =>
    asMethod<M>(async (...args) => {
      const filter = filterOf(...args);
      if (filter.kind === 'only') return askMerchant(cells, name, filter.merchantId, args);
      return merge(await willing(cells.cells.map(({ store }) => ask(store, name, args))), ...args);
    }),
});

/**
 * Claims of one merchant, or of one cell after the other until there are enough: what is claimed has to be worked on. Each call begins with
 * another cell, so that none has to wait for the rest.
 */
export const claims = <M extends Name, Row>(
  filterOf: (...args: Args<M>) => MerchantFilter,
  limitOf: (...args: Args<M>) => number,
  narrow: (taken: readonly Row[], ...args: Args<M>) => Args<M>,
  order: (one: Row, other: Row) => number,
): Route<M> => ({
  kind: 'claims',
  make: (cells, name) => {
    let turn = 0;
    return asMethod<M>(async (...args) => {
      const filter = filterOf(...args);
      if (filter.kind === 'only') return askMerchant(cells, name, filter.merchantId, args);
      turn += 1;
      const taken: Row[] = [];
      const failures: unknown[] = [];
      for (const at of cells.cells.keys()) {
        if (taken.length >= limitOf(...args)) break;
        const { store } = cells.cells[(at + turn) % cells.cells.length] as Cell;
        try {
          taken.push(...((await ask(store, name, narrow(taken, ...args))) as unknown as readonly Row[]));
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length === cells.cells.length) throw failures[0];
      return taken.sort(order) as unknown as Answer<M>;
    });
  },
});

/** All cells, whether or not each can answer. */
export const willingCells = <M extends Name>(merge: Merge<M>): Route<M> => ({
  kind: 'cells',
  make: (cells, name) =>
    asMethod<M>(async (...args) => merge(await willing(cells.cells.map(({ store }) => ask(store, name, args))), ...args)),
});

/** All cells; without one of them the answer would be wrong. */
export const everyCell = <M extends Name>(merge: Merge<M>): Route<M> => ({
  kind: 'cells',
  make: (cells, name) =>
    asMethod<M>(async (...args) => merge(await Promise.all(cells.cells.map(({ store }) => ask(store, name, args))), ...args)),
});

/** Control and the cells, each database once. */
export const storesOf = ({ control: first, cells }: Cells): readonly Store[] => [
  ...new Set([first, ...cells.map(({ store }) => store)]),
];

/** All databases: what belongs to no merchant is in control. */
export const everywhere = <M extends Name>(merge: Merge<M>): Route<M> => ({
  kind: 'everywhere',
  make: (cells, name) =>
    asMethod<M>(async (...args) => merge(await Promise.all(storesOf(cells).map((store) => ask(store, name, args))), ...args)),
});

/** Looks for an id in all databases, in the one where it was last first. Null only when all of them have answered. */
export const search = <M extends Name>(idOf: (...args: Args<M>) => string): Route<M> => ({
  kind: 'search',
  make: (cells, name) => {
    const places = cells.places(name);
    const find = async (store: Store, args: Args<M>): Promise<Answer<M>> => {
      const answer = await ask(store, name, args);
      if (answer !== null) places.set(idOf(...args), store);
      return answer;
    };
    return asMethod<M>(async (...args) => {
      const last = places.get(idOf(...args));
      const near = last ? await find(last, args).catch(() => null) : null;
      if (near !== null) return near as Answer<M>;
      const settled = await Promise.allSettled(storesOf(cells).map((store) => find(store, args)));
      const found = settled.find((one) => one.status === 'fulfilled' && one.value !== null);
      const failed = settled.find((one) => one.status === 'rejected');
      if (found?.status === 'fulfilled') return found.value;
      if (failed) throw failed.reason;
      return null as Answer<M>;
    });
  },
});

/** What no other function can say. */
export const special = <M extends Name>(make: (cells: Cells) => Store[M]): Route<M> => ({ kind: 'special', make });
