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

/** Search in PostgreSQL: all merchants in one question. */
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
    keys: async (name, merchantIds, cells) => (await keysOf(name, merchantIds, cells)).map(keyOf),
    rows: async (keys) => lookThrough(await all<ListedRow>(statements.fetch, { keys: keysCell(keys) }), wholePayment(pool)),
    any: async (merchantIds, id) => {
      const [row] = await all<PaymentRow>(statements.any, { merchants: JSON.stringify(merchantIds), id });
      return row ? readPayment(row) : null;
    },
  });
  return { ...found, ...postgresTrace(pool) };
}
