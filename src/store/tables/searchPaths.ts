import type { Payment } from '../../payments/payment.ts';
import {
  type Needle,
  newestFirst,
  type SearchCursor,
  type SearchFound,
  type SearchQuery,
  type SearchStore,
} from '../../payments/search/search.ts';
import { filterColumns, type Ordered, type Ranged, type SearchRead } from './searchStatements.ts';

/**
 * A search follows several indexes side by side: one path for every merchant and for everything that the text can mean. Each path
 * returns the newest payments that it finds and how far it has read. The result is what lies before the point that all have reached.
 */

export type Cells = Readonly<Record<string, string | number | null>>;
export type FoundKey = SearchCursor & { readonly merchantId: string };

/** Found payments as the place of the statement that fetches them. */
export const keysCell = (keys: readonly FoundKey[]): string => JSON.stringify(keys.map(({ merchantId, id }) => [merchantId, id]));

/** What a search reads from a database. */
export interface SearchReader {
  /** The rows of a statement for each of the merchants; of a bare one at least the newest of all of them, up to the limit. */
  keys(name: SearchRead, merchantIds: readonly string[], cells: Cells): Promise<readonly FoundKey[]>;
  rows(keys: readonly FoundKey[]): Promise<readonly Payment[]>;
  any(merchantIds: readonly string[], id: string): Promise<Payment | null>;
}

/** What one path follows: an index in the order of time, or a range of another index that has few payments in it. */
type SearchPath =
  | { readonly is: 'along'; readonly along: Ordered; readonly value: string | number | null; readonly more: Cells }
  | { readonly is: 'within'; readonly within: Ranged; readonly low: string; readonly high: string }
  /** In no index: the payments themselves are read. */
  | { readonly is: 'addressed'; readonly range: Pick<Cells, 'low' | 'high'> };

type PathResult = { readonly found: readonly FoundKey[]; readonly horizons: readonly SearchCursor[] };

export const searchBy = (reader: SearchReader): SearchStore => ({
  search: (query) => search(reader, query),
  async anyPayment(merchantIds, id) {
    for (let from = 0; from < merchantIds.length; from += MERCHANTS_AT_ONCE) {
      const found = await reader.any(merchantIds.slice(from, from + MERCHANTS_AT_ONCE), id);
      if (found) return found;
    }
    return null;
  },
});

/** One statement looks for a payment with so many merchants: other requests are answered before the next one. */
const MERCHANTS_AT_ONCE = 2_000;

async function search(reader: SearchReader, query: SearchQuery): Promise<SearchFound> {
  const { merchantIds, limit } = query;
  const paths = pathsOf(query);
  if (merchantIds.length === 0 || paths.length === 0) return { payments: [], next: null };
  const effort = Math.max(limit + 1, Math.ceil(query.effort / (paths.length * merchantIds.length)));
  const cells: Cells = { ...cellsOf(query), effort, limit: limit + 1 };
  const results = await Promise.all(paths.map((path) => readPath(reader, merchantIds, path, cells)));
  const [horizon] = results.flatMap(({ horizons }) => horizons).sort(newestFirst);
  const isPassed = (key: SearchCursor) => horizon === undefined || newestFirst(key, horizon) <= 0 || key.id === horizon.id;
  const unique = new Map(
    results
      .flatMap(({ found }) => found)
      .filter(isPassed)
      .map((key) => [`${key.merchantId} ${key.id}`, key]),
  );
  const found = [...unique.values()].sort(newestFirst);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const next = found.length > limit && last ? { createdAt: last.createdAt, id: last.id } : (horizon ?? null);
  return { payments: await fetched(reader, page), next: next && { createdAt: next.createdAt, id: next.id } };
}

/** Without a text the most selective filter chooses the index. */
function pathsOf(query: SearchQuery): readonly SearchPath[] {
  if (query.needles !== null) return query.needles.flatMap((needle) => pathsFor(needle, query));
  const { email, customer, last4, amount, code, state } = query;
  if (customer !== null) return [{ is: 'along', along: 'customer', value: customer, more: {} }];
  if (email !== null) return [{ is: 'along', along: 'email', value: email, more: {} }];
  if (last4 !== null) return [{ is: 'along', along: 'last4', value: last4, more: {} }];
  if (amount !== null) return [{ is: 'along', along: 'amount', value: Number(amount), more: {} }];
  // Approved payments have few codes, and are found along the index of all.
  if (code !== null && state !== 'open' && !code.startsWith('000.'))
    return [{ is: 'along', along: 'declined', value: code, more: {} }];
  return [{ is: 'along', along: 'all', value: null, more: {} }];
}

function pathsFor(needle: Needle, { currency }: SearchQuery): readonly SearchPath[] {
  switch (needle.is) {
    case 'id':
    case 'shortId':
    case 'reference':
      return [{ is: 'within', within: needle.is, low: needle.prefix, high: behind(needle.prefix) }];
    case 'last4':
      return [{ is: 'along', along: 'last4', value: needle.last4, more: {} }];
    case 'email':
      return [{ is: 'along', along: 'email', value: needle.hash, more: {} }];
    case 'emailPrefix':
      return [{ is: 'addressed', range: { low: needle.prefix, high: behind(needle.prefix) } }];
    case 'amount': {
      if (needle.currency !== null && currency !== null && needle.currency !== currency) return [];
      const more: Cells = needle.currency === null ? {} : { currency: needle.currency };
      return [{ is: 'along', along: 'amount', value: Number(needle.amount), more }];
    }
  }
}

