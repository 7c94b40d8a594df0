import type { Payment } from '../../payments/payment.ts';
import type { Listing, QueryStore, TimeRange } from '../../payments/search/listing.ts';
import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import { type ListedRow, lookThrough, readListed } from '../tables/listedPayments.ts';
import { oldestFirst } from '../tables/payments.ts';
import { type Counted, queriesBy } from '../tables/queryPages.ts';
import { listingCells, type QueryCells, rangesCell, postgresQueryReads as texts } from '../tables/queryStatements.ts';
import type { Pool } from './pool.ts';
import { wholePayment } from './wholePayment.ts';

type Numbered = { readonly count: string };
type Begun = Numbered & { readonly begins: string };

const countedOf = ({ begins, count }: Begun): Counted => ({ begins: Number(begins), count: Number(count) });

/** Lists of payments in PostgreSQL. */
export function postgresQueries(pool: Pick<Pool, 'read'>): QueryStore {
  // Planned for the given filters and period: a generic query plan would read everything.
  const read = <Row extends object>(text: string, cells: QueryCells): Promise<Row[]> => pool.read<Row>(text, cells, 'anew');
  const whole = wholePayment(pool);
  const rows = async (text: string, cells: QueryCells, isBrief = false): Promise<Payment[]> => {
    const found = await read<ListedRow>(text, cells);
    return isBrief ? lookThrough(found, whole) : readListed(found, whole);
  };
  const counted = async (text: string, cells: QueryCells): Promise<number> =>
    Number((await read<Numbered>(text, cells))[0]?.count ?? 0);
  const within = (listing: Listing, { from, before }: TimeRange): QueryCells => [...listingCells(listing), from, before];
  return queriesBy({
    days: async (listing, { from, before }) =>
      (await read<Begun>(texts.daysOf, [...listingCells(listing), DAY_MS, from, before])).map(countedOf),
    hours: async (listing, ranges) =>
      (await read<Begun>(texts.hoursOf, [...listingCells(listing), HOUR_MS, rangesCell(ranges)])).map(countedOf),
    count: (listing, range) => counted(texts.countOf, within(listing, range)),
    page: (listing, ranges, { skip, limit, isBrief }) =>
      rows(texts.pageOf, [...listingCells(listing), rangesCell(ranges), limit, skip], isBrief),
    short: (listing, range) => rows(texts.shortOf, [...within(listing, range), listing.shortId]),
    named: async (listing, merchantTransactionId, { pageNo, limit }) => {
      const cells = [...listingCells(listing), merchantTransactionId, listing.shortId];
      const count = await counted(texts.namedCount, cells);
      return { payments: await rows(texts.named, [...cells, limit, (pageNo - 1) * limit]), count };
    },
    families: async (merchantId, familyIds, isWhole = false) =>
      (await rows(texts.families, [merchantId, JSON.stringify(familyIds)], !isWhole)).sort(oldestFirst),
  });
}
