import type { Payment } from '../../payments/payment.ts';
import type { Listing, PageFound, QueryPageRequest, QueryStore, TimeRange } from '../../payments/search/listing.ts';
import { newestFirst } from '../../payments/search/search.ts';
import { ticks } from '../../runtime/ticks.ts';
import { DAY_MS, HOUR_MS } from '../../spec/time.ts';
import { type Cell, type Dialects, postgresWords, type ReadDatabase, sqliteWords, type Words } from '../database.ts';
import { type ListedRow, listable, oldestFirst, readBrief, readForList, readListed, wholePayment } from './payments.ts';

/**
 * The statements of queries, with the places of a listing in front: ?1 merchant, ?2 channel, ?3 types, ?4 methods, ?5 mode. A list of
 * codes is one text, and a code stands in it or not: all of them have two characters, and a comma is in none.
 */
/** A code is one of a list with commas. */
const stands = ({ position, text }: Words, code: string, list: string): string => `${position(text(list), code)} > 0`;
/** The columns `since` and `until` of the ranges in a JSON list. */
const sqliteRanges = (place: string): string =>
  `(SELECT json_extract(value, '$.from') AS since, json_extract(value, '$.before') AS until FROM json_each(${place}))`;
const postgresRanges = (place: string): string => `(
    SELECT (value ->> 'from')::bigint AS since, (value ->> 'before')::bigint AS until
    FROM json_array_elements(${place}::text::json)
  )`;

const filters = (words: Words): string => {
  const { text } = words;
  return `
  merchant_id = ?1 AND (${text('?2')} IS NULL OR entity_id = ${text('?2')})
  AND (${text('?3')} IS NULL OR ${stands(words, 'payment_type', '?3')})
  AND (${text('?4')} IS NULL OR ${stands(words, 'method', '?4')})
  AND (${text('?5')} IS NULL OR mode = ${text('?5')})`;
};

const commonTexts = (words: Words) => {
  const filtered = filters(words);
  const named = `merchant_transaction_id = ?6 AND (${words.text('?7')} IS NULL OR short_id = ${words.text('?7')}) AND ${filtered}`;
  const { among } = words;
  return {
    daysOf: `
      SELECT begins, SUM(count) AS count FROM payment_count
      WHERE span = ?6 AND begins >= ?7 AND begins < ?8 AND ${filtered}
      GROUP BY begins ORDER BY begins`,
    countOf: `SELECT COUNT(*) AS count FROM payment WHERE created_at >= ?6 AND created_at < ?7 AND ${filtered}`,
    shortOf: `
      SELECT ${listable} FROM payment WHERE created_at >= ?6 AND created_at < ?7 AND short_id = ?8 AND ${filtered}
      ORDER BY created_at, id`,
    namedCount: `SELECT COUNT(*) AS count FROM payment WHERE ${named}`,
    named: `SELECT ${listable} FROM payment WHERE ${named} ORDER BY created_at, id LIMIT ?8 OFFSET ?9`,
    families: `
      SELECT ${listable} FROM payment WHERE merchant_id = ?1 AND id IN (${among('?2')})
      UNION ALL
      SELECT ${listable} FROM payment
      WHERE merchant_id = ?1 AND family_id IN (${among('?2')}) AND referenced_id IS NOT NULL AND id <> family_id`,
  } as const;
};

/** SQLite does not fetch the skipped rows: a row is looked up when the first of its columns is used. */
const sqliteTexts = {
  ...commonTexts(sqliteWords),
  // CROSS says which table comes first.
  hoursOf: `
    SELECT begins, SUM(count) AS count FROM ${sqliteRanges('?7')} s CROSS JOIN payment_count
    WHERE span = ?6 AND begins >= s.since AND begins < s.until AND ${filters(sqliteWords)}
    GROUP BY begins ORDER BY begins`,
  pageOf: `
    SELECT ${listable} FROM payment WHERE created_at >= ?6 AND created_at < ?7 AND ${filters(sqliteWords)}
    ORDER BY created_at, id LIMIT ?8 OFFSET ?9`,
} as const;

const placesOf = `
      SELECT found.id FROM ${postgresRanges('?6')} s CROSS JOIN LATERAL (
        SELECT created_at, id FROM payment
        WHERE created_at >= s.since AND created_at < s.until AND ${filters(postgresWords)}
        ORDER BY created_at, id LIMIT ?7::bigint + ?8::bigint
      ) found
      ORDER BY found.created_at, found.id LIMIT ?7 OFFSET ?8`;

