import type { TraceStore } from '../../ledger/trace.ts';
import type { SearchStore } from '../../payments/search/search.ts';
import { type PaymentRow, paymentOf } from '../tables/payments.ts';
import { type Cells, type FoundKey, keysCell, searchBy } from '../tables/searchPaths.ts';
import { type SearchRead, postgresSearch as statements } from '../tables/searchStatements.ts';
import type { Pool } from './pool.ts';
import { postgresTrace } from './trace.ts';

type Found = { readonly merchant_id: string; readonly created_at: string; readonly id: string };

const keyOf = ({ merchant_id, created_at, id }: Found): FoundKey => ({
  merchantId: merchant_id,
  createdAt: Number(created_at),
  id,
});

/** Search in PostgreSQL: all merchants in one question. */
export function postgresSearch(pool: Pick<Pool, 'read'>): SearchStore & TraceStore {
  // Planned for the given filters: a generic query plan would read everything.
  const all = <Row extends object>(name: SearchRead, cells: Cells): Promise<Row[]> => {
    const { text, names } = statements[name];
    return pool.read<Row>(
      text,
      names.map((place) => cells[place] ?? null),
      'anew',
    );
  };
  const found = searchBy({
    keys: async (name, merchantIds, cells) =>
      (await all<Found>(name, { ...cells, merchants: JSON.stringify(merchantIds) })).map(keyOf),
    rows: async (keys) => (await all<PaymentRow>('fetch', { keys: keysCell(keys) })).map(paymentOf),
    any: async (merchantIds, id) => {
      const [row] = await all<PaymentRow>('any', { merchants: JSON.stringify(merchantIds), id });
      return row ? paymentOf(row) : null;
    },
  });
  return { ...found, ...postgresTrace(pool) };
}
