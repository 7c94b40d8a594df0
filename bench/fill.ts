/**
 * How a database is filled: from the rows that the gateway wrote for one DB and one PA, copied with ids and times of their own. The
 * statements are the same for both databases; only the few words in `Words` differ.
 */
export type Words = {
  /** Twelve hex digits of a number, to stand in front of an id. */
  readonly hexOf: (expression: string) => string;
  readonly randomHex20: string;
  readonly twelveDigits: (expression: string) => string;
  /** A table expression with the column `n` from `?1` on, below `?2`. */
  readonly series: string;
  /** Empties a table by one statement: rows that are merely deleted would be passed over by PostgreSQL in every later batch. */
  readonly clear: string;
};

export const sqliteWords: Words = {
  hexOf: (expression) => `printf('%012x', ${expression})`,
  randomHex20: 'lower(hex(randomblob(10)))',
  twelveDigits: (expression) => `printf('%012d', ${expression})`,
  series: '(WITH RECURSIVE up(n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM up WHERE n + 1 < ?2) SELECT n FROM up)',
  clear: 'DELETE FROM',
};

export const postgresWords: Words = {
  hexOf: (expression) => `lpad(to_hex(${expression}), 12, '0')`,
  randomHex20: `substr(replace(gen_random_uuid()::text, '-', ''), 13)`,
  twelveDigits: (expression) => `lpad((${expression})::text, 12, '0')`,
  series: '(SELECT n FROM generate_series($1::bigint, $2::bigint - 1) AS n)',
  clear: 'TRUNCATE',
};

/** Every tenth payment is a preauthorization that can be captured. */
const PA_EVERY = 10;
/** The filled payments are distributed over the last year. */
const SPAN_MS = 365 * 24 * 3600 * 1000;

/** The new cells of a copied row, by table and column; everything else is as the gateway wrote it. */
const changed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  payment: {
    id: 'i.id',
    family_id: 'i.id',
    created_at: 'i.ms',
    merchant_transaction_id: `'filled-' || i.digits`,
    short_id: `substr(i.digits, 1, 4) || '.' || substr(i.digits, 5, 4) || '.' || substr(i.digits, 9, 4)`,
  },
  outbox: { id: 'i.event_id', subject_id: 'i.id', created_at: 'i.ms' },
};

/** The tables a payment is written to. */
export const filledTables = Object.keys(changed);

/** The rows of one payment as the gateway wrote them: column names and values by table. */
export type SampleRow = Readonly<Record<string, string | number | bigint | Uint8Array | null>>;
export type Sample = { readonly payment: SampleRow; readonly outbox: SampleRow };
export type Samples = { readonly DB: Sample; readonly PA: Sample };

export type FillPlan = {
  readonly before: readonly string[];
  /** Run for each batch with its first number and the one after its last. */
  readonly each: { readonly numbers: string; readonly copies: readonly string[] };
  readonly after: readonly string[];
};

export type FillSize = { readonly rows: number; readonly endMs: number; readonly samples: Samples };

/** The statements that fill a database with `rows` payments up to the instant `endMs`. */
export function fillPlan(
  words: Words,
  columns: (table: string) => readonly string[],
  { rows, endMs, samples }: FillSize,
): FillPlan {
  const step = Math.max(1, Math.floor(SPAN_MS / rows));
  const ms = `${endMs - step * rows} + n * ${step}`;
  const id = `${words.hexOf(ms)} || ${words.randomHex20}`;
  const sampleId = `CASE WHEN n % ${PA_EVERY} = 0 THEN '${samples.PA.payment.id}' ELSE '${samples.DB.payment.id}' END`;
  return {
    before: [
      ...filledTables.map((table) => `CREATE TEMP TABLE fill_${table} AS SELECT * FROM ${table} WHERE 1 = 0`),
      'CREATE TEMP TABLE fill_number (ms bigint, id text, event_id text, digits text, sample_id text)',
    ],
    each: {
      numbers: `INSERT INTO fill_number SELECT ${ms}, ${id}, ${id}, ${words.twelveDigits('n')}, ${sampleId} FROM ${words.series} AS up`,
      copies: [...filledTables.map((table) => copyOf(table, columns(table))), `${words.clear} fill_number`],
    },
    after: [...filledTables, 'number'].map((table) => `DROP TABLE fill_${table}`),
  };
}

function copyOf(table: string, columns: readonly string[]): string {
  const values = columns.map((column) => changed[table]?.[column] ?? `t.${column}`);
  const key = table === 'payment' ? 'id' : 'subject_id';
  const from = `fill_number i CROSS JOIN fill_${table} t WHERE t.${key} = i.sample_id`;
  return `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${from}`;
}

/** Cuts the rows into batches, so that progress can be shown. */
export function portions(rows: number, size: number): [first: number, end: number][] {
  return Array.from({ length: Math.ceil(rows / size) }, (_, at) => [at * size, Math.min(rows, (at + 1) * size)]);
}
