import type { SearchFilterName } from '../../spec/areas/payments.ts';
import { readable } from './payments.ts';

/**
 * The statements of a search. Each goes along one index, the newest payment first, looks at a bounded number of payments, and passes on
 * those that fit. Places have names here: `placed` numbers them.
 */

/** Along which index a search goes. */
const ordered = {
  all: '',
  last4: 'AND last4 = @value',
  email: 'AND email_hash = @value',
  amount: 'AND amount = @value',
  declined: "AND state = 'declined' AND code = @value",
} as const;

/** Indexes that stand in another order: what they find is few, or is looked for among all. */
const ranged = {
  id: 'id',
  shortId: 'short_id',
  reference: 'merchant_transaction_id',
} as const;

export type Ordered = keyof typeof ordered;
export type Ranged = keyof typeof ranged;

type Words = {
  /** A parameter of a type that the database cannot infer. */
  readonly text: (place: string) => string;
  readonly number: (place: string) => string;
  readonly stands: (code: string, list: string) => string;
  /** Once for every merchant of a JSON list, where the database can; otherwise for the one merchant `@merchant`. */
  readonly each: (query: (merchant: string) => string) => string;
  readonly isOneOf: (column: string, place: string) => string;
  /** The address in the rest of a payment, in lower case. */
  readonly address: string;
  /** SQLite keeps the order of a subquery, and would sort again for an ORDER BY. */
  readonly again: string;
};

const sqliteWords: Words = {
  text: (place) => place,
  number: (place) => place,
  stands: (code, list) => `instr(${list}, ${code}) > 0`,
  each: (query) => query('@merchant'),
  isOneOf: (column, place) => `${column} IN (SELECT value FROM json_each(${place}))`,
  address: `lower(json_extract(data, '$.fields."customer.email"'))`,
  again: '',
};

const postgresWords: Words = {
  text: (place) => `${place}::text`,
  number: (place) => `${place}::bigint`,
  stands: (code, list) => `strpos(${list}::text, ${code}) > 0`,
  each: (query) => `
    SELECT found.* FROM json_array_elements_text(@merchants::text::json) AS m (id) CROSS JOIN LATERAL (${query('m.id')}) AS found`,
  isOneOf: (column, place) => `${column} IN (SELECT json_array_elements_text(${place}::text::json))`,
  address: `lower(data::json -> 'fields' ->> 'customer.email') COLLATE "C"`,
  again: 'ORDER BY created_at DESC, id DESC',
};

const NEWEST = 'ORDER BY created_at DESC, id DESC';

type FilterColumn = { readonly column: string; readonly holds: 'text' | 'number' | 'one of a list' };

/** The column of each filter. `from` and `to` are the bounds of every statement. */
export const filterColumns = {
  state: { column: 'state', holds: 'text' },
  types: { column: 'payment_type', holds: 'one of a list' },
  brand: { column: 'brand', holds: 'text' },
  code: { column: 'code', holds: 'text' },
  currency: { column: 'currency', holds: 'text' },
  amount: { column: 'amount', holds: 'number' },
  last4: { column: 'last4', holds: 'text' },
  email: { column: 'email_hash', holds: 'text' },
} as const satisfies Readonly<Record<Exclude<SearchFilterName, 'from' | 'to'>, FilterColumn>>;

const compared: readonly (readonly [name: string, FilterColumn])[] = [
  ['entity', { column: 'entity_id', holds: 'text' }],
  ...Object.entries<FilterColumn>(filterColumns),
];
const rangedColumns = ['short_id', 'merchant_transaction_id'] as const;
const judged = [...compared.map(([, { column }]) => column), ...rangedColumns].join(', ');

function fitsFilter({ text, number, stands }: Words, name: string, { column, holds }: FilterColumn): string {
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

function statements(words: Words) {
  const place = '(created_at, id) < (@at, @after) AND created_at >= @from';
  const merchants = (merchant: string, driver: string) => `merchant_id = ${merchant} ${driver}`;
  const typed = (driver: string) => driver.replace('amount = @value', `amount = ${words.number('@value')}`);
  const looked = (merchant: string, driver: string, columns: string) => `
      SELECT merchant_id, created_at, id${columns} FROM payment
      WHERE ${merchants(merchant, typed(driver))} AND ${place} ${NEWEST}`;
  const ofOrdered = Object.entries(ordered).flatMap(([name, driver]) => [
    [`${name}Bare`, words.each((merchant) => `${looked(merchant, driver, '')} LIMIT @limit`)],
    [
      `${name}Fitting`,
      words.each(
        (merchant) => `
    SELECT merchant_id, created_at, id FROM (${looked(merchant, driver, `, ${judged}`)} LIMIT @effort
    ) AS looked
    WHERE ${fits(words)} ${words.again} LIMIT @limit`,
      ),
    ],
    [`${name}Stop`, words.each((merchant) => `${looked(merchant, driver, '')} LIMIT 1 OFFSET @effort - 1`)],
  ]);
  const ofRanged = Object.entries(ranged).flatMap(([name, column]) => {
    const range = `AND ${column} >= @low AND ${column} < @high`;
    return [
      [
        `${name}Many`,
        words.each(
          (merchant) => `SELECT merchant_id, id FROM payment WHERE ${merchants(merchant, range)} LIMIT 1 OFFSET @effort`,
        ),
      ],
      [
        `${name}Fitting`,
        words.each(
          (merchant) => `
    SELECT merchant_id, created_at, id FROM (
      SELECT merchant_id, created_at, id, ${judged} FROM payment WHERE ${merchants(merchant, range)} LIMIT @effort
    ) AS few
    WHERE ${place} AND ${fits(words)} ${NEWEST} LIMIT @limit`,
        ),
      ],
    ];
  });
  return Object.fromEntries([
    ...ofOrdered,
    ...ofRanged,
    [
      'addressed',
      words.each(
        (merchant) => `
    SELECT merchant_id, created_at, id FROM (${looked(merchant, '', `, ${judged}, ${words.address} AS address`)} LIMIT @effort
    ) AS looked
    WHERE address >= @low AND address < @high AND ${fits(words)} ${words.again} LIMIT @limit`,
      ),
    ],
    ['fetch', `SELECT ${readable} FROM payment WHERE merchant_id = @merchant AND ${words.isOneOf('id', '@ids')}`],
    ['any', `SELECT ${readable} FROM payment WHERE ${words.isOneOf('merchant_id', '@merchants')} AND id = @id`],
  ]) as Readonly<Record<SearchRead, string>>;
}

export type SearchRead =
  | `${Ordered}${'Bare' | 'Fitting' | 'Stop'}`
  | `${Ranged}${'Many' | 'Fitting'}`
  | 'addressed'
  | 'fetch'
  | 'any';

export type Placed = { readonly text: string; readonly names: readonly string[] };

/** A statement with numbers for the names of its places, and the names in the order of the numbers. */
export function placed(statement: string): Placed {
  const names: string[] = [];
  const text = statement.replace(/@(\w+)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `?${names.indexOf(name) + 1}`;
  });
  return { text, names };
}

const allPlaced = (words: Words) =>
  Object.fromEntries(Object.entries(statements(words)).map(([name, text]) => [name, placed(text)])) as Readonly<
    Record<SearchRead, Placed>
  >;

export const sqliteSearch = allPlaced(sqliteWords);
export const postgresSearch = allPlaced(postgresWords);

/** For the reader's table, under names that no other statement has. */
export const sqliteSearchReads = Object.fromEntries(
  Object.entries(sqliteSearch).map(([name, { text }]) => [`search ${name}`, text]),
) as Readonly<Record<`search ${SearchRead}`, string>>;
