import type { SearchFilterName } from '../../spec/areas/payments.ts';
import { DAY_MS } from '../../spec/time.ts';
import type { Dialects } from '../database.ts';
import type { Dialect } from '../migrate.ts';
import { listable, readable } from './payments.ts';

/**
 * The inverted index search_word, which SQLite has in the place of indexes that only searches need. It is contentless: a word leads to
 * numbers of entries, and an entry to the payments of a merchant at an instant whose row numbers end like it. A statement compares the
 * column of each payment that it finds, because several payments may share an entry.
 *
 * The entries of one instant stand in another order than ids: a statement reads the entries of an instant all or none, and sorts them by
 * the payments. It reads the entries at the instant of the cursor, and as many before that as it is asked for.
 */

/**
 * The columns of a payment that have words, the letters of their kinds (migration 26), and the value that is sought; null: all that begin
 * with one. Numbers arrive as floating-point ones.
 */
const words = {
  last4: { column: 'last4', letter: 'l', sought: '@value' },
  email: { column: 'email_hash', letter: 'm', sought: '@value' },
  amount: { column: 'amount', letter: 'p', sought: 'CAST(@value AS INTEGER)' },
  shortId: { column: 'short_id', letter: 's', sought: null },
} as const;

type SearchKey = keyof typeof words;
const searchKeys = Object.keys(words) as readonly SearchKey[];
const isKey = (name: string): name is SearchKey => Object.hasOwn(words, name);

function wordFor(key: SearchKey): string {
  const { letter, sought } = words[key];
  return `hex(@merchant) || '${letter}' || hex(${sought ?? '@low'})${sought === null ? " || '*'" : ''}`;
}

/** The condition on the payment itself. */
function fitsKey(key: SearchKey): string {
  const { column, sought } = words[key];
  return sought === null ? `${column} >= @low AND ${column} < @high` : `${column} = @value`;
}

/** Below an instant in the number of an entry: the last bits of a row number. */
const BITS = 10;
const LOW = 2 ** BITS - 1;
const first = (instant: string): string => `(CAST(${instant} AS INTEGER) << ${BITS})`;
const last = (instant: string): string => `(${first(instant)} | ${LOW})`;

const matching = (key: SearchKey): string => `FROM search_word WHERE search_word MATCH ${wordFor(key)}`;
/** A cursor without an id stands before all payments of its instant. */
const UP_TO = `rowid <= CASE WHEN @after = '' THEN ${first('@at')} - 1 ELSE ${last('@at')} END`;

/** The instant of a so manieth entry before the instant of the cursor. */
const instantAt = (key: SearchKey, count: string): string => `
      SELECT rowid >> ${BITS} AS instant ${matching(key)} AND rowid < ${first('@at')} AND rowid >= ${first('@from')}
      ORDER BY rowid DESC LIMIT 1 OFFSET ${count} - 1`;

/** The payments of the entries named `entry`. */
const PAYMENTS = `payment
    WHERE merchant_id = @merchant AND created_at IN (SELECT place >> ${BITS} FROM entry)
      AND ((created_at << ${BITS}) | (rowid & ${LOW})) IN (SELECT place FROM entry)`;
/** A plus sign before the instant keeps other indexes out of a plan. */
const before = (instant: string): string => `(${instant}, id) < (@at, @after) AND ${instant} >= @from`;
const BEFORE = before('+created_at');
const NEWEST_OF_WORDS = 'ORDER BY created_at DESC, id DESC LIMIT @limit';
const WORD_KEY = 'merchant_id, created_at, id';

/** The newest payments with a word that fit, of the newest `count` entries and those at their instants. */
const newestWith = (key: SearchKey, { count, condition }: { readonly count: string; readonly condition: string }): string => `
    WITH entry (place) AS MATERIALIZED (
      SELECT rowid ${matching(key)} AND ${UP_TO}
        AND rowid >= COALESCE((SELECT instant << ${BITS} FROM (${instantAt(key, count)}) AS least), ${first('@from')})
    )
    SELECT ${WORD_KEY} FROM ${PAYMENTS} AND ${fitsKey(key)} AND ${BEFORE} AND ${condition} ${NEWEST_OF_WORDS}`;