/** The first text behind all that begin with this one, which is ASCII. */
const behind = (prefix: string): string => prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);

async function readPath(
  reader: SearchReader,
  merchantIds: readonly string[],
  path: SearchPath,
  cells: Cells,
): Promise<PathResult> {
  if (path.is === 'along') return readAlong(reader, merchantIds, { ...path, cells: { ...cells, ...path.more } });
  if (path.is === 'addressed') return readInside(reader, merchantIds, { ...cells, ...path.range });
  const { within, low, high } = path;
  const many = new Set((await reader.keys(`${within}Many`, merchantIds, { ...cells, low, high })).map((key) => key.merchantId));
  const few = merchantIds.filter((id) => !many.has(id));
  const found = few.length === 0 ? [] : await reader.keys(`${within}Fitting`, few, { ...cells, low, high });
  const horizons = fullOnes(found, Number(cells.limit));
  if (many.size === 0) return { found, horizons };
  // So many begin with it that some are sure to be among the newest.
  const ranged = { ...cells, [`${within}Low`]: low, [`${within}High`]: high };
  const rest = await readAlong(reader, [...many], { along: 'all', value: null, cells: ranged });
  return { found: [...found, ...rest.found], horizons: [...horizons, ...rest.horizons] };
}

type Along = { readonly along: Ordered; readonly value: string | number | null; readonly cells: Cells };

async function readAlong(
  reader: SearchReader,
  merchantIds: readonly string[],
  { along, value, cells }: Along,
): Promise<PathResult> {
  const query = { ...cells, value };
  if (isBare(cells)) {
    const limit = Number(cells.limit);
    const found = (await reader.keys(`${along}Bare`, merchantIds, query)).toSorted(newestFirst).slice(0, limit);
    return { found, horizons: found.length === limit ? found.slice(-1) : [] };
  }
  return withStops(reader, merchantIds, { fitting: `${along}Fitting`, stop: `${along}Stop`, cells: query });
}

/** Reading inside a payment costs more, so that fewer are read. */
const INSIDE = 4;

function readInside(reader: SearchReader, merchantIds: readonly string[], cells: Cells): Promise<PathResult> {
  const effort = Math.max(Number(cells.limit), Math.ceil(Number(cells.effort) / INSIDE));
  return withStops(reader, merchantIds, { fitting: 'addressed', stop: 'allStop', cells: { ...cells, effort } });
}

type Step = { readonly fitting: SearchRead; readonly stop: SearchRead; readonly cells: Cells };

/** What fits, and how far the paths have read that found fewer than the limit. */
async function withStops(
  reader: SearchReader,
  merchantIds: readonly string[],
  { fitting, stop, cells }: Step,
): Promise<PathResult> {
  const found = await reader.keys(fitting, merchantIds, cells);
  const counts = countsOf(found);
  const short = merchantIds.filter((id) => (counts.get(id) ?? 0) < Number(cells.limit));
  const stops = short.length === 0 ? [] : await reader.keys(stop, short, cells);
  return { found, horizons: [...fullOnes(found, Number(cells.limit)), ...stops] };
}

const conditions = ['entity', ...Object.keys(filterColumns), 'idLow', 'shortIdLow', 'referenceLow'];

/** Whether a payment is found by its index alone. */
const isBare = (cells: Cells): boolean => conditions.every((name) => cells[name] === null);

function countsOf(found: readonly FoundKey[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { merchantId } of found) counts.set(merchantId, (counts.get(merchantId) ?? 0) + 1);
  return counts;
}

/** The last payment of each path that found as many as the limit. */
function fullOnes(found: readonly FoundKey[], limit: number): readonly SearchCursor[] {
  const counts = countsOf(found);
  const last = new Map<string, FoundKey>();
  for (const key of found) {
    const known = last.get(key.merchantId);
    if (!known || newestFirst(key, known) > 0) last.set(key.merchantId, key);
  }
  return [...last.values()].filter(({ merchantId }) => counts.get(merchantId) === limit);
}

const fetched = async (reader: SearchReader, keys: readonly FoundKey[]): Promise<readonly Payment[]> =>
  keys.length === 0 ? [] : (await reader.rows(keys)).toSorted(newestFirst);

const filterCells = (query: SearchQuery): Cells =>
  Object.fromEntries(filterColumnNames.map((name) => [name, cellOf(query[name])]));

const cellOf = (value: string | bigint | readonly string[] | null): string | number | null => {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' || value === null ? value : value.join();
};

const filterColumnNames = Object.keys(filterColumns) as readonly (keyof typeof filterColumns)[];

function cellsOf(query: SearchQuery): Cells {
  const { after, to, from } = query;
  const start = to ?? Number.MAX_SAFE_INTEGER;
  const isBehind = after !== null && after.createdAt < start;
  return {
    at: isBehind ? after.createdAt : start,
    after: isBehind ? after.id : '',
    from: from ?? Number.MIN_SAFE_INTEGER,
    entity: query.entityId,
    ...filterCells(query),
    idLow: null,
    idHigh: null,
    shortIdLow: null,
    shortIdHigh: null,
    referenceLow: null,
    referenceHigh: null,
  };
}
