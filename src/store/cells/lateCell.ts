import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import type { Store } from '../store.ts';
import { type Cell, WrongCell } from './cell.ts';
import type { Name } from './route.ts';
import { routes } from './routes.ts';

/** How long a failed attempt to open a cell is remembered. */
const RETRY_MS = 1_000;

/**
 * A cell that may be out of order at the start: calls open it, at most once a second, and are refused until it is open. A database that is
 * not this cell is refused at once.
 */
export async function lateCell(name: string, open: () => Promise<Cell>): Promise<Cell> {
  const opening = createOpening(open);
  try {
    return await opening.cell();
  } catch (error) {
    if (!(error instanceof StoreOutOfOrder) || error instanceof WrongCell) throw error;
  }
  const method =
    (its: Name) =>
    async (...args: readonly unknown[]): Promise<unknown> =>
      ((await opening.cell()).store[its] as (...args: readonly unknown[]) => unknown)(...args);
  const methods = Object.fromEntries((Object.keys(routes) as Name[]).map((its) => [its, method(its)])) as unknown as Store;
  const store: Store = { ...methods, connections: () => opening.opened()?.store.connections() ?? null, close: opening.close };
  return {
    name,
    store,
    moving: async () => (await opening.cell()).moving(),
    fence: async () => (await opening.cell()).fence(),
    own: async (...args) => (await opening.cell()).own(...args),
    countPayments: async () => (await opening.cell()).countPayments(),
    tryKeepFile: async (...args) => (await opening.cell()).tryKeepFile(...args),
    adoptRecord: async (...args) => (await opening.cell()).adoptRecord(...args),
    dropRecord: async (...args) => (await opening.cell()).dropRecord(...args),
  };
}

/** Opens a cell when it is needed, one attempt at a time. */
function createOpening(open: () => Promise<Cell>) {
  let opened: Cell | null = null;
  let attempt: Promise<Cell> | null = null;
  let isClosed = false;
  const tryOnce = async (): Promise<Cell> => {
    const cell = await open();
    if (isClosed) {
      await cell.store.close();
      throw new StoreOutOfOrder('the store is closed');
    }
    opened = cell;
    return cell;
  };
  return {
    opened: () => opened,
    cell: async (): Promise<Cell> => {
      if (opened) return opened;
      if (isClosed) throw new StoreOutOfOrder('the store is closed');
      if (attempt) return attempt;
      const begun = tryOnce();
      attempt = begun;
      begun.catch(() => setTimeout(() => (attempt = null), RETRY_MS).unref());
      return begun;
    },
    close: async (): Promise<void> => {
      isClosed = true;
      await attempt?.catch(() => {});
      await opened?.store.close();
    },
  };
}