/** The last payment of those that `newestWith` looks at, if there may be more. */
const lastWith = (key: SearchKey, count: string): string => `
    WITH entry (place) AS MATERIALIZED (
      SELECT s.rowid FROM (${instantAt(key, count)}) AS least CROSS JOIN search_word s
      WHERE s.search_word MATCH ${wordFor(key)} AND s.rowid >= least.instant << ${BITS} AND s.rowid <= (least.instant << ${BITS}) | ${LOW}
    )
    SELECT ${WORD_KEY} FROM ${PAYMENTS} AND ${fitsKey(key)} ORDER BY created_at, id LIMIT 1`;

/** A row, if more than `@effort` entries have a word of the range. The index reads all of them: a range is narrow. */
const manyWith = (key: SearchKey): string =>
  `SELECT @merchant AS merchant_id, 0 AS created_at, '' AS id ${matching(key)} LIMIT 1 OFFSET @effort`;

/** The newest payments with a word of the range that fit, of at most `@effort` entries. */
const fewWith = (key: SearchKey, condition: string): string => `
    WITH entry (place) AS MATERIALIZED (SELECT rowid ${matching(key)} LIMIT @effort)
    SELECT ${WORD_KEY} FROM ${PAYMENTS} AND ${fitsKey(key)} AND ${BEFORE} AND ${condition} ${NEWEST_OF_WORDS}`;

/** For the payments whose words are not written yet: few, at the end of the table. */
const behindWith = (key: SearchKey, condition: string): string => `
    SELECT ${WORD_KEY} FROM payment NOT INDEXED
    WHERE rowid > (SELECT last FROM search_word_cursor WHERE id = 1) AND merchant_id = @merchant AND ${fitsKey(key)}
      AND ${before('created_at')} AND ${condition} ${NEWEST_OF_WORDS}`;

/**
 * The statements of a search. Each goes along one index, the newest payment first, looks at a bounded number of payments, and passes on
 * those that fit. Places have names here: `placed` numbers them.
 */

type FilterColumn = {
  readonly column: string;
  readonly holds: 'text' | 'number' | 'one of a list';
  /** The index of lists (`payment_filtered`) holds the column, so that no row is read to compare it. */
  readonly isListed: boolean;
  /** Of a filter with an index of its own: a search goes along the index of the filter with the lowest rank. */
  readonly rank?: number;
};

/** The column of each filter. `from` and `to` are the bounds of every statement. */
export const filterColumns = {
  state: { column: 'state', holds: 'text', isListed: true },
  types: { column: 'payment_type', holds: 'one of a list', isListed: true },
  brand: { column: 'brand', holds: 'text', isListed: true },
  code: { column: 'code', holds: 'text', isListed: true },
  currency: { column: 'currency', holds: 'text', isListed: true },
  amount: { column: 'amount', holds: 'number', isListed: true, rank: 4 },
  last4: { column: 'last4', holds: 'text', isListed: true, rank: 3 },
  email: { column: 'email_hash', holds: 'text', isListed: false, rank: 2 },
  customer: { column: 'customer_id', holds: 'text', isListed: false, rank: 1 },
} as const satisfies Readonly<Record<Exclude<SearchFilterName, 'from' | 'to'>, FilterColumn>>;

type FilterColumns = typeof filterColumns;
type Ranked = {
  [Name in keyof FilterColumns]: FilterColumns[Name] extends { readonly rank: number } ? Name : never;
}[keyof FilterColumns];

/** The filters with an index of their own, the most selective first. */
export const rankedFilters = Object.entries<FilterColumn>(filterColumns)
  .flatMap(([name, { rank }]) => (rank === undefined ? [] : [{ name: name as Ranked, rank }]))
  .toSorted((one, other) => one.rank - other.rank)
  .map(({ name }) => name);

/** Along which index a search goes: that of a filter, of the declined payments with a code, or of lists. */
export type Ordered = 'all' | Ranked | 'declined';
const ordered: readonly (readonly [Ordered, condition: string])[] = [
  ['all', ''],
  ...rankedFilters.map((name) => [name, `AND ${filterColumns[name].column} = @value`] as const),
  ['declined', "AND state = 'declined' AND code = @value"],
];

