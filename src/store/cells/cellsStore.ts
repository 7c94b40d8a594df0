import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import { createSlots } from '../../spec/slots.ts';
import type { Store } from '../store.ts';
import type { Cell, Placements } from './cell.ts';
import { openMerchantMap } from './merchantMap.ts';
import { type Cells, createPlaces, type Name, type Places, type Route } from './route.ts';
import { routes } from './routes.ts';

export type CellsOptions = {
  /** It has the map, and everything that belongs to no merchant. It may be one of the cells. */
  readonly control: Cell & Placements;
  readonly cells: readonly Cell[];
  /** The cells that new merchants are placed in, the emptiest of them; all when none is named. */
  readonly newMerchantsIn?: readonly string[];
  /** Another table, for the control of the tests. */
  readonly routes?: { readonly [M in Name]: Route<M> };
};

/** One store of several databases: a merchant lives in exactly one of them, and no transaction spans two (decisions/0065). */
export async function openCellsStore(options: CellsOptions): Promise<Store> {
  const { control, cells, newMerchantsIn = [] } = options;
  if (new Set(cells.map(({ name }) => name)).size < Math.max(cells.length, 1))
    throw new StoreOutOfOrder('every cell has a name of its own, and there is at least one');
  const map = await openMerchantMap({ placements: control, cells, newMerchantsIn });
  const places = new Map<Name, Places>();
  const placesOf = (name: Name): Places => {
    const known = places.get(name) ?? createPlaces();
    places.set(name, known);
    return known;
  };
  const context: Cells = { control: control.store, controlCell: control, cells, map, places: placesOf };
  const table = options.routes ?? routes;
  const methodOf = <M extends Name>(name: M): Store[M] => table[name].make(context, name);
  const names = Object.keys(table) as Name[];
  return finishingCalls(Object.fromEntries(names.map((name) => [name, methodOf(name)])) as unknown as Store);
}

/** A call may have to find its database first: the databases are closed when the last one has ended. */
function finishingCalls(store: Store): Store {
  const active = createSlots<Promise<unknown>>();
  let isClosed = false;
  const tracked =
    (method: (...args: readonly unknown[]) => Promise<unknown>) =>
    async (...args: readonly unknown[]): Promise<unknown> => {
      if (isClosed) throw new StoreOutOfOrder('the store is closed');
      const call = method(...args);
      const at = active.add(call);
      try {
        return await call;
      } finally {
        active.take(at);
      }
    };
  const { close, connections, ...calls } = store;
  const methods = Object.entries(calls).map(([name, method]) => [name, tracked(method as Parameters<typeof tracked>[0])]);
  return {
    ...(Object.fromEntries(methods) as typeof calls),
    connections,
    close: async () => {
      isClosed = true;
      await Promise.allSettled(active.all());
      await close();
    },
  };
}
