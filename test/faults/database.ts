import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import postgres from 'postgres';

/** The database of a gateway, without the gateway: to count rows, and to try statements that the gateway never sends. */
export type RawDatabase = {
  /** Runs statements and returns the rows of the last one. */
  rows(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
};

/** `url` null: the SQLite file in the data folder. */
export function openRawDatabase(url: string | null, dataDir: string): RawDatabase {
  if (url === null) {
    const file = readdirSync(dataDir).find((name) => /\.(?:db|sqlite3?)$/.test(name));
    if (file === undefined) throw new Error(`no database among ${readdirSync(dataDir).join(', ')}`);
    const database = new DatabaseSync(join(dataDir, file), { timeout: 5_000 });
    return { rows: async (statement) => database.prepare(statement).all(), close: async () => database.close() };
  }
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  return { rows: (statement) => sql.unsafe(statement), close: () => sql.end() };
}

/** Counts the payments of all merchants. */
export async function countPayments(url: string | null, dataDir: string): Promise<number> {
  const raw = openRawDatabase(url, dataDir);
  try {
    const [row] = await raw.rows('SELECT count(*) AS payments FROM payment');
    return Number(row?.payments);
  } finally {
    await raw.close();
  }
}