/** Indexes with another order: their matches are few, or are searched among all. */
const ranged = {
  id: 'id',
  shortId: 'short_id',
  reference: 'merchant_transaction_id',
} as const;

export type Ranged = keyof typeof ranged;

type Words = {
  /** A parameter of a type that the database cannot infer. */
  readonly text: (place: string) => string;
  readonly number: (place: string) => string;
  readonly stands: (code: string, list: string) => string;
  /** Once for every merchant of a JSON list, where the database can; otherwise for the one merchant `@merchant`. */
  readonly each: (query: (merchant: string) => string) => string;
  readonly isOneOf: (column: string, place: string) => string;
  /** Merchant and id are one of the pairs in a JSON list. */
  readonly isPair: (place: string) => string;
  /** The newest matches of all merchants together, where one statement asks about all of them. */
  readonly newest: (query: string) => string;
  /** The address in the rest of a payment, in lower case. */
  readonly address: string;
  /** SQLite keeps the order of a subquery, and would sort again for an ORDER BY. */
  readonly again: string;
  /** Whether some paths go along the index search_word. */
  readonly hasWords: boolean;
  /** Whose payments say from which quarter to which a search goes, as a condition; null: no index begins with a quarter. */
  readonly bounds: ((merchant: string) => string) | null;
  /** The merchant is one of a list with commas; null: the statements along the history of all merchants are not there. */
  readonly isListed: ((place: string) => string) | null;
};

const NEWEST = 'ORDER BY created_at DESC, id DESC';

const sqliteWords: Words = {
  text: (place) => place,
  number: (place) => place,
  stands: (code, list) => `instr(${list}, ${code}) > 0`,
  each: (query) => query('@merchant'),
  isOneOf: (column, place) => `${column} IN (SELECT value FROM json_each(${place}))`,
  isPair: (place) =>
    `(merchant_id, id) IN (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(${place}))`,
  newest: (query) => query,
  address: `lower(json_extract(data, '$.fields."customer.email"'))`,
  again: '',
  hasWords: true,
  bounds: null,
  isListed: null,
};

const postgresWords: Words = {
  text: (place) => `${place}::text`,
  number: (place) => `${place}::bigint`,
  stands: (code, list) => `strpos(${list}::text, ${code}) > 0`,
  each: (query) => `
    SELECT found.* FROM json_array_elements_text(@merchants::text::json) AS m (id) CROSS JOIN LATERAL (${query('m.id')}) AS found`,
  isOneOf: (column, place) => `${column} IN (SELECT json_array_elements_text(${place}::text::json))`,
  isPair: (place) =>
    `(merchant_id, id) IN (SELECT pair ->> 0, pair ->> 1 FROM json_array_elements(${place}::text::json) AS one (pair))`,
  newest: (query) => `SELECT * FROM (${query}) AS of_all ${NEWEST} LIMIT @limit`,
  address: `lower(data::json -> 'fields' ->> 'customer.email') COLLATE "C"`,
  again: NEWEST,
  hasWords: false,
  // All merchants together, so that they are read once.
  bounds: () => 'true',
  // Known when the statement is planned, so that a row is compared with all of them together.
  isListed: (place) => `merchant_id = ANY (string_to_array(${place}::text, ','))`,
};

/** Of one merchant. As a value it is known to the planner, which otherwise expects as many payments as merchants have on average. */
const postgresWordsOfOne: Words = {
  ...postgresWords,
  each: sqliteWords.each,
  newest: sqliteWords.newest,
  bounds: (merchant) => `merchant_id = ${merchant}`,
};

type ComparedColumn = Pick<FilterColumn, 'column' | 'holds'>;
const compared: readonly (readonly [name: string, ComparedColumn])[] = [
  ['entity', { column: 'entity_id', holds: 'text' }],
  ...Object.entries<FilterColumn>(filterColumns),
];
const rangedColumns = ['short_id', 'merchant_transaction_id'] as const;
const judged = [...compared.map(([, { column }]) => column), ...rangedColumns].join(', ');
/**
 * A column that the index of lists does not hold. A statement along another index asks for it, so that no plan goes through all entries of
 * a merchant in the index of lists instead, which has the columns of most filters.
 */
