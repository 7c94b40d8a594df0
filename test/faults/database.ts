import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import postgres from 'postgres';

/** A way past the gateway, straight to its database: to count, and to try what the gateway would never do. */
export type Past = {
  /** Runs statements and answers the rows of the last one. */
  rows(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
};

/** `url` null: the SQLite file in the data folder. */
export function openPast(url: string | null, dataDir: string): Past {
  if (url === null) {
    const file = readdirSync(dataDir).find((name) => /\.(?:db|sqlite3?)$/.test(name));
    if (file === undefined) throw new Error(`no database among ${readdirSync(dataDir).join(', ')}`);
    const database = new DatabaseSync(join(dataDir, file), { timeout: 5_000 });
    return { rows: async (statement) => database.prepare(statement).all(), close: async () => database.close() };
  }
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  return { rows: (statement) => sql.unsafe(statement), close: () => sql.end() };
}

/** How many payments there are, whoever made them. */
export async function countPayments(url: string | null, dataDir: string): Promise<number> {
  const past = openPast(url, dataDir);
  try {
    const [row] = await past.rows('SELECT count(*) AS payments FROM payment');
    return Number(row?.payments);
  } finally {
    await past.close();
  }
}