/** PostgreSQL looks for the places of all ranges in the index alone, and then fetches the rows. */
const postgresTexts = {
  ...commonTexts(postgresWords),
  // OFFSET 0 keeps the subquery whole. As a join it is planned the other way round, and reads all hours of the merchant's history.
  hoursOf: `
    SELECT begins, SUM(count) AS count FROM ${postgresRanges('?7')} s CROSS JOIN LATERAL (
      SELECT begins, count FROM payment_count
      WHERE span = ?6 AND begins >= s.since AND begins < s.until AND ${filters(postgresWords)} OFFSET 0
    ) counted
    GROUP BY begins ORDER BY begins`,
  pageOf: `
    SELECT ${listable} FROM payment WHERE merchant_id = ?1 AND id IN (${placesOf}
    )
    ORDER BY created_at, id`,
  placesOf,
  placed: `SELECT ${listable} FROM payment WHERE merchant_id = ?1 AND id IN (${postgresWords.among('?2')})`,
} as const;

type Name = keyof typeof sqliteTexts | keyof typeof postgresTexts;
const names = [...new Set([...Object.keys(sqliteTexts), ...Object.keys(postgresTexts)])] as readonly Name[];

/** PostgreSQL plans them for the given filters and period: a generic query plan would read everything. */
export const queryStatements = Object.fromEntries(
  names.map((name) => [
    name,
    {
      sqlite: name in sqliteTexts ? sqliteTexts[name as keyof typeof sqliteTexts] : null,
      postgres: postgresTexts[name],
      plan: 'anew',
    },
  ]),
) as Readonly<Record<Name, Dialects>>;

/** The places of a listing. */
const listingCells = ({ merchantId, entityId, types, methods, mode }: Listing): readonly Cell[] => [
  merchantId,
  entityId,
  types?.join() ?? null,
  methods?.join() ?? null,
  mode,
];

const rangesCell = (ranges: readonly TimeRange[]): string => JSON.stringify(ranges.map(({ from, before }) => ({ from, before })));

type Numbered = { readonly count: number | string };
type Begun = Numbered & { readonly begins: number | string };
const countedOf = ({ begins, count }: Begun): Counted => ({ begins: Number(begins), count: Number(count) });

/** Lists of payments, for the API and the back office. */
export function queryMethods(db: ReadDatabase): QueryStore {
  const listed = (found: readonly ListedRow[], isBrief = false) => (isBrief ? readBrief(db, found) : readListed(db, found));
  const counted = async (statement: Dialects, ...cells: readonly Cell[]): Promise<number> =>
    Number((await db.read<Numbered>(statement, ...cells))[0]?.count ?? 0);
  return queriesBy({
    days: async (listing, { from, before }) =>
      (await db.read<Begun>(queryStatements.daysOf, ...listingCells(listing), DAY_MS, from, before)).map(countedOf),
    hours: async (listing, ranges) =>
      (await db.read<Begun>(queryStatements.hoursOf, ...listingCells(listing), HOUR_MS, rangesCell(ranges))).map(countedOf),
    count: (listing, { from, before }) => counted(queryStatements.countOf, ...listingCells(listing), from, before),
    page: async (listing, ranges, { isBrief, ...part }) => {
      if (db.dialect === 'sqlite') return listed(await rangeByRange(db, listing, ranges, part), isBrief);
      const rows = await inAllRanges(db, listing, ranges, part);
      return (await listed(rows, isBrief)).sort((one, other) => newestFirst(other, one));
    },
    short: async (listing, { from, before }) =>
      listed(await db.read<ListedRow>(queryStatements.shortOf, ...listingCells(listing), from, before, listing.shortId)),
    named: async (listing, merchantTransactionId, { pageNo, limit, isBrief }) => {
      const cells = [...listingCells(listing), merchantTransactionId, listing.shortId];
      const count = await counted(queryStatements.namedCount, ...cells);
      const rows = await db.read<ListedRow>(queryStatements.named, ...cells, limit, (pageNo - 1) * limit);
      return { payments: await listed(rows, isBrief), count };
    },
    families: async (merchantId, familyIds, { isBrief = true, known } = {}) => {
      const found = await db.read<ListedRow>(queryStatements.families, merchantId, JSON.stringify(familyIds));
      return (await (isBrief ? readBrief(db, found, known) : readListed(db, found))).sort(oldestFirst);
    },
    listed: async (merchantId, id, withItems) => readForList(await wholePayment(db)(merchantId, id), withItems),
  });
}

