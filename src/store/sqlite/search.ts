import type { TraceStore } from '../../ledger/trace.ts';
import { newestFirst, type SearchStore } from '../../payments/search/search.ts';
import { type ListedRow, lookThrough } from '../tables/listedPayments.ts';
import { type PaymentRow, readPayment } from '../tables/payments.ts';
import { type Cells, type FoundKey, keysCell, searchBy } from '../tables/searchPaths.ts';
import { behindOf, type SearchRead, sqliteSearch as statements } from '../tables/searchStatements.ts';
import { type Reads, wholePayment } from './reads.ts';
import { sqliteTrace } from './trace.ts';

type Found = { readonly merchant_id: string; readonly created_at: number; readonly id: string };

const keyOf = ({ merchant_id, created_at, id }: Found): FoundKey => ({ merchantId: merchant_id, createdAt: created_at, id });

/** Search in SQLite: merchant after merchant, within one breath. */
export function sqliteSearch(read: Reads): SearchStore & TraceStore {
  const all = <Row>(name: SearchRead, cells: Cells): Row[] =>
    read.all<Row>(`search ${name}`, ...statements[name].names.map((place) => cells[place] ?? null));
  const keysOf = (name: SearchRead, cells: Cells): readonly FoundKey[] => all<Found>(name, cells).map(keyOf);
  /** The payments behind the cursor are read first: a payment whose keys are written in between is found twice, not missed. */
  const completed = (name: SearchRead, cells: Cells): readonly FoundKey[] => {
    const behind = behindOf(name);
    const fresh = behind === null ? [] : keysOf(behind, cells);
    const found = keysOf(name, cells);
    if (fresh.length === 0) return found;
    const unique = new Map([...fresh, ...found].map((key) => [key.id, key]));
    return [...unique.values()].sort(newestFirst).slice(0, Number(cells.limit));
  };
  const found = searchBy({
    rowCost: 1,
    insideCost: 4,
    hasHistory: false,
    page: null,
    keys: async (name, merchantIds, cells) => merchantIds.flatMap((merchant) => completed(name, { ...cells, merchant })),
    rows: async (keys) => lookThrough(all<ListedRow>('fetch', { keys: keysCell(keys) }), wholePayment(read)),
    any: async (merchantIds, id) => {
      const [row] = all<PaymentRow>('any', { merchants: JSON.stringify(merchantIds), id });
      return row ? readPayment(row) : null;
    },
  });
  return { ...found, ...sqliteTrace(read) };
}