const UNLISTED = 'version';

function fitsFilter({ text, number, stands }: Words, name: string, { column, holds }: ComparedColumn): string {
  const place = `@${name}`;
  if (holds === 'one of a list') return `(${text(place)} IS NULL OR ${stands(column, place)})`;
  const typed = holds === 'number' ? number(place) : text(place);
  return `(${typed} IS NULL OR ${column} = ${typed})`;
}

const fits = (words: Words): string =>
  [
    ...compared.map(([name, column]) => fitsFilter(words, name, column)),
    ...Object.entries(ranged).map(
      ([name, column]) =>
        `(${words.text(`@${name}Low`)} IS NULL OR (${column} >= ${words.text(`@${name}Low`)} AND ${column} < ${words.text(`@${name}High`)}))`,
    ),
  ].join('\n      AND ');

const fitsPrice = (words: Words): string =>
  (['amount', 'currency'] as const).map((name) => fitsFilter(words, name, filterColumns[name])).join(' AND ');

const PLACE = '(created_at, id) < (@at, @after) AND created_at >= @from';

/** From where a path reads, and the condition that it follows. */
type PathSource = { readonly from: string; readonly range: string };

/**
 * Indexes that begin with the quarter of a payment, or nearly: 90 days. New entries stand together, whatever their values are, so that a
 * commit finds their pages in memory (decisions/0082). A search goes through the quarters, the newest first.
 */
const quartered: readonly string[] = [...rankedFilters, 'shortId'] satisfies readonly (Ordered | Ranged)[];
/** The migration that makes these indexes has the same number. */
export const QUARTER_MS = 90 * DAY_MS;
const QUARTER = `created_at / ${QUARTER_MS}`;
const isIn = (payment: string) => `AND ${payment}.${QUARTER} = q.quarter`;

const quarters = (bounds: string) => `generate_series(
      (SELECT MAX(created_at) FROM payment WHERE ${bounds} AND created_at <= @at) / ${QUARTER_MS},
      (SELECT MIN(created_at) FROM payment WHERE ${bounds} AND created_at >= @from) / ${QUARTER_MS}, -1) AS q (quarter)`;

const rangedStatements = (words: Words) =>
  Object.entries(ranged).flatMap(([name, column]) => {
    if (words.hasWords && isKey(name)) {
      return [
        [`${name}Many`, manyWith(name)],
        [`${name}Fitting`, fewWith(name, fits(words))],
      ];
    }
    const range = `${column} >= @low AND ${column} < @high`;
    const among = (merchant: string): PathSource => {
      if (words.bounds === null || !quartered.includes(name)) return { from: 'payment k', range: `AND ${range}` };
      // OFFSET 0 keeps the subquery whole: as a join it is planned the other way round.
      const inQuarter = `SELECT * FROM payment p WHERE p.merchant_id = ${merchant} ${isIn('p')} AND ${range} OFFSET 0`;
      return { from: `${quarters(words.bounds(merchant))} CROSS JOIN LATERAL (${inQuarter}) AS k`, range: '' };
    };
    const looked = (merchant: string, columns: string) => {
      const source = among(merchant);
      return `SELECT k.merchant_id, ${columns} FROM ${source.from} WHERE k.merchant_id = ${merchant} ${source.range}`;
    };
    const fewOf = (columns: string, condition: string) =>
      words.each(
        (merchant) => `
    SELECT merchant_id, created_at, id${columns === '' ? '' : `, ${UNLISTED}`} FROM (
      ${looked(merchant, `k.created_at, k.id${columns}`)} LIMIT @effort
    ) AS few
    WHERE ${PLACE} AND ${condition} ${NEWEST} LIMIT @limit`,
      );
    return [
      // Only the merchant is asked for, so that no row is read.
      [`${name}Many`, words.each((merchant) => `${looked(merchant, "0 AS created_at, '' AS id")} LIMIT 1 OFFSET @effort`)],
      [`${name}Fitting`, fewOf(`, ${judged}, ${UNLISTED}`, fits(words))],
      // The index covers the question: no row is read.
      ...(name === 'reference' ? [[`${name}Bare`, fewOf('', 'true')]] : []),
    ];
  });

