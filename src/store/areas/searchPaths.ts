import type { Payment } from '../../payments/payment.ts';
import {
  type Needle,
  newestFirst,
  type SearchCursor,
  type SearchFound,
  type SearchQuery,
  type SearchStore,
} from '../../payments/search/search.ts';
import { filterColumns, type Ordered, type Ranged, rankedFilters, type SearchRead } from './searchStatements.ts';

/**
 * A search follows several indexes side by side: one path for every merchant and for everything that the text can mean. Each path
 * returns the newest payments that it finds and how far it has read. The result is what lies before the point that all have reached.
 */

export type Cells = Readonly<Record<string, string | number | null>>;
export type FoundKey = SearchCursor & { readonly merchantId: string };

/** Found payments as the place of the statement that fetches them. */
export const keysCell = (keys: readonly FoundKey[]): string => JSON.stringify(keys.map(({ merchantId, id }) => [merchantId, id]));

/** The reads of a search. */
export interface SearchReader {
  /** The rows of a statement for each of the merchants; of a bare one at least the newest of all of them, up to the limit. */
  keys(name: SearchRead, merchantIds: readonly string[], cells: Cells): Promise<readonly FoundKey[]>;
  rows(keys: readonly FoundKey[]): Promise<readonly Payment[]>;
  /** The payments of one merchant along an index, as far as the limit, in one statement; null: keys are read first. */
  readonly page: ((along: Ordered, merchantId: string, cells: Cells) => Promise<SearchFound>) | null;
  any(merchantIds: readonly string[], id: string): Promise<Payment | null>;
  /** The cost of reading the row of a payment, in entries of an index: rows of one merchant stand on a page each. */
  readonly rowCost: number;
  /** The cost of reading the JSON in that row too. */
  readonly insideCost: number;
  /** Whether all merchants can be read in the order of time. */
  readonly hasHistory: boolean;
}

/** The course of one path: an index in the order of time, or a range of another index that has few payments in it. */
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
  const whole = Math.max(limit + 1, Math.ceil(query.effort / paths.length));
  const effort = Math.max(limit + 1, Math.ceil(whole / merchantIds.length));
  const cells: Cells = { ...cellsOf(query), effort, whole, limit: limit + 1 };
  const [merchantId = '', ...others] = merchantIds;
  const [path, ...morePaths] = paths;
  if (reader.page !== null && others.length + morePaths.length === 0 && path?.is === 'along') {
    const asked = { ...cells, ...path.more, value: path.value };
    if (isBare(asked)) return reader.page(path.along, merchantId, asked);
  }
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
  const { code, state } = query;
  const selective = rankedFilters.find((name) => query[name] !== null);
  // The payments along the index of a filter fit that filter: they are not compared with it.
  if (selective) return [{ is: 'along', along: selective, value: cellOf(query[selective]), more: { [selective]: null } }];
  // Approved payments have few codes, and are found along the index of all.
  if (code !== null && state !== 'open' && !code.startsWith('000.')) {
    const more = { code: null, ...(state === 'declined' && { state: null }) };
    return [{ is: 'along', along: 'declined', value: code, more }];
  }
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
  return readWithin(reader, merchantIds, path, cells);
}

