import type { Payment } from '../../payments/payment.ts';
import type { Listing, PageFound, QueryPageRequest, QueryStore, TimeRange } from '../../payments/search/listing.ts';
import { ticks } from '../../runtime/ticks.ts';
import { DAY_MS, HOUR_MS } from '../../spec/time.ts';

/**
 * How a page in the middle of millions is found without walking to it: payments are counted by hour and by day as they are written, so
 * the hour in which a page begins is found by adding up days, then hours, and only within that hour rows are passed over, in the index.
 */

/** A time with so many payments of a list in it. */
export type Counted = { readonly begins: number; readonly count: number };

/** What a database is asked on the way. */
export interface QueryReader extends Pick<QueryStore, 'named' | 'families' | 'listed'> {
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

export type Part = Pick<QueryPageRequest, 'limit' | 'isBrief'> & { readonly skip: number };

/** A time with its count. What is counted by the day can be asked for by the hour. */
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
export const queriesBy = (reader: QueryReader): QueryStore => ({
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

/** What follows each other without a gap is one range. */
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
