import type { TraceStore } from '../../ledger/trace.ts';
import { newestFirst, type SearchStore } from '../../payments/search/search.ts';
import { type ListedRow, lookThrough } from '../tables/listedPayments.ts';
import { type PaymentRow, readPayment } from '../tables/payments.ts';
import { type Cells, type FoundKey, keysCell, searchBy } from '../tables/searchPaths.ts';
import {
  type Placed,
  type SearchRead,
  postgresSearch as statements,
  postgresSearchOfOne as statementsOfOne,
} from '../tables/searchStatements.ts';
import { inSlices } from '../tables/slices.ts';
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
 * More merchants than this are asked about an id or a reference by several connections. Those of each merchant are on pages of their own,
 * which may not be in memory: the server reads as many of them at the same time.
 */
const SLICE = 25;

const apart: ReadonlySet<SearchRead> = new Set<SearchRead>([
  'idMany',
  'idFitting',
  'referenceMany',
  'referenceFitting',
  'referenceBare',
]);

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
  const whole = wholePayment(pool);
  const found = searchBy({
    rowCost: ROW_COST,
    insideCost: 2 * ROW_COST,
    hasHistory: true,
    keys: async (name, merchantIds, cells) => {
      const slices = apart.has(name) ? inSlices(merchantIds, SLICE) : [merchantIds];
      const rows = await Promise.all(slices.map((slice) => keysOf(name, slice, cells)));
      return rows.flat().map(keyOf);
    },
    page: async (along, merchant, cells) => {
      const rows = await all<ListedRow>(statementsOfOne[`${along}Page`], { ...cells, merchant });
      const limit = Number(cells.limit) - 1;
      const payments = (await lookThrough(rows.slice(0, limit), whole)).toSorted(newestFirst);
      const last = payments.at(-1);
      return { payments, next: rows.length > limit && last ? { createdAt: last.createdAt, id: last.id } : null };
    },
    rows: async (keys) => lookThrough(await all<ListedRow>(statements.fetch, { keys: keysCell(keys) }), whole),
    any: async (merchantIds, id) => {
      const [row] = await all<PaymentRow>(statements.any, { merchants: JSON.stringify(merchantIds), id });
      return row ? readPayment(row) : null;
    },
  });
  return { ...found, ...postgresTrace(pool) };
}
