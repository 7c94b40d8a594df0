import { newestFirst, type SearchStore } from '../../payments/search/search.ts';
import type { PaymentRow } from '../commit/cells.ts';
import type { ReadDatabase } from '../database.ts';
import { type ListedRow, readBrief, readPayment } from './payments.ts';
import { inSlices } from './queries.ts';
import { type Cells, type FoundKey, keysCell, type SearchReader, searchBy } from './searchPaths.ts';
import { behindOf, type Placed, postgresSearch, postgresSearchOfOne, type SearchRead, sqliteSearch } from './searchStatements.ts';

/** The search of the back office. `searchPaths.ts` decides which indexes it follows; the databases read them in different ways. */

export const searchMethods = (db: ReadDatabase): SearchStore =>
  searchBy(db.dialect === 'sqlite' ? sqliteReader(db) : postgresReader(db));

type Found = { readonly merchant_id: string; readonly created_at: number | string; readonly id: string };

const keyOf = ({ merchant_id, created_at, id }: Found): FoundKey => ({
  merchantId: merchant_id,
  createdAt: Number(created_at),
  id,
});

const readPlaced = <Row extends object>(db: ReadDatabase, { statement, names }: Placed, cells: Cells): Promise<readonly Row[]> =>
  db.read<Row>(statement, ...names.map((place) => cells[place] ?? null));

async function anyOf(db: ReadDatabase, statement: Placed, merchantIds: readonly string[], id: string) {
  const [row] = await readPlaced<PaymentRow>(db, statement, { merchants: JSON.stringify(merchantIds), id });
  return row ? readPayment(row) : null;
}

/** SQLite reads one merchant after the other. */
function sqliteReader(db: ReadDatabase): SearchReader {
  const keysOf = async (name: SearchRead, cells: Cells): Promise<readonly FoundKey[]> =>
    (await readPlaced<Found>(db, sqliteSearch[name], cells)).map(keyOf);
  /** The payments behind the cursor are read first: a payment whose keys are written in between is found twice, not missed. */
  const completed = async (name: SearchRead, cells: Cells): Promise<readonly FoundKey[]> => {
    const behind = behindOf(name);
    const fresh = behind === null ? [] : await keysOf(behind, cells);
    const found = await keysOf(name, cells);
    if (fresh.length === 0) return found;
    const unique = new Map([...fresh, ...found].map((key) => [key.id, key]));
    return [...unique.values()].sort(newestFirst).slice(0, Number(cells.limit));
  };
  return {
    rowCost: 1,
    insideCost: 4,
    hasHistory: false,
    page: null,
    keys: async (name, merchantIds, cells) =>
      (await Promise.all(merchantIds.map((merchant) => completed(name, { ...cells, merchant })))).flat(),
    rows: async (keys) => readBrief(db, await readPlaced<ListedRow>(db, sqliteSearch.fetch, { keys: keysCell(keys) })),
    any: (merchantIds, id) => anyOf(db, sqliteSearch.any, merchantIds, id),
  };
}

/** In PostgreSQL a row is on a page of its own, of 8 KB, which may not be in memory; a page of an index has some 40 entries. */
const ROW_COST = 8;

/**
 * More merchants than this are asked about an id or a reference by several connections. The pages of each merchant may not be in memory:
 * the server reads several of them at the same time.
 */
const SLICE = 25;
const apart: ReadonlySet<SearchRead> = new Set<SearchRead>([
  'idMany',
  'idFitting',
  'referenceMany',
  'referenceFitting',
  'referenceBare',
]);

/** PostgreSQL reads all merchants with one statement, or with a few. */
function postgresReader(db: ReadDatabase): SearchReader {
  const keysOf = (name: SearchRead, merchantIds: readonly string[], cells: Cells): Promise<readonly Found[]> => {
    const [merchant = '', ...others] = merchantIds;
    return others.length === 0
      ? readPlaced(db, postgresSearchOfOne[name], { ...cells, merchant })
      : readPlaced(db, postgresSearch[name], { ...cells, merchants: JSON.stringify(merchantIds) });
  };
  return {
    rowCost: ROW_COST,
    insideCost: 2 * ROW_COST,
    hasHistory: true,
    keys: async (name, merchantIds, cells) => {
      const slices = apart.has(name) ? inSlices(merchantIds, SLICE) : [merchantIds];
      const rows = await Promise.all(slices.map((slice) => keysOf(name, slice, cells)));
      return rows.flat().map(keyOf);
    },
    page: async (along, merchant, cells) => {
      const rows = await readPlaced<ListedRow>(db, postgresSearchOfOne[`${along}Page`], { ...cells, merchant });
      const limit = Number(cells.limit) - 1;
      const payments = (await readBrief(db, rows.slice(0, limit))).toSorted(newestFirst);
      const last = payments.at(-1);
      return { payments, next: rows.length > limit && last ? { createdAt: last.createdAt, id: last.id } : null };
    },
    rows: async (keys) => readBrief(db, await readPlaced<ListedRow>(db, postgresSearch.fetch, { keys: keysCell(keys) })),
    any: (merchantIds, id) => anyOf(db, postgresSearch.any, merchantIds, id),
  };
}
