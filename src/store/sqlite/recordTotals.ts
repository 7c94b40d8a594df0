import { ticks } from '../../runtime/ticks.ts';
import type { Aggregation } from '../../settlement/ports.ts';
import { type AggregationRow, aggregationOf, questionCells, recordFilter, totals } from '../tables/settlement.ts';
import type { Reads } from './reads.ts';

/** Records that are added up in one turn of the event loop: some 2 ms. */
const PORTION = 1_000;

/** The columns by which records are gone through, and the portion behind one place up to another. */
export const recordTotalReads = {
  portionEnd: `
    SELECT settled_on, id FROM settlement_record
    WHERE merchant_id = ?1 AND (settled_on, id) > (?2, ?3) AND settled_on <= ?4
    ORDER BY settled_on, id LIMIT 1 OFFSET ?5`,
  portionTotals: `
    SELECT ${totals} FROM settlement_record r
    WHERE ${recordFilter} AND (r.settled_on, r.id) > (?7, ?8) AND (r.settled_on, r.id) <= (?9, ?10)
    GROUP BY r.settled_on, r.currency ORDER BY r.settled_on, r.currency`,
} as const;

type RecordCursor = { readonly settled_on: string; readonly id: string };
type Query = Parameters<typeof questionCells>[0];

/**
 * Adds records up by day and currency. What is more than one portion is read in one snapshot, portion by portion, and other requests come
 * in between.
 */
export async function totalsOf(read: Reads, query: Query): Promise<readonly Aggregation[]> {
  const cells = questionCells(query);
  const [merchantId, , from, to] = cells;
  const endAfter = (all: Reads['all'], { settled_on, id }: RecordCursor): RecordCursor | undefined =>
    all<RecordCursor>('portionEnd', merchantId, settled_on, id, to, PORTION - 1)[0];
  const start: RecordCursor = { settled_on: from, id: '' };
  if (endAfter(read.all, start) === undefined) return read.all<AggregationRow>('aggregations', ...cells).map(aggregationOf);
  return read.inSnapshot(async (all) => {
    const sums = new Map<string, Aggregation>();
    for (let at: RecordCursor | undefined = start; at !== undefined; ) {
      const end: RecordCursor | undefined = endAfter(all, at);
      const upTo: RecordCursor = end ?? { settled_on: to, id: LAST };
      const rows = all<AggregationRow>('portionTotals', ...cells, at.settled_on, at.id, upTo.settled_on, upTo.id);
      for (const row of rows) addTo(sums, aggregationOf(row));
      at = end;
      await ticks.next();
    }
    return [...sums.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  });
}

/** Behind every id. */
const LAST = '~';

const keyOf = ({ settledOn, currency }: Aggregation): string => `${settledOn} ${currency}`;

function addTo(sums: Map<string, Aggregation>, more: Aggregation): void {
  const sum = sums.get(keyOf(more));
  const { settledOn, currency } = more;
  sums.set(
    keyOf(more),
    sum === undefined
      ? more
      : { settledOn, currency, count: sum.count + more.count, amount: sum.amount + more.amount, fee: sum.fee + more.fee },
  );
}