/** Along the history of all merchants: the newest payments, of which those of the listed merchants are judged. */
function historyStatements(words: Words) {
  const { isListed } = words;
  if (isListed === null) return [];
  const looked = (columns: string) => `
      SELECT k.merchant_id, k.created_at, k.id${columns} FROM payment k
      WHERE (k.created_at, k.id) < (@at, @after) AND k.created_at >= @from ORDER BY k.created_at DESC, k.id DESC LIMIT @effort`;
  const own = isListed('@listed');
  const fitting = (columns: string, condition: string) => `
    SELECT merchant_id, created_at, id FROM (${looked(columns)}
    ) AS looked
    WHERE ${own} AND ${condition} ${NEWEST} LIMIT @limit`;
  return [
    ['historyFitting', fitting(`, ${judged}`, fits(words))],
    [
      'historyAddressed',
      fitting(
        `, ${judged}, CASE WHEN ${own} THEN ${words.address} END AS address`,
        `address >= @low AND address < @high AND ${fits(words)}`,
      ),
    ],
    // The last one, if all of so many are theirs: otherwise the answer would reveal the number of other merchants' payments.
    [
      'historyStop',
      `
    SELECT merchant_id, created_at, id FROM (
      SELECT *, COUNT(*) FILTER (WHERE ${own}) OVER () AS theirs FROM (${looked('')}
      ) AS looked
    ) AS counted
    WHERE theirs = @effort ORDER BY created_at, id LIMIT 1`,
    ],
  ];
}

const KEY = 'k.merchant_id, k.created_at, k.id';
/** The last payment that is looked at. */
const LAST = '1 OFFSET @effort - 1';
const newestOf = (merchant: string, { from, range }: PathSource, columns: string) => `
      SELECT ${columns} FROM ${from}
      WHERE k.merchant_id = ${merchant} ${range}
        AND (k.created_at, k.id) < (@at, @after) AND k.created_at >= @from ORDER BY k.created_at DESC, k.id DESC`;

/** Along an index in the order of time: the newest payments first. */
function orderedStatements(words: Words) {
  const { bounds } = words;
  const typed = (driver: string) => driver.replace('amount = @value', `amount = ${words.number('@value')}`);
  return ordered.flatMap(([name, driver]) => {
    if (words.hasWords && isKey(name)) return orderedWords(words, name);
    const isQuartered = bounds !== null && quartered.includes(name);
    const read = (merchant: string, columns: string, most: string) => {
      const range = isQuartered ? `${typed(driver)} ${isIn('k')}` : typed(driver);
      return `${newestOf(merchant, { from: 'payment k', range }, columns)} LIMIT ${most}`;
    };
    // So many of the newest: a quarter is looked at if the ones after it have fewer. The loop over them keeps their order; to sort what it
    // finds would be to look at all of them.
    const byQuarter = (merchant: string, query: string, most: string) =>
      isQuartered
        ? `SELECT in_quarter.* FROM ${quarters(bounds(merchant))} CROSS JOIN LATERAL (${query}) AS in_quarter LIMIT ${most}`
        : query;
    const lookedAt = (merchant: string, columns: string) =>
      byQuarter(merchant, read(merchant, `${KEY}${columns}`, '@effort'), '@effort');
    const fitting = (columns: string, condition: string, unlisted: string) =>
      words.each(
        (merchant) => `
    SELECT merchant_id, created_at, id${unlisted} FROM (
      ${lookedAt(merchant, columns)}
    ) AS looked
    WHERE ${condition} ${isQuartered ? '' : words.again} LIMIT @limit`,
      );
    const ofAll = words.newest(words.each((merchant) => read(merchant, KEY, '@limit')));
    return [
      [`${name}Bare`, byQuarter('@merchant', ofAll, '@limit')],
      // The rows themselves, so that they need not be looked for again by their ids.
      ...(bounds === null ? [] : [[`${name}Page`, byQuarter('@merchant', read('@merchant', listable, '@limit'), '@limit')]]),
      [`${name}Fitting`, fitting(`, ${judged}, ${UNLISTED}`, fits(words), name === 'all' ? '' : `, ${UNLISTED}`)],
      // The index has these columns: no row is read.
      ...(name === 'last4' ? [[`${name}Priced`, fitting(', amount, currency', fitsPrice(words), '')]] : []),
      [`${name}Stop`, words.each((merchant) => byQuarter(merchant, read(merchant, KEY, isQuartered ? '@effort' : LAST), LAST))],
    ];
  });
}