type PagePart = { readonly skip: number; readonly limit: number };

async function rangeByRange(
  db: ReadDatabase,
  listing: Listing,
  ranges: readonly TimeRange[],
  { skip, limit }: PagePart,
): Promise<readonly ListedRow[]> {
  const found: ListedRow[] = [];
  for (const [at, { from, before }] of ranges.entries()) {
    if (found.length >= limit) break;
    const cells = [...listingCells(listing), from, before, limit - found.length, at === 0 ? skip : 0];
    found.push(...(await db.read<ListedRow>(queryStatements.pageOf, ...cells)));
  }
  return found;
}

/**
 * More rows than this are fetched by several connections. Each row is on a page of its own, which may not be in memory: the server reads
 * several of them at the same time.
 */
const SLICE = 25;

async function inAllRanges(
  db: ReadDatabase,
  listing: Listing,
  ranges: readonly TimeRange[],
  { skip, limit }: PagePart,
): Promise<readonly ListedRow[]> {
  const cells = [...listingCells(listing), rangesCell(ranges), limit, skip];
  if (limit <= SLICE) return db.read<ListedRow>(queryStatements.pageOf, ...cells);
  const ids = (await db.read<Pick<Payment, 'id'>>(queryStatements.placesOf, ...cells)).map(({ id }) => id);
  const slices = inSlices(ids, SLICE).map((slice) =>
    db.read<ListedRow>(queryStatements.placed, listing.merchantId, JSON.stringify(slice)),
  );
  return (await Promise.all(slices)).flat();
}

