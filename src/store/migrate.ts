import { readdirSync, readFileSync } from 'node:fs';
import { StoreOutOfOrder } from '../payments/storeErrors.ts';

export type Dialect = 'sqlite' | 'postgres';
export type Migration = { readonly number: number; readonly name: string; readonly text: string };

const FOLDER = new URL('./migrations/', import.meta.url);
const FILE = /^(\d{4})-([a-z0-9-]+)(?:\.(sqlite|postgres))?\.sql$/;

/** The table in which a database remembers how far it has come. */
export const migrationTable = `
  CREATE TABLE IF NOT EXISTS migration (
    number bigint PRIMARY KEY,
    name text NOT NULL,
    applied_at text NOT NULL
  )`;
export const appliedMigrations = 'SELECT number, name FROM migration ORDER BY number';
export const noteMigration = 'INSERT INTO migration (number, name, applied_at) VALUES (?1, ?2, CURRENT_TIMESTAMP)';

/** The migrations of a dialect in order: the files for both and those with its name in theirs. */
export function migrationsOf(dialect: Dialect): readonly Migration[] {
  return readdirSync(FOLDER)
    .sort()
    .flatMap((file) => {
      const [, number, name, only] = FILE.exec(file) ?? [];
      if (!number || !name || (only && only !== dialect)) return [];
      const text = readFileSync(new URL(file, FOLDER), 'utf8');
      return [{ number: Number(number), name, text: only ? text : spelled(text, dialect) }];
    });
}

/** A row of the table. Drivers return large integers as text. */
export type AppliedMigration = { readonly number: number | string; readonly name: string };

/** `0021-without-old-names-needs-0018`: a program that knows schema 18 works on it, an older one does not. */
const NEEDS = /-needs-(\d{4})$/;
export const neededSchema = (name: string): number => Number(NEEDS.exec(name)?.[1] ?? 0);

/**
 * The migrations that have still to be applied. A newer program only adds to the schema, so this one works beside it (decisions/0060); a
 * database that a newer program has taken something from is left alone.
 */
export function outstanding(dialect: Dialect, applied: readonly AppliedMigration[]): readonly Migration[] {
  const known = migrationsOf(dialect);
  const newest = known.at(-1)?.number ?? 0;
  const refusing = applied.find(({ number, name }) => Number(number) > newest && neededSchema(name) > newest);
  if (refusing !== undefined) {
    throw new StoreOutOfOrder(
      `The database is at schema ${refusing.number}, this program knows schemas up to ${newest}: start the newer version of the program.`,
    );
  }
  const numbers = new Set(applied.map(({ number }) => Number(number)));
  return known.filter(({ number }) => !numbers.has(number));
}

/** For a reader that changes nothing itself. */
export function checkSchema(dialect: Dialect, applied: readonly AppliedMigration[]): void {
  if (outstanding(dialect, applied).length === 0) return;
  throw new StoreOutOfOrder(
    'The database is of an older version of the program: start the gateway once, it brings it up to date.',
  );
}

/** The common text is in SQLite's words. In PostgreSQL text is compared byte by byte too, which is also the quickest way. */
function spelled(text: string, dialect: Dialect): string {
  if (dialect === 'sqlite') return text;
  return text
    .replace(/\bINTEGER\b/g, 'bigint')
    .replace(/\bTEXT\b/g, 'text COLLATE "C"')
    .replace(/\bBLOB\b/g, 'bytea')
    .replace(/\) STRICT; -- fillfactor (\d+)/g, ') WITH (fillfactor = $1); -- $1 %')
    .replace(/\) STRICT(?:, WITHOUT ROWID)?;/g, ');');
}
