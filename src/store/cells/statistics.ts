import type { Sheet } from '../../reports/statistics/ports.ts';
import { addSheet, keyText, type Sums, writeSums } from '../../reports/statistics/sheet.ts';
import type { Store } from '../store.ts';
import { type Cells, everyCell, ofMerchants, type Route, special } from './route.ts';

/**
 * Each cell has a queue and sheets of its own, and a fold is a commit of one cell. The sheets of an entity above merchants are in several
 * cells: its figures are their sums. The revision of a fold names the cell.
 */
const CELLS_MAX = 1_024;

const storeAt = ({ cells }: Cells, revision: number): Store => (cells[revision % CELLS_MAX] ?? cells[0])?.store as Store;

/** The sheets of all cells, those of one key added up. */
function addUp(lists: readonly (readonly Sheet[])[]): readonly Sheet[] {
  return [...Map.groupBy(lists.flat(), keyText).values()].map((parts) => {
    const [first] = parts as [Sheet, ...Sheet[]];
    if (parts.length === 1) return first;
    const sums: Sums = new Map();
    for (const part of parts) addSheet(sums, part);
    return { ...first, body: writeSums(sums) };
  });
}

/** The cells in turn, those with lines in their queues before the others. */
function foldRevisionIn(of: Cells): Store['foldRevision'] {
  let turn = 0;
  return async () => {
    turn += 1;
    const order = [...of.cells.keys()].map((at) => (at + turn) % of.cells.length);
    const filled = await Promise.allSettled(order.map((at) => storeAt(of, at).changes(1)));
    const next = filled.findIndex((one) => one.status === 'fulfilled' && one.value.length > 0);
    const alive = filled.findIndex((one) => one.status === 'fulfilled');
    const chosen = order[next === -1 ? Math.max(alive, 0) : next] ?? 0;
    return (await storeAt(of, chosen).foldRevision()) * CELLS_MAX + chosen;
  };
}

type StatisticsName = 'foldRevision' | 'changes' | 'counted' | 'sheets' | 'sheetsWithin' | 'fold';

export const statisticsRoutes: { readonly [M in StatisticsName]: Route<M> } = {
  foldRevision: special(foldRevisionIn),
  changes: special(
    (cells) =>
      (limit, revision = 0) =>
        storeAt(cells, revision).changes(limit, revision),
  ),
  counted: ofMerchants(
    (subjects) => [...new Set(subjects.map(({ merchantId }) => merchantId))],
    (merchantIds, subjects) => [subjects.filter(({ merchantId }) => merchantIds.includes(merchantId))],
    (lists) => lists.flat(),
  ),
  sheets: special((cells) => async (keys, revision) => {
    if (revision !== undefined) return storeAt(cells, revision).sheets(keys);
    return addUp(await Promise.all(cells.cells.map(({ store }) => store.sheets(keys))));
  }),
  sheetsWithin: everyCell(addUp),
  fold: special((cells) => (fold) => {
    const revision = Math.floor(fold.revision / CELLS_MAX);
    return storeAt(cells, fold.revision).fold({ ...fold, revision });
  }),
};
