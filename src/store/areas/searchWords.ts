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

export type SearchKey = keyof typeof words;
export const searchKeys = Object.keys(words) as readonly SearchKey[];
export const isKey = (name: string): name is SearchKey => Object.hasOwn(words, name);

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
const NEWEST = 'ORDER BY created_at DESC, id DESC LIMIT @limit';
const KEY = 'merchant_id, created_at, id';

/** The newest payments with a word that fit, of the newest `count` entries and those at their instants. */
export const newestWith = (
  key: SearchKey,
  { count, condition }: { readonly count: string; readonly condition: string },
): string => `
    WITH entry (place) AS MATERIALIZED (
      SELECT rowid ${matching(key)} AND ${UP_TO}
        AND rowid >= COALESCE((SELECT instant << ${BITS} FROM (${instantAt(key, count)}) AS least), ${first('@from')})
    )
    SELECT ${KEY} FROM ${PAYMENTS} AND ${fitsKey(key)} AND ${BEFORE} AND ${condition} ${NEWEST}`;

/** The last payment of those that `newestWith` looks at, if there may be more. */
export const lastWith = (key: SearchKey, count: string): string => `
    WITH entry (place) AS MATERIALIZED (
      SELECT s.rowid FROM (${instantAt(key, count)}) AS least CROSS JOIN search_word s
      WHERE s.search_word MATCH ${wordFor(key)} AND s.rowid >= least.instant << ${BITS} AND s.rowid <= (least.instant << ${BITS}) | ${LOW}
    )
    SELECT ${KEY} FROM ${PAYMENTS} AND ${fitsKey(key)} ORDER BY created_at, id LIMIT 1`;

/** A row, if more than `@effort` entries have a word of the range. The index reads all of them: a range is narrow. */
export const manyWith = (key: SearchKey): string =>
  `SELECT @merchant AS merchant_id, 0 AS created_at, '' AS id ${matching(key)} LIMIT 1 OFFSET @effort`;

/** The newest payments with a word of the range that fit, of at most `@effort` entries. */
export const fewWith = (key: SearchKey, condition: string): string => `
    WITH entry (place) AS MATERIALIZED (SELECT rowid ${matching(key)} LIMIT @effort)
    SELECT ${KEY} FROM ${PAYMENTS} AND ${fitsKey(key)} AND ${BEFORE} AND ${condition} ${NEWEST}`;

/** For the payments whose words are not written yet: few, at the end of the table. */
export const behindWith = (key: SearchKey, condition: string): string => `
    SELECT ${KEY} FROM payment NOT INDEXED
    WHERE rowid > (SELECT last FROM search_word_cursor WHERE id = 1) AND merchant_id = @merchant AND ${fitsKey(key)}
      AND ${before('created_at')} AND ${condition} ${NEWEST}`;
