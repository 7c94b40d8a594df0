import type { Listing, TimeRange } from '../../payments/search/listing.ts';
import { listable } from './listedPayments.ts';

/**
 * The statements of queries, with the places of a listing in front: ?1 merchant, ?2 channel, ?3 types, ?4 methods, ?5 mode. A list of
 * codes is one text, and a code stands in it or not: all of them have two characters, and a comma is in none.
 */
type Words = {
  /** A parameter of a type that the database cannot infer. */
  readonly text: (place: string) => string;
  readonly stands: (code: string, list: string) => string;
  /** A column is one of the texts in a JSON list. */
  readonly isOneOf: (column: string, place: string) => string;
  /** The columns `since` and `until` of the ranges in a JSON list. */
  readonly ranges: (place: string) => string;
};

const sqliteWords: Words = {
  text: (place) => place,
  stands: (code, list) => `instr(${list}, ${code}) > 0`,
  isOneOf: (column, place) => `${column} IN (SELECT value FROM json_each(${place}))`,
  ranges: (place) =>
    `(SELECT json_extract(value, '$.from') AS since, json_extract(value, '$.before') AS until FROM json_each(${place}))`,
};

const postgresWords: Words = {
  text: (place) => `${place}::text`,
  stands: (code, list) => `strpos(${list}::text, ${code}) > 0`,
  isOneOf: (column, place) => `${column} IN (SELECT json_array_elements_text(${place}::text::json))`,
  ranges: (place) => `(
    SELECT (value ->> 'from')::bigint AS since, (value ->> 'before')::bigint AS until
    FROM json_array_elements(${place}::text::json)
  )`,
};

const filters = ({ text, stands }: Words): string => `
  merchant_id = ?1 AND (${text('?2')} IS NULL OR entity_id = ${text('?2')})
  AND (${text('?3')} IS NULL OR ${stands('payment_type', '?3')})
  AND (${text('?4')} IS NULL OR ${stands('method', '?4')})
  AND (${text('?5')} IS NULL OR mode = ${text('?5')})`;

const statements = (words: Words) => {
  const filtered = filters(words);
  const named = `merchant_transaction_id = ?6 AND (${words.text('?7')} IS NULL OR short_id = ${words.text('?7')}) AND ${filtered}`;
  const { isOneOf } = words;
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
      SELECT ${listable} FROM payment WHERE merchant_id = ?1 AND ${isOneOf('id', '?2')}
      UNION ALL
      SELECT ${listable} FROM payment
      WHERE merchant_id = ?1 AND ${isOneOf('family_id', '?2')} AND referenced_id IS NOT NULL AND id <> family_id`,
  } as const;
};

/** In SQLite what is passed over is never fetched: the row is looked up when the first of its columns is wanted. */
export const sqliteQueryReads = {
  ...statements(sqliteWords),
  // CROSS says which table comes first.
  hoursOf: `
    SELECT begins, SUM(count) AS count FROM ${sqliteWords.ranges('?7')} s CROSS JOIN payment_count
    WHERE span = ?6 AND begins >= s.since AND begins < s.until AND ${filters(sqliteWords)}
    GROUP BY begins ORDER BY begins`,
  pageOf: `
    SELECT ${listable} FROM payment WHERE created_at >= ?6 AND created_at < ?7 AND ${filters(sqliteWords)}
    ORDER BY created_at, id LIMIT ?8 OFFSET ?9`,
} as const;

const placesOf = `
      SELECT found.id FROM ${postgresWords.ranges('?6')} s CROSS JOIN LATERAL (
        SELECT created_at, id FROM payment
        WHERE created_at >= s.since AND created_at < s.until AND ${filters(postgresWords)}
        ORDER BY created_at, id LIMIT ?7::bigint + ?8::bigint
      ) found
      ORDER BY found.created_at, found.id LIMIT ?7 OFFSET ?8`;

/** In PostgreSQL the places are looked for in the index alone, in all ranges at once, and then fetched. */
export const postgresQueryReads = {
  ...statements(postgresWords),
  // OFFSET 0 keeps the subquery whole. As a join it is planned the other way round, and reads all hours of the merchant's history.
  hoursOf: `
    SELECT begins, SUM(count) AS count FROM ${postgresWords.ranges('?7')} s CROSS JOIN LATERAL (
      SELECT begins, count FROM payment_count
      WHERE span = ?6 AND begins >= s.since AND begins < s.until AND ${filters(postgresWords)} OFFSET 0
    ) counted
    GROUP BY begins ORDER BY begins`,
  pageOf: `
    SELECT ${listable} FROM payment WHERE merchant_id = ?1 AND id IN (${placesOf}
    )
    ORDER BY created_at, id`,
  placesOf,
  placed: `SELECT ${listable} FROM payment WHERE merchant_id = ?1 AND ${postgresWords.isOneOf('id', '?2')}`,
} as const;

export type QueryCells = readonly (string | number | null)[];

/** The places of a listing. */
export const listingCells = ({ merchantId, entityId, types, methods, mode }: Listing): QueryCells => [
  merchantId,
  entityId,
  types?.join() ?? null,
  methods?.join() ?? null,
  mode,
];

export const rangesCell = (ranges: readonly TimeRange[]): string =>
  JSON.stringify(ranges.map(({ from, before }) => ({ from, before })));
