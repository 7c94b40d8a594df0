import { StoreOutOfOrder } from '../../payments/storeErrors.ts';
import type { Cell, Placement, Placements } from './cell.ts';

/** The map of merchants and cells as a node knows it. */
export interface MerchantMap {
  /** The cell of a merchant; one without a cell is placed. */
  cellOf(merchantId: string): Promise<Cell>;
  /** The cells of those merchants who have one, each with its merchants. */
  cellsOf(merchantIds: readonly string[]): Promise<ReadonlyMap<Cell, readonly string[]>>;
  /** Reads the whole map anew. */
  reload(): Promise<void>;
  /** Reads those of these merchants anew who are in the map. */
  refresh(merchantIds: readonly string[]): Promise<void>;
  /** After a refusal by a cell: follows a move, or finishes a placement that was interrupted. */
  correct(cell: Cell, merchantIds: readonly string[]): Promise<void>;
}

export type MapOptions = {
  readonly placements: Placements;
  readonly cells: readonly Cell[];
  /** The cells that new merchants are placed in, the emptiest of them; all when none is named. */
  readonly newMerchantsIn?: readonly string[];
};

export async function openMerchantMap({ placements, cells, newMerchantsIn = [] }: MapOptions): Promise<MerchantMap> {
  const byName = new Map(cells.map((cell) => [cell.name, cell]));
  const open = newMerchantsIn.length === 0 ? cells : newMerchantsIn.map((name) => cellNamed(byName, name));
  const known = new Map<string, Placement>();
  const placing = new Map<string, Promise<Cell>>();

  /** Never back to an earlier epoch: answers may overtake each other. */
  const take = (read: readonly Placement[]): void => {
    for (const placement of read) {
      if ((known.get(placement.merchantId)?.epoch ?? 0) <= placement.epoch) known.set(placement.merchantId, placement);
    }
  };
  const read = async (merchantIds: readonly string[]): Promise<void> => {
    if (merchantIds.length > 0) take(await placements.placementsOf(merchantIds));
  };
  /** A merchant who is moving may be in the other cell at any call. Without control the fence still decides. */
  const readMoving = async (merchantIds: readonly string[]): Promise<void> => {
    const moving = merchantIds.filter((id) => isMoving(known.get(id)));
    if (moving.length > 0) await read(moving).catch(() => {});
  };
  const knownCell = (merchantId: string): Cell | null => {
    const placement = known.get(merchantId);
    return placement === undefined ? null : cellNamed(byName, placement.cell);
  };
  const place = async (merchantId: string): Promise<Cell> => {
    await read([merchantId]);
    if (!known.has(merchantId)) {
      await placements.place(merchantId, emptiest(open, known.values()).name);
      await read([merchantId]);
    }
    const cell = knownCell(merchantId);
    if (cell === null) throw new StoreOutOfOrder(`the merchant ${merchantId} has no cell`);
    // Whoever has placed the merchant may have died before the cell knew of it.
    await cell.own(merchantId, known.get(merchantId)?.epoch ?? 1);
    return cell;
  };
  /** A merchant who was placed by one who has died, or whose mover has died behind its decision. */
  const settle = async (cell: Cell, { merchantId, epoch, movingTo }: Placement): Promise<void> => {
    await cell.own(merchantId, epoch);
    if (movingTo !== null && (await hasDeparted(cell, merchantId)))
      await finishSwitch(placements, cellNamed(byName, movingTo), merchantId).then(() => read([merchantId]));
  };
  const map: MerchantMap = {
    cellOf: async (merchantId) => {
      await readMoving([merchantId]);
      const cell = knownCell(merchantId);
      if (cell !== null) return cell;
      const begun = placing.get(merchantId) ?? place(merchantId).finally(() => placing.delete(merchantId));
      placing.set(merchantId, begun);
      return begun;
    },
    cellsOf: async (merchantIds) => {
      await readMoving(merchantIds);
      await read(merchantIds.filter((id) => !known.has(id)));
      const placed = merchantIds.filter((id) => known.has(id));
      return Map.groupBy(placed, (id) => knownCell(id) as Cell);
    },
    reload: async () => take(await placements.placements()),
    refresh: (merchantIds) => read(merchantIds.filter((id) => known.has(id))),
    correct: async (cell, merchantIds) => {
      await read(merchantIds);
      for (const id of merchantIds) if (knownCell(id) === cell) await settle(cell, known.get(id) as Placement);
    },
  };
  await map.reload();
  return map;
}

/** The cell with the fewest merchants. */
function emptiest(open: readonly Cell[], known: Iterable<Placement>): Cell {
  const counts = new Map(open.map(({ name }) => [name, 0]));
  for (const { cell } of known) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  return open.toSorted((one, other) => (counts.get(one.name) ?? 0) - (counts.get(other.name) ?? 0))[0] as Cell;
}

const isMoving = (placement: Placement | undefined): boolean =>
  placement !== undefined && (placement.movingTo !== null || placement.movingFrom !== null);

const hasDeparted = async (cell: Cell, merchantId: string): Promise<boolean> =>
  (await (await cell.moving()).owned(merchantId)) === 'gone';

/** After the decision: the new cell owns the merchant, then the map says so. Any node can do it. */
export async function finishSwitch(placements: Placements, target: Cell, merchantId: string): Promise<void> {
  await (await target.moving()).change(merchantId, 'arriving', 'here', null);
  await placements.switchCell(merchantId, target.name);
}

function cellNamed(cells: ReadonlyMap<string, Cell>, name: string): Cell {
  const cell = cells.get(name);
  if (cell === undefined) throw new StoreOutOfOrder(`the cell ${name} is not configured`);
  return cell;
}