const orderedWords = (words: Words, key: SearchKey) => [
  [`${key}Bare`, newestWith(key, { count: '@limit', condition: 'true' })],
  [`${key}Fitting`, newestWith(key, { count: '@effort', condition: fits(words) })],
  ...(key === 'last4' ? [[`${key}Priced`, newestWith(key, { count: '@effort', condition: fitsPrice(words) })]] : []),
  [`${key}Stop`, lastWith(key, '@effort')],
];

function statements(words: Words) {
  return Object.fromEntries([
    ...orderedStatements(words),
    ...rangedStatements(words),
    ...historyStatements(words),
    ...(words.hasWords ? searchKeys.map((key) => [`${key}Behind`, behindWith(key, fits(words))]) : []),
    [
      'addressed',
      words.each(
        (merchant) => `
    SELECT merchant_id, created_at, id FROM (${newestOf(merchant, { from: 'payment k', range: '' }, `${KEY}, ${judged}, ${words.address} AS address`)} LIMIT @effort
    ) AS looked
    WHERE address >= @low AND address < @high AND ${fits(words)} ${words.again} LIMIT @limit`,
      ),
    ],
    ['fetch', `SELECT ${listable} FROM payment WHERE ${words.isPair('@keys')}`],
    ['any', `SELECT ${readable} FROM payment WHERE ${words.isOneOf('merchant_id', '@merchants')} AND id = @id`],
  ]) as Readonly<Record<SearchRead, string>>;
}

export type SearchRead =
  | `${Ordered}${'Bare' | 'Fitting' | 'Stop'}`
  | 'last4Priced'
  | `${Ranged}${'Many' | 'Fitting'}`
  | 'referenceBare'
  | 'addressed'
  | 'fetch'
  | 'any'
  | HistoryRead
  | PageRead
  | BehindRead;

/** Only PostgreSQL has these. */
type HistoryRead = `history${'Fitting' | 'Addressed' | 'Stop'}`;
type PageRead = `${Ordered}Page`;

/** Only SQLite has these. */
type BehindRead = `${SearchKey}Behind`;

/** The statement for the payments behind the cursor that completes a statement along the keys. */
export function behindOf(name: SearchRead): BehindRead | null {
  const [, key = ''] = /^(.*)(?:Bare|Fitting|Priced)$/.exec(name) ?? [];
  return isKey(key) ? `${key}Behind` : null;
}

/** A statement with numbers for the names of its places, and the names in the order of the numbers. */
function placed(text: string): { readonly text: string; readonly names: readonly string[] } {
  const names: string[] = [];
  const numbered = text.replace(/@(\w+)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `?${names.indexOf(name) + 1}`;
  });
  return { text: numbered, names };
}

export type Placed = { readonly statement: Dialects; readonly names: readonly string[] };
type SearchStatements = Readonly<Record<SearchRead, Placed>>;

/** PostgreSQL plans a statement for the given filters. */
const placedFor = (dialect: Dialect, words: Words): SearchStatements =>
  Object.fromEntries(
    Object.entries(statements(words)).map(([name, named]): [string, Placed] => {
      const { text, names } = placed(named);
      return [name, { statement: { sqlite: null, postgres: null, [dialect]: text, plan: 'anew' }, names }];
    }),
  ) as SearchStatements;

export const sqliteSearch = placedFor('sqlite', sqliteWords);
export const postgresSearch = placedFor('postgres', postgresWords);
export const postgresSearchOfOne = placedFor('postgres', postgresWordsOfOne);
