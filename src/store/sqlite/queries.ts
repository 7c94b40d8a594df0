import type { Payment } from '../../payments/payment.ts';
import type { QueryStore } from '../../payments/search/listing.ts';
import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import { type ListedRow, lookThrough, readForList, readListed } from '../tables/listedPayments.ts';
import { oldestFirst } from '../tables/payments.ts';
import { type Counted, queriesBy } from '../tables/queryPages.ts';
import { listingCells, rangesCell } from '../tables/queryStatements.ts';
import { type Reads, wholePayment } from './reads.ts';

type Numbered = { readonly count: number };

/** Lists of payments in SQLite. */
export function sqliteQueries(read: Reads): QueryStore {
  const whole = wholePayment(read);
  const listed = async (found: readonly ListedRow[], isBrief = false): Promise<Payment[]> =>
    isBrief ? lookThrough(found, whole) : readListed(found, whole);
  const rows = (...query: Parameters<Reads['all']>): Promise<Payment[]> => listed(read.all<ListedRow>(...query));
  return queriesBy({
    days: async (listing, { from, before }) => read.all<Counted>('daysOf', ...listingCells(listing), DAY_MS, from, before),
    hours: async (listing, ranges) => read.all<Counted>('hoursOf', ...listingCells(listing), HOUR_MS, rangesCell(ranges)),
    count: async (listing, { from, before }) =>
      read.all<Numbered>('countOf', ...listingCells(listing), from, before)[0]?.count ?? 0,
    page: async (listing, ranges, { skip, limit, isBrief }) => {
      const found: ListedRow[] = [];
      for (const [at, { from, before }] of ranges.entries()) {
        if (found.length >= limit) break;
        const cells = [...listingCells(listing), from, before, limit - found.length, at === 0 ? skip : 0];
        found.push(...read.all<ListedRow>('pageOf', ...cells));
      }
      return listed(found, isBrief);
    },
    short: async (listing, { from, before }) => rows('shortOf', ...listingCells(listing), from, before, listing.shortId),
    named: async (listing, merchantTransactionId, { pageNo, limit, isBrief }) => {
      const cells = [...listingCells(listing), merchantTransactionId, listing.shortId];
      const count = read.all<Numbered>('namedCount', ...cells)[0]?.count ?? 0;
      return { payments: await listed(read.all('named', ...cells, limit, (pageNo - 1) * limit), isBrief), count };
    },
    families: async (merchantId, familyIds, { isBrief = true, known } = {}) => {
      const found = read.all<ListedRow>('families', merchantId, JSON.stringify(familyIds));
      return (await (isBrief ? lookThrough(found, whole, known) : readListed(found, whole))).sort(oldestFirst);
    },
    listed: async (merchantId, id, withItems) => readForList(await whole(merchantId, id), withItems),
  });
}
