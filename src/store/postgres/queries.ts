import type { Payment } from '../../payments/payment.ts';
import type { Listing, QueryStore, TimeRange } from '../../payments/search/listing.ts';
import { newestFirst } from '../../payments/search/search.ts';
import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import { type ListedRow, lookThrough, readForList, readListed } from '../tables/listedPayments.ts';
import { oldestFirst } from '../tables/payments.ts';
import { type Counted, queriesBy } from '../tables/queryPages.ts';
import { listingCells, type QueryCells, rangesCell, postgresQueryReads as texts } from '../tables/queryStatements.ts';
import { inSlices } from '../tables/slices.ts';
import type { Pool } from './pool.ts';
import { wholePayment } from './wholePayment.ts';

type Numbered = { readonly count: string };
type Begun = Numbered & { readonly begins: string };

const countedOf = ({ begins, count }: Begun): Counted => ({ begins: Number(begins), count: Number(count) });

/**
 * More rows than this are fetched by several connections. Each row is on a page of its own, which may not be in memory: the server reads as
 * many of them at the same time.
 */
const SLICE = 25;

/** Lists of payments in PostgreSQL. */
export function postgresQueries(pool: Pick<Pool, 'read'>): QueryStore {
  // Planned for the given filters and period: a generic query plan would read everything.
  const read = <Row extends object>(text: string, cells: QueryCells): Promise<Row[]> => pool.read<Row>(text, cells, 'anew');
  const whole = wholePayment(pool);
  const listed = (found: readonly ListedRow[], isBrief = false) =>
    isBrief ? lookThrough(found, whole) : readListed(found, whole);
  const rows = async (text: string, cells: QueryCells, isBrief = false): Promise<Payment[]> =>
    listed(await read<ListedRow>(text, cells), isBrief);
  const counted = async (text: string, cells: QueryCells): Promise<number> =>
    Number((await read<Numbered>(text, cells))[0]?.count ?? 0);
  const within = (listing: Listing, { from, before }: TimeRange): QueryCells => [...listingCells(listing), from, before];
  return queriesBy({
    days: async (listing, { from, before }) =>
      (await read<Begun>(texts.daysOf, [...listingCells(listing), DAY_MS, from, before])).map(countedOf),
    hours: async (listing, ranges) =>
      (await read<Begun>(texts.hoursOf, [...listingCells(listing), HOUR_MS, rangesCell(ranges)])).map(countedOf),
    count: (listing, range) => counted(texts.countOf, within(listing, range)),
    page: async (listing, ranges, { skip, limit, isBrief }) => {
      const cells = [...listingCells(listing), rangesCell(ranges), limit, skip];
      if (limit <= SLICE) return rows(texts.pageOf, cells, isBrief);
      const ids = (await read<Pick<Payment, 'id'>>(texts.placesOf, cells)).map(({ id }) => id);
      const slices = await Promise.all(
        inSlices(ids, SLICE).map((slice) => read<ListedRow>(texts.placed, [listing.merchantId, JSON.stringify(slice)])),
      );
      return (await listed(slices.flat(), isBrief)).sort((one, other) => newestFirst(other, one));
    },
    short: (listing, range) => rows(texts.shortOf, [...within(listing, range), listing.shortId]),
    named: async (listing, merchantTransactionId, { pageNo, limit, isBrief }) => {
      const cells = [...listingCells(listing), merchantTransactionId, listing.shortId];
      const count = await counted(texts.namedCount, cells);
      return { payments: await rows(texts.named, [...cells, limit, (pageNo - 1) * limit], isBrief), count };
    },
    families: async (merchantId, familyIds, { isBrief = true, known } = {}) => {
      const found = await read<ListedRow>(texts.families, [merchantId, JSON.stringify(familyIds)]);
      return (await (isBrief ? lookThrough(found, whole, known) : readListed(found, whole))).sort(oldestFirst);
    },
    listed: async (merchantId, id, withItems) => readForList(await whole(merchantId, id), withItems),
  });
}