/** Few payments begin with a text, or so many that some are sure to be among the newest. */
async function readWithin(
  reader: SearchReader,
  merchantIds: readonly string[],
  { within, low, high }: Extract<SearchPath, { is: 'within' }>,
  cells: Cells,
): Promise<PathResult> {
  const query = { ...cells, low, high };
  const manyOf = async (ids: readonly string[]): Promise<ReadonlySet<string>> =>
    new Set(ids.length === 0 ? [] : (await reader.keys(`${within}Many`, ids, query)).map((key) => key.merchantId));
  const few = within === 'reference' && isBare(cells) ? 'referenceBare' : (`${within}Fitting` as const);
  const fewOf = (ids: readonly string[]) => (ids.length === 0 ? [] : reader.keys(few, ids, query));
  // Where nothing else is asked, a merchant without a payment has not many either: most merchants are asked once.
  const first = merchantIds.length > MERCHANTS_APART && isUnbounded(cells) ? await fewOf(merchantIds) : null;
  const many = await manyOf(first === null ? merchantIds : [...countsOf(first).keys()]);
  const isFew = (id: string) => !many.has(id);
  const found = first === null ? await fewOf(merchantIds.filter(isFew)) : first.filter((key) => isFew(key.merchantId));
  const horizons = fullOnes(found, Number(cells.limit));
  if (many.size === 0) return { found, horizons };
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
  if (along === 'all') {
    const seen = await readHistory(reader, merchantIds, { fitting: 'historyFitting', cells: query });
    if (seen !== null) return seen;
  }
  if (isBare(cells)) {
    const limit = Number(cells.limit);
    const found = (await reader.keys(`${along}Bare`, merchantIds, query)).toSorted(newestFirst).slice(0, limit);
    return { found, horizons: found.length === limit ? found.slice(-1) : [] };
  }
  const isPriced = along === 'last4' && hasOnlyPrice(cells);
  const isHeld = isPriced || (along === 'all' && isInIndex(cells));
  return withStops(reader, merchantIds, {
    fitting: isPriced ? 'last4Priced' : `${along}Fitting`,
    stop: `${along}Stop`,
    cells: isHeld ? query : limited(query, reader.rowCost),
  });
}

/** Fewer payments are looked at where each costs more; never fewer than a page has. */
const limited = (cells: Cells, cost: number): Cells => ({
  ...cells,
  effort: Math.max(Number(cells.limit), Math.ceil(Number(cells.effort) / cost)),
});

async function readInside(reader: SearchReader, merchantIds: readonly string[], cells: Cells): Promise<PathResult> {
  const seen = await readHistory(reader, merchantIds, { fitting: 'historyAddressed', cells });
  if (seen !== null) return seen;
  const bounded = limited(cells, reader.insideCost);
  return withStops(reader, merchantIds, { fitting: 'addressed', stop: 'allStop', cells: bounded });
}

/** Up to so many merchants are asked one by one. */
const MERCHANTS_APART = 8;
/** Neighbours in time are neighbours on the disk: some of them share a page. */
const HISTORY_COST = 2;

/**
 * Many merchants, in the order of time, all together. Null: the newest payments fill no page, and some are of other merchants. Then each
 * merchant is asked.
 */
async function readHistory(
  reader: SearchReader,
  merchantIds: readonly string[],
  { fitting, cells }: Pick<Step, 'fitting' | 'cells'>,
): Promise<PathResult | null> {
  if (!reader.hasHistory || merchantIds.length <= MERCHANTS_APART) return null;
  const cost = fitting === 'historyAddressed' ? reader.insideCost : HISTORY_COST;
  const asked = { ...limited({ ...cells, effort: cells.whole ?? null }, cost), listed: merchantIds.join() };
  const found = await reader.keys(fitting, merchantIds, asked);
  if (found.length === Number(cells.limit)) return { found, horizons: found.slice(-1) };
  const stops = await reader.keys('historyStop', merchantIds, asked);
  return stops.length === 0 ? null : { found, horizons: stops };
}

type Step = { readonly fitting: SearchRead; readonly stop: SearchRead; readonly cells: Cells };

/** The matches, and how far the paths have read that found fewer than the limit. */
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

/** Conditions on columns that the index of all payments does not hold. */
const onRows = Object.entries(filterColumns).flatMap(([name, { isListed }]) => (isListed ? [] : [name]));
const isInIndex = (cells: Cells): boolean => onRows.every((name) => cells[name] === null);

/** Whether a payment is found by its index alone. */
const isBare = (cells: Cells): boolean => conditions.every((name) => cells[name] === null);

/** The index by card number holds amounts and currencies. */
const hasOnlyPrice = (cells: Cells): boolean => isBare({ ...cells, amount: null, currency: null });

/** Whether every payment fits, at any time. */
const isUnbounded = (cells: Cells): boolean =>
  isBare(cells) && cells.at === Number.MAX_SAFE_INTEGER && cells.from === Number.MIN_SAFE_INTEGER;

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