/** A long list as several of about the same length, up to four of them: each is read by a connection of its own. */
export function inSlices<Item>(items: readonly Item[], least: number, most = 4): readonly (readonly Item[])[] {
  const size = Math.max(least, Math.ceil(items.length / most));
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/**
 * How a page in the middle of millions is found without walking to it: payments are counted by hour and by day as they are written, so
 * the hour in which a page begins is found by adding up days, then hours, and only within that hour rows are passed over, in the index.
 */

/** A time with so many payments of a list in it. */
type Counted = { readonly begins: number; readonly count: number };

/** The questions to the database on the way. */
interface QueryReader extends Pick<QueryStore, 'named' | 'families' | 'listed'> {
  /** Days in the range, which begins and ends with one; only those with payments. */
  days(listing: Listing, range: TimeRange): Promise<readonly Counted[]>;
  /** The hours of these ranges, which begin and end with one; only those with payments. */
  hours(listing: Listing, ranges: readonly TimeRange[]): Promise<readonly Counted[]>;
  /** Counted one by one along the index. */
  count(listing: Listing, range: TimeRange): Promise<number>;
  /** The payments of the ranges one after the other, as many of them passed over as `skip` says. */
  page(listing: Listing, ranges: readonly TimeRange[], part: Part): Promise<Payment[]>;
  /** The payments with the listing's short id, along the index. */
  short(listing: Listing, range: TimeRange): Promise<Payment[]>;
}

type Part = Pick<QueryPageRequest, 'limit' | 'isBrief'> & { readonly skip: number };

/** A time with its count. Hours of a day that was counted can be asked for. */
type Piece = TimeRange & { readonly count: number; readonly isDay: boolean };

const below = (instant: number, span: number): number => Math.floor(instant / span) * span;
const above = (instant: number, span: number): number => Math.ceil(instant / span) * span;
const rangeOf = (from: number, before: number): TimeRange => ({ from, before });

const pieceOf = ({ begins, count }: Counted, span: number): Piece => ({
  ...rangeOf(begins, begins + span),
  count,
  isDay: span === DAY_MS,
});

/** The methods of a store that can be read so. */
const queriesBy = (reader: QueryReader): QueryStore => ({
  named: reader.named,
  families: reader.families,
  listed: reader.listed,
  within: (listing, query, page) =>
    listing.shortId === null
      ? pageWithin(reader, listing, { ...query, ...page })
      : shortWithin(reader, listing, { ...query, ...page }),
});

async function pageWithin(reader: QueryReader, listing: Listing, query: TimeRange & QueryPageRequest): Promise<PageFound> {
  const { isBrief = false } = query;
  const pieces = await piecesOf(reader, listing, query);
  const count = pieces.reduce((total, piece) => total + piece.count, 0);
  const skip = (query.pageNo - 1) * query.limit;
  if (skip >= count) return { payments: [], count };
  const limit = Math.min(query.limit, count - skip);
  const wide = cut(pieces, { skip, limit });
  const days = wide.pieces.filter(({ isDay }) => isDay);
  if (days.length === 0) return { payments: await pageOf(reader, listing, { ...wide, limit, isBrief }), count };
  const hours = (await reader.hours(listing, joined(days))).map((hour) => pieceOf(hour, HOUR_MS));
  const fine = inOrder([...wide.pieces.filter(({ isDay }) => !isDay), ...hours]);
  return { payments: await pageOf(reader, listing, { ...cut(fine, { skip: wide.skip, limit }), limit, isBrief }), count };
}

const inOrder = (pieces: readonly Piece[]): Piece[] => pieces.toSorted((one, other) => one.from - other.from);

type Cut = { readonly pieces: readonly Piece[]; readonly skip: number };

/** The pieces in which the page lies, and how many payments are passed over in the first. */
function cut(pieces: readonly Piece[], { skip, limit }: Part): Cut {
  let [left, first] = [skip, 0];
  for (const { count } of pieces) {
    if (left < count) break;
    left -= count;
    first += 1;
  }
  let [last, found] = [first, -left];
  while (last < pieces.length && found < limit) {
    found += pieces[last]?.count ?? 0;
    last += 1;
  }
  return { pieces: pieces.slice(first, last), skip: left };
}

const pageOf = (reader: QueryReader, listing: Listing, { pieces, ...part }: Cut & Part) =>
  reader.page(listing, joined(pieces), part);

/** Joins neighbours without a gap into one range. */
function joined(pieces: readonly TimeRange[]): TimeRange[] {
  const whole: TimeRange[] = [];
  for (const { from, before } of pieces) {
    const last = whole.at(-1);
    if (last?.before === from) whole[whole.length - 1] = rangeOf(last.from, before);
    else whole.push(rangeOf(from, before));
  }
  return whole;
}

/** The range as the rest of an hour, hours, days, hours and the beginning of an hour, each with its count. */
async function piecesOf(reader: QueryReader, listing: Listing, { from, before }: TimeRange): Promise<readonly Piece[]> {
  const [hour, lastHour] = [above(from, HOUR_MS), below(before, HOUR_MS)];
  if (hour >= lastHour) return alone(reader, listing, rangeOf(from, before));
  const [day, lastDay] = [above(hour, DAY_MS), below(lastHour, DAY_MS)];
  const hasDays = day < lastDay;
  const edges = hasDays ? [rangeOf(hour, day), rangeOf(lastDay, lastHour)] : [rangeOf(hour, lastHour)];
  const wholeEdges = edges.filter((edge) => edge.from < edge.before);
  const [first, days, hours, last] = await Promise.all([
    alone(reader, listing, rangeOf(from, hour)),
    hasDays ? reader.days(listing, rangeOf(day, lastDay)) : [],
    wholeEdges.length === 0 ? [] : reader.hours(listing, wholeEdges),
    alone(reader, listing, rangeOf(lastHour, before)),
  ]);
  const middle = [...days.map((one) => pieceOf(one, DAY_MS)), ...hours.map((one) => pieceOf(one, HOUR_MS))];
  return [...first, ...inOrder(middle), ...last];
}

/** Less than an hour, or a piece of two. */
async function alone(reader: QueryReader, listing: Listing, { from, before }: TimeRange): Promise<readonly Piece[]> {
  if (from >= before) return [];
  const count = await reader.count(listing, rangeOf(from, before));
  return count === 0 ? [] : [{ from, before, count, isDay: false }];
}

/** So many payments are looked at before others may work. */
const LOOKED_AT_ONCE = 50_000;

/** A short id has no order: all payments of the time are looked at, in the index and in portions. */
async function shortWithin(reader: QueryReader, listing: Listing, query: TimeRange & QueryPageRequest): Promise<PageFound> {
  const everything: Listing = { ...listing, entityId: null, types: null, methods: null, mode: null, shortId: null };
  const pieces = await piecesOf(reader, everything, query);
  const found: Payment[] = [];
  for (let at = 0; at < pieces.length; ) {
    const portion: Piece[] = [];
    for (let looked = 0; at < pieces.length && looked < LOOKED_AT_ONCE; at += 1) {
      portion.push(pieces[at] as Piece);
      looked += pieces[at]?.count ?? 0;
    }
    for (const part of joined(portion)) found.push(...(await reader.short(listing, part)));
    await ticks.next();
  }
  const { pageNo, limit } = query;
  return { payments: found.slice((pageNo - 1) * limit, pageNo * limit), count: found.length };
}
