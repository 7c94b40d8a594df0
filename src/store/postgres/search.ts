import type { TraceStore } from '../../ledger/trace.ts';
import type { SearchStore } from '../../payments/search/search.ts';
import { type ListedRow, lookThrough } from '../tables/listedPayments.ts';
import { type PaymentRow, readPayment } from '../tables/payments.ts';
import { type Cells, type FoundKey, keysCell, searchBy } from '../tables/searchPaths.ts';
import {
  type Placed,
  type SearchRead,
  postgresSearch as statements,
  postgresSearchOfOne as statementsOfOne,
} from '../tables/searchStatements.ts';
import type { Pool } from './pool.ts';
import { postgresTrace } from './trace.ts';
import { wholePayment } from './wholePayment.ts';

type Found = { readonly merchant_id: string; readonly created_at: string; readonly id: string };

const keyOf = ({ merchant_id, created_at, id }: Found): FoundKey => ({
  merchantId: merchant_id,
  createdAt: Number(created_at),
  id,
});

/** A row is on a page of its own, of 8 KB, which may not be in memory; a page of an index has some 40 entries. */
const ROW_COST = 8;

/**
 * So many connections ask many merchants about an id or a reference. Those of each merchant are on pages of their own, which may not be in
 * memory: the server reads as many of them at the same time.
 */
const AT_ONCE = 4;
/** A slice of merchants that is worth a statement. */
const SLICE = 25;

const apart: ReadonlySet<SearchRead> = new Set<SearchRead>([
  'idMany',
  'idFitting',
  'referenceMany',
  'referenceFitting',
  'referenceBare',
]);

function slicesOf(merchantIds: readonly string[]): readonly (readonly string[])[] {
  const size = Math.max(SLICE, Math.ceil(merchantIds.length / AT_ONCE));
  return Array.from({ length: Math.ceil(merchantIds.length / size) }, (_, at) => merchantIds.slice(at * size, (at + 1) * size));
}

/** Search in PostgreSQL: all merchants in one question, or in a few. */
export function postgresSearch(pool: Pick<Pool, 'read'>): SearchStore & TraceStore {
  // Planned for the given filters: a generic query plan would read everything.
  const all = <Row extends object>({ text, names }: Placed, cells: Cells): Promise<Row[]> =>
    pool.read<Row>(
      text,
      names.map((place) => cells[place] ?? null),
      'anew',
    );
  const keysOf = (name: SearchRead, merchantIds: readonly string[], cells: Cells): Promise<Found[]> => {
    const [merchant = '', ...others] = merchantIds;
    return others.length === 0
      ? all(statementsOfOne[name], { ...cells, merchant })
      : all(statements[name], { ...cells, merchants: JSON.stringify(merchantIds) });
  };
  const found = searchBy({
    rowCost: ROW_COST,
    insideCost: 2 * ROW_COST,
    hasHistory: true,
    keys: async (name, merchantIds, cells) => {
      const slices = apart.has(name) ? slicesOf(merchantIds) : [merchantIds];
      const rows = await Promise.all(slices.map((slice) => keysOf(name, slice, cells)));
      return rows.flat().map(keyOf);
    },
    rows: async (keys) => lookThrough(await all<ListedRow>(statements.fetch, { keys: keysCell(keys) }), wholePayment(pool)),
    any: async (merchantIds, id) => {
      const [row] = await all<PaymentRow>(statements.any, { merchants: JSON.stringify(merchantIds), id });
      return row ? readPayment(row) : null;
    },
  });
  return { ...found, ...postgresTrace(pool) };
}
